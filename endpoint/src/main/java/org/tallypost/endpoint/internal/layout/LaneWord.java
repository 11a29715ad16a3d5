// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

/**
 * The word in a pair's line that says which express lane the sender may use.
 *
 * <pre>
 *   63                            32 31            16 15      8 7       0
 *  +--------------------------------+----------------+---------+---------+
 *  |      number of the grant       | sender's epoch |  state  |  lane   |   offset 24 of the pair's line; 0 = none
 *  +--------------------------------+----------------+---------+---------+
 *
 *            receiver grants          sender takes it            receiver wants it back      sender stops
 *   NONE ------------------- GRANTED ----------------- HELD ------------------ RECALLED -------------- RETURNED
 *    ^                          |                       |      sender stops                               |
 *    |                          | receiver wants it     +-------------------------------------------------+
 *    +--------------------------+ back                                                                    |
 *    +----------------------------------------------------------------------------------------------------+
 *                                  receiver has read all of the lane
 * </pre>
 *
 * Each step is one compare-and-set. The receiver takes the lane away without being told RETURNED only if the sender's
 * process is dead.
 */
public final class LaneWord
{
    /** Offset in a pair's line. */
    public static final int OFFSET = 24;

    public static final int NONE = 0;
    public static final int GRANTED = 1;
    public static final int HELD = 2;
    public static final int RECALLED = 3;
    public static final int RETURNED = 4;

    private static final int EPOCH_MASK = 0xFFFF;

    private LaneWord()
    {
    }

    public static long of(final int grant, final int epoch, final int state, final int lane)
    {
        return ((long)grant << 32) | ((long)(epoch & EPOCH_MASK) << 16) | ((long)state << 8) | lane;
    }

    public static long with(final long word, final int state)
    {
        return (word & ~0xFF00L) | ((long)state << 8);
    }

    public static int state(final long word)
    {
        return (int)(word >>> 8) & 0xFF;
    }

    public static int lane(final long word)
    {
        return (int)word & 0xFF;
    }

    public static boolean isFor(final long word, final int epoch)
    {
        return ((int)(word >>> 16) & EPOCH_MASK) == (epoch & EPOCH_MASK);
    }
}
