// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** And, or, exclusive or of bits, whatever they belong to: eight bytes at a time. */
final class BitLoops
{
    private BitLoops()
    {
    }

    static void reduce(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        final int whole = length & -Long.BYTES;
        switch (reducer)
        {
            case AND:
                for (long i = 0; i < whole; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, UnsafeApi.getLong(a, at + i) & UnsafeApi.getLong(b, from + i));
                }
                for (long i = whole; i < length; i++)
                {
                    UnsafeApi.putByte(a, at + i, (byte)(UnsafeApi.getByte(a, at + i) & UnsafeApi.getByte(b, from + i)));
                }
                break;
            case OR:
                for (long i = 0; i < whole; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, UnsafeApi.getLong(a, at + i) | UnsafeApi.getLong(b, from + i));
                }
                for (long i = whole; i < length; i++)
                {
                    UnsafeApi.putByte(a, at + i, (byte)(UnsafeApi.getByte(a, at + i) | UnsafeApi.getByte(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < whole; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, UnsafeApi.getLong(a, at + i) ^ UnsafeApi.getLong(b, from + i));
                }
                for (long i = whole; i < length; i++)
                {
                    UnsafeApi.putByte(a, at + i, (byte)(UnsafeApi.getByte(a, at + i) ^ UnsafeApi.getByte(b, from + i)));
                }
                break;
        }
    }
}
