// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** The smallest or largest number and its place. */
final class LocationLoops
{
    private LocationLoops()
    {
    }

    static void reduce(
        final boolean isMax, final ElementType type, final Object a, final long at, final Object b, final long from,
        final int length)
    {
        final int size = type.length();
        final int place = type == ElementType.INT_INT || type == ElementType.FLOAT_INT ? Integer.BYTES : Long.BYTES;
        for (long i = 0; i < length; i += size)
        {
            final int order = compare(isMax, type, a, at + i, b, from + i);
            if (order > 0 ||
                order == 0 && UnsafeApi.getInt(b, from + i + place) < UnsafeApi.getInt(a, at + i + place))
            {
                UnsafeApi.copyMemory(b, from + i, a, at + i, size);
            }
        }
    }

    /** More than 0 if the right one is to be taken, 0 if both are equal. */
    private static int compare(
        final boolean isMax, final ElementType type, final Object a, final long at, final Object b, final long from)
    {
        switch (type)
        {
            case INT_INT:
                return sign(isMax, Integer.compare(UnsafeApi.getInt(b, from), UnsafeApi.getInt(a, at)));
            case LONG_INT:
                return sign(isMax, Long.compare(UnsafeApi.getLong(b, from), UnsafeApi.getLong(a, at)));
            case FLOAT_INT:
                return compare(isMax, UnsafeApi.getFloat(a, at), UnsafeApi.getFloat(b, from));
            default:
                return compare(isMax, UnsafeApi.getDouble(a, at), UnsafeApi.getDouble(b, from));
        }
    }

    private static int sign(final boolean isMax, final int order)
    {
        return isMax ? order : -order;
    }

    /** A NaN comes first in either direction. A float keeps its order as a double. */
    private static int compare(final boolean isMax, final double left, final double right)
    {
        if (Double.isNaN(left) || Double.isNaN(right))
        {
            return Boolean.compare(Double.isNaN(right), Double.isNaN(left));
        }
        return sign(isMax, Double.compare(right, left));
    }
}
