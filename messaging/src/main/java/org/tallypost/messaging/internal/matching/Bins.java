// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

/**
 * Which bin a pattern of context, source and tag belongs to. There are four families of bins, one for each way in which a
 * receive may leave source and tag open; what is left open counts as 0.
 */
public final class Bins
{
    /** Stands for any source, or any tag. */
    public static final int ANY = -1;

    static final int FAMILIES = 4;
    /** Bins of a family. */
    static final int BINS = 1024;
    /** Added to the number of a family with an open tag. */
    static final int ANY_TAG = 1;
    /** Added to the number of a family with an open source. */
    static final int ANY_SOURCE = 2;

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final long SOURCE_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;
    private static final long TAG_FACTOR = 0x1656_67B1_9E37_79F9L;
    private static final int SHIFT = Long.SIZE - 10;

    private Bins()
    {
    }

    static int family(final int source, final int tag)
    {
        return (source == ANY ? ANY_SOURCE : 0) | (tag == ANY ? ANY_TAG : 0);
    }

    /** The bin, counted over all families. */
    static int bin(final int family, final int context, final int source, final int tag)
    {
        long hash = context * GOLDEN;
        if ((family & ANY_SOURCE) == 0)
        {
            hash += (source + 1) * SOURCE_FACTOR;
        }
        if ((family & ANY_TAG) == 0)
        {
            hash += (tag + 1) * TAG_FACTOR;
        }
        hash = (hash ^ hash >>> 32) * GOLDEN;
        return family * BINS + (int)(hash >>> SHIFT);
    }
}
