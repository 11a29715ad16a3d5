// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** Sums, products, minima and maxima of whole numbers. */
final class IntegerLoops
{
    private IntegerLoops()
    {
    }

    static void ints(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Integer.BYTES)
                {
                    UnsafeApi.putInt(a, at + i, UnsafeApi.getInt(a, at + i) + UnsafeApi.getInt(b, from + i));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Integer.BYTES)
                {
                    UnsafeApi.putInt(a, at + i, UnsafeApi.getInt(a, at + i) * UnsafeApi.getInt(b, from + i));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Integer.BYTES)
                {
                    UnsafeApi.putInt(a, at + i, Math.min(UnsafeApi.getInt(a, at + i), UnsafeApi.getInt(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Integer.BYTES)
                {
                    UnsafeApi.putInt(a, at + i, Math.max(UnsafeApi.getInt(a, at + i), UnsafeApi.getInt(b, from + i)));
                }
                break;
        }
    }

    static void longs(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, UnsafeApi.getLong(a, at + i) + UnsafeApi.getLong(b, from + i));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, UnsafeApi.getLong(a, at + i) * UnsafeApi.getLong(b, from + i));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, Math.min(UnsafeApi.getLong(a, at + i), UnsafeApi.getLong(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Long.BYTES)
                {
                    UnsafeApi.putLong(a, at + i, Math.max(UnsafeApi.getLong(a, at + i), UnsafeApi.getLong(b, from + i)));
                }
                break;
        }
    }
}
