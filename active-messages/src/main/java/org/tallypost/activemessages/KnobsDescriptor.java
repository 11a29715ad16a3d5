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
 * </pre>
 *
 * Each word stands by itself and is read again for each message: opaque loads and stores are enough.
 */
final class KnobsDescriptor
{
    static final long VERSION = 1;
    /** The file is there, and the owner has not written its version. */
    static final long NOT_MADE = 0;
    static final int VERSION_OFFSET = 0;
    static final int OVERHEAD_OFFSET = VERSION_OFFSET + Long.BYTES;
    static final int GAP_OFFSET = OVERHEAD_OFFSET + Long.BYTES;
    static final int BYTE_GAP_OFFSET = GAP_OFFSET + Long.BYTES;
    static final int LATENCY_OFFSET = BYTE_GAP_OFFSET + Long.BYTES;
    static final int LENGTH = LATENCY_OFFSET + Long.BYTES;

    private KnobsDescriptor()
    {
    }
}
