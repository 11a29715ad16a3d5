// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/**
 * Contents of a rank's shared file with its LogGP knobs. The rank reads, any process of the host may write.
 *
 * <pre>
 *  offset   length   field
 *  ---------------------------------------------------------------------
 *       0        8   layout version, written last by the owner
 *       8        8   o: time of the processor for each message, ns
 *      16        8   g: time between two messages of a sender, ns
 *      24        8   G: time of each byte of a block, ps
 *      32        8   L: time on the way, ns
 *      40        8   changes: how often a knob was set
 * </pre>
 *
 * A knob is stored before the changes are counted (SYNC POINT knob-set). So the rank looks at one word, and reads the knobs again
 * when that is another one than at the last look. Knobs that differ are not set together: each word stands by itself.
 */
final class KnobsDescriptor
{
    static final long VERSION = 2;
    /** The file is there, and the owner has not written its version. */
    static final long NOT_MADE = 0;
    static final int VERSION_OFFSET = 0;
    static final int OVERHEAD_OFFSET = VERSION_OFFSET + Long.BYTES;
    static final int GAP_OFFSET = OVERHEAD_OFFSET + Long.BYTES;
    static final int BYTE_GAP_OFFSET = GAP_OFFSET + Long.BYTES;
    static final int LATENCY_OFFSET = BYTE_GAP_OFFSET + Long.BYTES;
    static final int CHANGES_OFFSET = LATENCY_OFFSET + Long.BYTES;
    static final int LENGTH = CHANGES_OFFSET + Long.BYTES;

    private KnobsDescriptor()
    {
    }
}
