// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.UnsafeApi;

/** Sums, products, minima and maxima of numbers of 1 and 2 bytes. */
final class NarrowLoops
{
    private NarrowLoops()
    {
    }

    static void bytes(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Byte.BYTES)
                {
                    UnsafeApi.putByte(a, at + i, (byte)(UnsafeApi.getByte(a, at + i) + UnsafeApi.getByte(b, from + i)));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Byte.BYTES)
                {
                    UnsafeApi.putByte(a, at + i, (byte)(UnsafeApi.getByte(a, at + i) * UnsafeApi.getByte(b, from + i)));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Byte.BYTES)
                {
                    UnsafeApi.putByte(
                        a, at + i, (byte)Math.min(UnsafeApi.getByte(a, at + i), UnsafeApi.getByte(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Byte.BYTES)
                {
                    UnsafeApi.putByte(
                        a, at + i, (byte)Math.max(UnsafeApi.getByte(a, at + i), UnsafeApi.getByte(b, from + i)));
                }
                break;
        }
    }

    static void shorts(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Short.BYTES)
                {
                    UnsafeApi.putShort(a, at + i, (short)(UnsafeApi.getShort(a, at + i) + UnsafeApi.getShort(b, from + i)));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Short.BYTES)
                {
                    UnsafeApi.putShort(a, at + i, (short)(UnsafeApi.getShort(a, at + i) * UnsafeApi.getShort(b, from + i)));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Short.BYTES)
                {
                    UnsafeApi.putShort(
                        a, at + i, (short)Math.min(UnsafeApi.getShort(a, at + i), UnsafeApi.getShort(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Short.BYTES)
                {
                    UnsafeApi.putShort(
                        a, at + i, (short)Math.max(UnsafeApi.getShort(a, at + i), UnsafeApi.getShort(b, from + i)));
                }
                break;
        }
    }

    static void chars(
        final StandardReducer reducer, final Object a, final long at, final Object b, final long from, final int length)
    {
        switch (reducer)
        {
            case SUM:
                for (long i = 0; i < length; i += Character.BYTES)
                {
                    UnsafeApi.putChar(a, at + i, (char)(UnsafeApi.getChar(a, at + i) + UnsafeApi.getChar(b, from + i)));
                }
                break;
            case PRODUCT:
                for (long i = 0; i < length; i += Character.BYTES)
                {
                    UnsafeApi.putChar(a, at + i, (char)(UnsafeApi.getChar(a, at + i) * UnsafeApi.getChar(b, from + i)));
                }
                break;
            case MIN:
                for (long i = 0; i < length; i += Character.BYTES)
                {
                    UnsafeApi.putChar(
                        a, at + i, (char)Math.min(UnsafeApi.getChar(a, at + i), UnsafeApi.getChar(b, from + i)));
                }
                break;
            default:
                for (long i = 0; i < length; i += Character.BYTES)
                {
                    UnsafeApi.putChar(
                        a, at + i, (char)Math.max(UnsafeApi.getChar(a, at + i), UnsafeApi.getChar(b, from + i)));
                }
                break;
        }
    }
}
