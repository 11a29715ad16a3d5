// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What reductions have in common. All of them reduce in the members' order, ((m0 o m1) o m2) and so on, by whatever algorithm: so
 * results are the same, bit by bit, at all members and in all runs, and reducers need not be commutative. The bits of a NaN
 * beside those that make it one are the processor's affair.
 */
abstract class Reduction extends Operation
{
    private final ElementType type;
    private final Reducer reducer;
    private final long typeAndReducer;
    private final UnsafeBuffer in = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer out = new UnsafeBuffer(0, 0);
    /** Null if elements are reduced in the place of the left ones. */
    private final StandardReducer standard;
    /** The first member's bytes, if they are still to be read where they are; null if not. */
    private DirectBuffer left;
    private int leftOffset;
    /** Whether what is read stays where it is until the step is consumed. */
    private boolean isStaying;

    Reduction(final Team team, final Kind kind, final ElementType type, final Reducer reducer)
    {
        super(team, kind);
        Checks.isSet("type", type);
        Checks.isSet("reducer", reducer);
        if (!reducer.supports(type))
        {
            throw new IllegalArgumentException("no such reduction: found reducer=" + reducer.name() + ", type=" + type +
                ", expected a type for which the reducer has a meaning");
        }
        this.type = type;
        this.reducer = reducer;
        standard = reducer instanceof StandardReducer ? (StandardReducer)reducer : null;
        typeAndReducer = OperationIdentity.typeAndReducer(type, reducer);
    }

    final boolean isOf(final ElementType wantedType, final Reducer wantedReducer)
    {
        return type == wantedType && reducer == wantedReducer;
    }

    /** Length of elements in bytes. */
    final int lengthOf(final int count, final int portions)
    {
        Checks.range("count", count, 0, Integer.MAX_VALUE / type.length() / portions);
        return count * type.length() * portions;
    }

    /** Between nodes: by the usual phases, unless members of other nodes stand between those of a node and their order counts. */
    final void phases(final NodesPath path, final Supplier<Phases> usual)
    {
        if (path != null)
        {
            final boolean isOrdered = !reducer.isCommutative() || kind() == Kind.SCAN || kind() == Kind.EXCLUSIVE_SCAN;
            phases(isOrdered && !path.map().isConsecutive() ? new OrderedPhases(path, this) : usual.get());
        }
    }

    /** The result of this member is of so many of the first members. */
    int operands()
    {
        return members();
    }

    /** Where in the operand of a member begins what is reduced to the result of this one. */
    int operandOffset()
    {
        return 0;
    }

    final ElementType type()
    {
        return type;
    }

    final Reducer reducer()
    {
        return reducer;
    }

    final UnsafeBuffer in()
    {
        return in;
    }

    final UnsafeBuffer out()
    {
        return out;
    }

    final int unit()
    {
        return type.length();
    }

    /** Makes the plan for portions of some length and begins. */
    final long begin(final int root, final int length)
    {
        return begin(root, length, 0);
    }

    /** Makes the plan for portions of a distribution and begins. */
    final long begin(final int root, final int longest, final int distribution)
    {
        left = null;
        isStaying = true;
        plan(longest, type.length(), typeAndReducer, root, distribution);
        return begin();
    }

    /**
     * Takes bytes of a member into a result. Those of the first one may stay where they are until those of the second come: then
     * both are read once, and the result is written once.
     */
    final void takeOf(
        final int source, final MutableDirectBuffer to, final int toOffset, final DirectBuffer from, final int fromOffset,
        final int length)
    {
        if (source == 0 && isStaying && standard != null && members() > 1 && standard.isCombining(type, length))
        {
            left = from;
            leftOffset = fromOffset;
        }
        else if (left != null)
        {
            final DirectBuffer first = left;
            left = null;
            standard.combine(type, to, toOffset, first, leftOffset, from, fromOffset, length);
        }
        else
        {
            take(source == 0, to, toOffset, from, fromOffset, length);
        }
    }

    @Override
    final void stays(final boolean isUntilConsumed)
    {
        isStaying = isUntilConsumed;
    }

    /** Takes bytes of another member into a result: they are the first ones, or are reduced with what is there. */
    final void take(
        final boolean isFirst, final MutableDirectBuffer to, final int toOffset, final DirectBuffer from, final int fromOffset,
        final int length)
    {
        if (length > 0)
        {
            if (isFirst)
            {
                to.putBytes(toOffset, from, fromOffset, length);
            }
            else
            {
                reducer.reduce(type, to, toOffset, from, fromOffset, length / type.length());
            }
        }
    }

    @Override
    final UnsafeBuffer given()
    {
        return in;
    }

    @Override
    final int givenLength(final int source)
    {
        return in.capacity();
    }

    @Override
    boolean isOverwriting()
    {
        return Checks.isOverlapping(in, out);
    }

    @Override
    final int source(final int index)
    {
        return index;
    }
}
