// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** Sums, products, minima and maxima of numbers of IEEE 754. */
final class FloatingLoops
{
    private FloatingLoops()
    {
    }

    static void floats(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Float.BYTES)
                {
                    UnsafeApi.putFloat(a, at + i, UnsafeApi.getFloat(a, at + i) + UnsafeApi.getFloat(b, from + i));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Float.BYTES)
                {
                    UnsafeApi.putFloat(a, at + i, UnsafeApi.getFloat(a, at + i) * UnsafeApi.getFloat(b, from + i));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Float.BYTES)
                {
                    UnsafeApi.putFloat(a, at + i, Math.min(UnsafeApi.getFloat(a, at + i), UnsafeApi.getFloat(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Float.BYTES)
                {
                    UnsafeApi.putFloat(a, at + i, Math.max(UnsafeApi.getFloat(a, at + i), UnsafeApi.getFloat(b, from + i)));
                }
                break;
        }
    }

    static void doubles(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Double.BYTES)
                {
                    UnsafeApi.putDouble(a, at + i, UnsafeApi.getDouble(a, at + i) + UnsafeApi.getDouble(b, from + i));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Double.BYTES)
                {
                    UnsafeApi.putDouble(a, at + i, UnsafeApi.getDouble(a, at + i) * UnsafeApi.getDouble(b, from + i));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Double.BYTES)
                {
                    UnsafeApi.putDouble(a, at + i, Math.min(UnsafeApi.getDouble(a, at + i), UnsafeApi.getDouble(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Double.BYTES)
                {
                    UnsafeApi.putDouble(a, at + i, Math.max(UnsafeApi.getDouble(a, at + i), UnsafeApi.getDouble(b, from + i)));
                }
                break;
        }
    }
}
