// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** Logical operations: 0 is false, everything else true, and results are 0 or 1. */
final class LogicLoops
{
    private LogicLoops()
    {
    }

    static void reduce(
        final StandardReducer reducer, final int size, final Object a, final long at, final Object b, final long from,
        final int length)
    {
        for (long i = 0; i < length; i += size)
        {
            put(size, a, at + i, holds(reducer, get(size, a, at + i) != 0, get(size, b, from + i) != 0) ? 1 : 0);
        }
    }

    private static boolean holds(final StandardReducer reducer, final boolean left, final boolean right)
    {
        switch (reducer)
        {
            case LOGICAL_AND:
                return left && right;
            case LOGICAL_OR:
                return left || right;
            default:
                return left != right;
        }
    }

    private static long get(final int size, final Object base, final long address)
    {
        switch (size)
        {
            case Byte.BYTES:
                return UnsafeApi.getByte(base, address);
            case Short.BYTES:
                return UnsafeApi.getShort(base, address);
            case Integer.BYTES:
                return UnsafeApi.getInt(base, address);
            default:
                return UnsafeApi.getLong(base, address);
        }
    }

    private static void put(final int size, final Object base, final long address, final int value)
    {
        switch (size)
        {
            case Byte.BYTES:
                UnsafeApi.putByte(base, address, (byte)value);
                break;
            case Short.BYTES:
                UnsafeApi.putShort(base, address, (short)value);
                break;
            case Integer.BYTES:
                UnsafeApi.putInt(base, address, value);
                break;
            default:
                UnsafeApi.putLong(base, address, value);
                break;
        }
    }
}
