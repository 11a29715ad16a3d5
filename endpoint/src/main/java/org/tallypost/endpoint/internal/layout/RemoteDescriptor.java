// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.BitUtil;

/**
 * Layout of a node's 'remote' file: what the ranks of this node and those of others have to do with one another. There is
 * one only if the group has several nodes.
 *
 * <pre>
 *  offset             length   field                                  written by
 *  -----------------------------------------------------------------------------------------------------------
 *       0                  8   magic                                  creator
 *       8                  4   layout version                         creator, last
 *      12                  4   ranks P of the group                   creator
 *      16                  8   file length, bytes                     creator
 *      24                  4   node                                   creator
 *      28                  4   nodes N                                creator
 *      32                  4   ranks L of this node                   creator
 *      36                  4   slots of an egress ring                creator
 *      40                 88   unused, zero
 *     128          2 L x  B    marks of each local receiver: GRANT, then REQUEST
 *                        B   = 0: 8 bytes, any bit set (pollers set, agent clears); 128: a bit for each rank; to 128
 *                            of REQUEST also 64: 8 bytes, bulk queues that the rank has opened
 *       R        L x P x 128   pair lines, of local rank l and rank p of another node
 *       M              4 x P   node of each rank, to 128              creator
 *       K            N x 256   counters of the link to each node      agent: see {@link LinkDescriptor}
 * </pre>
 *
 * <pre>
 *  pair line, for l as sender to p:
 *      0   8   as offset 0 of a source line in a mailbox, but with both epochs: p's view epoch (16 bits), l's epoch (16),
 *              credits not withdrawn (32); 0 = closed
 *      8   8   owner: not used
 *     16   8   awaited, as in a mailbox
 *     24   8   lane: always 0
 *     64   8   sent, by the agent: messages taken from the ring, or of its own thread past the ring (upper half), low bits of the
 *              position of the last of the ring (lower half)
 *     72   8   received, by the agent: messages known to be in p's mailbox, modulo 2^32
 *     80   8   nudges handed on, by the agent
 *     88   8   nudges read, by the agent: as many of them as p is known to have read
 * </pre>
 *
 * In an egress ring bytes 4 to 7 of a run's first word, unused in a mailbox unless credits travel in packets, say where it goes:
 * the destination rank (20 bits), the low bits of its view epoch (6) and of the sender's epoch (6). A nudge has this word too.
 */
public final class RemoteDescriptor
{
    /** "TALLYREM" as bytes. */
    public static final long MAGIC = 0x4D45_5259_4C4C_4154L;
    public static final int VERSION = 6;

    public static final int RANKS_OFFSET = 12;
    public static final int FILE_LENGTH_OFFSET = 16;
    public static final int NODE_OFFSET = 24;
    public static final int NODES_OFFSET = 28;
    public static final int LOCALS_OFFSET = 32;
    public static final int EGRESS_SLOTS_OFFSET = 36;
    public static final int MARKS_OFFSET = 128;
    public static final int LINE_LENGTH = 128;
    /** In the marks of a local receiver's requests, which the agent reads anyhow. */
    public static final int QUEUES_OFFSET = 64;

    public static final int SENT_OFFSET = 64;
    public static final int RECEIVED_OFFSET = 72;
    public static final int NUDGES_OFFSET = 80;
    public static final int NUDGES_READ_OFFSET = 88;

    public static final int GRANT = 0;
    public static final int REQUEST = 1;

    private static final int RING_BOUND = 1 << 26;
    private static final int RANK_BITS = 20;
    private static final int EPOCH_BITS = 6;
    private static final int RANK_MASK = (1 << RANK_BITS) - 1;
    private static final int EPOCH_MASK = (1 << EPOCH_BITS) - 1;
    private static final int SHORT_MASK = 0xFFFF;

    private RemoteDescriptor()
    {
    }

    public static int marksLength(final int ranks)
    {
        return LINE_LENGTH + BitUtil.align((ranks + Long.SIZE - 1) / Long.SIZE * Long.BYTES, LINE_LENGTH);
    }

    public static int marksOffset(final int ranks, final int local, final int kind)
    {
        return MARKS_OFFSET + (2 * local + kind) * marksLength(ranks);
    }

    public static long pairLineOffset(final int ranks, final int locals, final int local, final int rank)
    {
        return MARKS_OFFSET + 2L * locals * marksLength(ranks) + ((long)local * ranks + rank) * LINE_LENGTH;
    }

    public static long nodeOfRankOffset(final int ranks, final int locals, final int rank)
    {
        return pairLineOffset(ranks, locals, locals, 0) + (long)rank * Integer.BYTES;
    }

    public static long linkOffset(final int ranks, final int locals, final int node)
    {
        return nodeOfRankOffset(ranks, locals, 0) + BitUtil.align(ranks * Integer.BYTES, LINE_LENGTH) +
            (long)node * LinkDescriptor.LENGTH;
    }

    public static long fileLength(final int ranks, final int locals, final int nodes)
    {
        return linkOffset(ranks, locals, nodes);
    }

    /** Stands for the sender's epoch in the words of a pair: not 0 for epochs that are not, as a word of 0 is a closed pair. */
    public static int pairEpoch(final int senderEpoch, final int viewEpoch)
    {
        return shortEpoch(viewEpoch) << Short.SIZE | shortEpoch(senderEpoch);
    }

    /** 16 bits of an epoch: 0 for none, and from 1 to 65,535 in turn for the others. */
    private static int shortEpoch(final int epoch)
    {
        return epoch == 0 ? 0 : 1 + Integer.remainderUnsigned(epoch - 1, SHORT_MASK);
    }

    /** What is put into the upper half of a run's first word. */
    public static long destWord(final int dest, final int viewEpoch, final int senderEpoch)
    {
        return (long)(((senderEpoch & EPOCH_MASK) << EPOCH_BITS | viewEpoch & EPOCH_MASK) << RANK_BITS | dest) << Integer.SIZE;
    }

    /** What is stored when a message was taken from the ring: the count and the place together, so that none counts twice. */
    public static long sentWord(final int count, final long position)
    {
        return (long)count << Integer.SIZE | position & 0xFFFF_FFFFL;
    }

    /** The word after messages that did not come by the ring. */
    public static long moreSent(final long word, final int count)
    {
        return word + ((long)count << Integer.SIZE);
    }

    public static int sentCount(final long word)
    {
        return (int)(word >>> Integer.SIZE);
    }

    /**
     * Whether a run was counted by an agent that died before it could publish how far it had read.
     *
     * @param word     of the pair.
     * @param base     from where the ring is read again.
     * @param position of the run, not before it.
     */
    public static boolean isCounted(final long word, final long base, final long position)
    {
        return Integer.compareUnsigned((int)word - (int)base, (int)position - (int)base) >= 0 &&
            Integer.compareUnsigned((int)word - (int)base, RING_BOUND) < 0;
    }

    public static int dest(final long word)
    {
        return (int)(word >>> Integer.SIZE) & RANK_MASK;
    }

    public static boolean isOfView(final long word, final int viewEpoch)
    {
        return ((int)(word >>> Integer.SIZE + RANK_BITS) & EPOCH_MASK) == (viewEpoch & EPOCH_MASK);
    }

    public static boolean isOfSender(final long word, final int senderEpoch)
    {
        return (int)(word >>> Integer.SIZE + RANK_BITS + EPOCH_BITS) == (senderEpoch & EPOCH_MASK);
    }
}
