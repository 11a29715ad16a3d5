// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The usual reducers, and how a program makes its own. They have no state: any thread may use them. */
public final class Reducers
{
    /** Adds. Whole numbers wrap when they overflow. */
    public static final Reducer SUM = StandardReducer.SUM;
    /** Multiplies. Whole numbers wrap when they overflow. */
    public static final Reducer PRODUCT = StandardReducer.PRODUCT;
    /** The smaller one, as {@link Math#min(double, double)}: NaN if one of both is NaN, and -0.0 is less than 0.0. */
    public static final Reducer MIN = StandardReducer.MIN;
    /** The larger one, as {@link Math#max(double, double)}: NaN if one of both is NaN, and -0.0 is less than 0.0. */
    public static final Reducer MAX = StandardReducer.MAX;
    /** 1 if both are not 0, otherwise 0. For whole numbers and BOOLEAN. */
    public static final Reducer LOGICAL_AND = StandardReducer.LOGICAL_AND;
    /** 1 if one of both is not 0, otherwise 0. For whole numbers and BOOLEAN. */
    public static final Reducer LOGICAL_OR = StandardReducer.LOGICAL_OR;
    /** 1 if exactly one of both is not 0, otherwise 0. For whole numbers and BOOLEAN. */
    public static final Reducer LOGICAL_XOR = StandardReducer.LOGICAL_XOR;
    /** And of all bits. For whole numbers and BYTES. */
    public static final Reducer AND = StandardReducer.AND;
    /** Or of all bits. For whole numbers and BYTES. */
    public static final Reducer OR = StandardReducer.OR;
    /** Exclusive or of all bits. For whole numbers and BYTES. */
    public static final Reducer XOR = StandardReducer.XOR;
    /** The smaller number with its place; of equal ones the lower place. A NaN counts as smaller than all. */
    public static final Reducer MIN_LOCATION = StandardReducer.MIN_LOCATION;
    /** The larger number with its place; of equal ones the lower place. A NaN counts as larger than all. */
    public static final Reducer MAX_LOCATION = StandardReducer.MAX_LOCATION;

    private Reducers()
    {
    }

    /**
     * A reducer of a program.
     *
     * @param name          the same at all members.
     * @param isCommutative whether operands may be exchanged.
     * @param function      that reduces.
     * @return the reducer, for elements of all types.
     * @throws IllegalArgumentException if one of them is not set.
     */
    public static Reducer of(final String name, final boolean isCommutative, final Function function)
    {
        Checks.isSet("name", name);
        Checks.isSet("function", function);
        return new Reducer()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public boolean isCommutative()
            {
                return isCommutative;
            }

            @Override
            public void reduce(
                final ElementType type, final MutableDirectBuffer inOut, final int inOutOffset, final DirectBuffer in,
                final int inOffset, final int count)
            {
                function.reduce(type, inOut, inOutOffset, in, inOffset, count);
            }

            @Override
            public String toString()
            {
                return name;
            }
        };
    }

    /** What a reducer of a program does, see {@link Reducer#reduce}. */
    @FunctionalInterface
    public interface Function
    {
        /**
         * Reduces elements.
         *
         * @param type        of the elements.
         * @param inOut       left operands, and where the results go.
         * @param inOutOffset of the first one in bytes.
         * @param in          right operands.
         * @param inOffset    of the first one in bytes.
         * @param count       number of elements.
         */
        void reduce(ElementType type, MutableDirectBuffer inOut, int inOutOffset, DirectBuffer in, int inOffset, int count);
    }
}
