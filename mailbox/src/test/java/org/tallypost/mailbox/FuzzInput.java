// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.util.Arrays;

/** Bytes that decide what a fuzz target does, one after another; zeros when they are used up. */
public final class FuzzInput
{
    private final byte[] bytes;
    private int at;

    /**
     * An input.
     *
     * @param bytes of it.
     */
    public FuzzInput(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    /**
     * Whether there is any byte left.
     *
     * @return true if so.
     */
    public boolean hasMore()
    {
        return at < bytes.length;
    }

    /**
     * The next byte.
     *
     * @return 0 to 255.
     */
    public int nextByte()
    {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /**
     * A number made of the next two bytes.
     *
     * @param bound of the number.
     * @return from 0 to the bound, exclusive.
     */
    public int next(final int bound)
    {
        return (nextByte() | nextByte() << 8) % bound;
    }

    /**
     * The next eight bytes.
     *
     * @return the number, little-endian.
     */
    public long nextLong()
    {
        long word = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            word |= (long)nextByte() << shift;
        }
        return word;
    }

    /**
     * A number that is likely to do harm: as it was, with bits changed, near it, near the end of the range, or anything.
     *
     * @param old number.
     * @return the new one.
     */
    public long nextHarm(final long old)
    {
        switch (next(6))
        {
            case 0:
                return old ^ 1L << nextByte();
            case 1:
                return old + (byte)nextByte();
            case 2:
                return (byte)nextByte();
            case 3:
                return Long.MAX_VALUE - nextByte();
            case 4:
                return Long.MIN_VALUE + nextByte();
            default:
                return nextLong();
        }
    }

    /**
     * Some bytes.
     *
     * @param length most bytes.
     * @return as many as there are.
     */
    public byte[] nextBytes(final int length)
    {
        final byte[] some = Arrays.copyOfRange(bytes, at, at + Math.min(length, bytes.length - at));
        at += some.length;
        return some;
    }
}
