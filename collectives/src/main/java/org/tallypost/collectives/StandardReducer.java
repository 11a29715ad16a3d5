// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The reducers that everybody needs. The bounds are checked once for all elements, then loops over plain memory or arrays follow.
 */
enum StandardReducer implements Reducer
{
    SUM,
    PRODUCT,
    MIN,
    MAX,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    AND,
    OR,
    XOR,
    MIN_LOCATION,
    MAX_LOCATION;

    @Override
    public boolean supports(final ElementType type)
    {
        switch (this)
        {
            case SUM:
            case PRODUCT:
            case MIN:
            case MAX:
                return type.isNumber();
            case LOGICAL_AND:
            case LOGICAL_OR:
            case LOGICAL_XOR:
                return type.isInteger() || type == ElementType.BOOLEAN;
            case AND:
            case OR:
            case XOR:
                return type.isInteger() || type == ElementType.BYTES;
            default:
                return type.isLocated();
        }
    }

    @Override
    public void reduce(
        final ElementType type, final MutableDirectBuffer inOut, final int inOutOffset, final DirectBuffer in,
        final int inOffset, final int count)
    {
        final int length = count * type.length();
        inOut.boundsCheck(inOutOffset, length);
        in.boundsCheck(inOffset, length);
        final Object a = inOut.byteArray();
        final long at = inOut.addressOffset() + inOutOffset;
        final Object b = in.byteArray();
        final long from = in.addressOffset() + inOffset;
        switch (this)
        {
            case SUM:
            case PRODUCT:
            case MIN:
            case MAX:
                NumberLoops.reduce(this, type, a, at, b, from, length);
                break;
            case LOGICAL_AND:
            case LOGICAL_OR:
            case LOGICAL_XOR:
                LogicLoops.reduce(this, type.length(), a, at, b, from, length);
                break;
            case AND:
            case OR:
            case XOR:
                BitLoops.reduce(this, a, at, b, from, length);
                break;
            default:
                LocationLoops.reduce(this == MAX_LOCATION, type, a, at, b, from, length);
                break;
        }
    }

    /**
     * Whether elements are best reduced into another place than that of the left operands, by {@link #combine}: these need not be
     * copied there before.
     */
    boolean isCombining(final ElementType type, final int length)
    {
        return type.isNumber() && (this == SUM || this == PRODUCT || this == MIN || this == MAX) &&
            NumberLoops.isByArrays(this, type, length);
    }

    /** Reduces elements, and puts the results elsewhere. */
    void combine(
        final ElementType type, final MutableDirectBuffer out, final int outOffset, final DirectBuffer left, final int leftOffset,
        final DirectBuffer right, final int rightOffset, final int length)
    {
        out.boundsCheck(outOffset, length);
        left.boundsCheck(leftOffset, length);
        right.boundsCheck(rightOffset, length);
        NumberLoops.arrays(this, type, out.byteArray(), out.addressOffset() + outOffset, left.byteArray(),
            left.addressOffset() + leftOffset, right.byteArray(), right.addressOffset() + rightOffset, length);
    }
}
