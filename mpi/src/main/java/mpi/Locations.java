// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;

/** The smaller or larger number with its place; of equal ones the lower place. */
final class Locations
{
    private Locations()
    {
    }

    /** Each pair of the first buffer becomes the one that counts; pairs are packed. */
    static void take(
        final boolean isLeast, final Kind value, final Kind place, final UnsafeBuffer left, final UnsafeBuffer right)
    {
        final int pair = value.size() + place.size();
        for (int at = 0; at + pair <= left.capacity(); at += pair)
        {
            final int order = compare(value, right, left, at);
            final boolean isTaken = order == 0 ? compare(place, right, left, at + value.size()) < 0 : isLeast == order < 0;
            if (isTaken)
            {
                left.putBytes(at, right, at, pair);
            }
        }
    }

    private static int compare(final Kind kind, final UnsafeBuffer one, final UnsafeBuffer other, final int at)
    {
        switch (kind)
        {
            case FLOAT:
                return compare(one.getFloat(at), other.getFloat(at));
            case DOUBLE:
                return compare(one.getDouble(at), other.getDouble(at));
            default:
                return Long.compare(whole(kind, one, at), whole(kind, other, at));
        }
    }

    /** Zeros are equal, whatever their signs. */
    private static int compare(final double one, final double other)
    {
        return one == other ? 0 : Double.compare(one, other);
    }

    private static long whole(final Kind kind, final UnsafeBuffer buffer, final int at)
    {
        switch (kind)
        {
            case SHORT:
                return buffer.getShort(at);
            case CHAR:
                return buffer.getChar(at);
            case INT:
                return buffer.getInt(at);
            case LONG:
                return buffer.getLong(at);
            default:
                return buffer.getByte(at);
        }
    }
}
