// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** Sizes of the buffers of a mail box: a buffer of class {@code s} holds up to {@code 2^s - 8} bytes. */
public final class SizeClass
{
    /** Lowest class: messages without bytes. */
    public static final int MIN = 3;
    /** Highest class that a mail box may have buffers of. */
    public static final int MAX = 20;
    /** Default of {@link DeckContext#limit(int)}: messages of up to 131,064 bytes find a buffer in the mail box. */
    public static final int DEFAULT_LIMIT = 17;
    private static final int LOST = 8;

    private SizeClass()
    {
    }

    /**
     * The class of a message.
     *
     * @param length in bytes, from 0 to 2^30.
     * @return the lowest class with buffers that are long enough.
     */
    public static int of(final int length)
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(length + LOST - 1);
    }

    /**
     * Longest message of a class.
     *
     * @param sizeClass from {@link #MIN} to 30.
     * @return its length in bytes.
     */
    public static int length(final int sizeClass)
    {
        return (1 << sizeClass) - LOST;
    }

    /**
     * Memory of a mail box.
     *
     * @param limit   highest class.
     * @param buffers of each class.
     * @return length of all its buffers in bytes.
     */
    public static long poolLength(final int limit, final int buffers)
    {
        long length = 0;
        for (int i = MIN; i <= limit; i++)
        {
            length += (long)buffers * length(i);
        }
        return length;
    }
}
