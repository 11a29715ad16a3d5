// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.BitUtil;

/**
 * Layout of the contents of a shared file that holds the log of a publication, little-endian.
 *
 * <pre>
 *  offset         length   field
 *  ---------------------------------------------------------------------------------------------------
 *       0              8   layout version
 *       8              8   number of the publication, drawn by chance, written last
 *      16              4   length of the log L, bytes, a power of two
 *      20              4   ranks R that have a line for their position
 *      24              4   place of the rule in WhenSlow
 *      28              4   1 if the publisher may write over what a subscriber reads
 *      32             96   unused, zero
 *     128              8   intent: end of what the publisher is writing
 *     136            120   unused, zero
 *     256              8   tail: end of what is written
 *     264            120   unused, zero
 *     384              4   1 if a subscriber is about to sleep
 *     388            124   unused, zero
 *     512                  R lines of 128 bytes, one for each rank
 *     512 + 128 R          the log, L bytes
 *
 *  the line of a rank
 *       0              8   position that its subscriber has read up to
 *       8              4   1 if it is about to sleep
 *      12            116   unused, zero
 * </pre>
 *
 * Positions count bytes since the begin and never go back; byte p lies at p mod L. A record is 16 bytes of head and the message,
 * up to a multiple of 16, and never crosses the middle nor the end of the log: padding fills the rest before it.
 *
 * <pre>
 *   record      0 length of the message, or of the padding with its head, below zero   4 unused   8 number of the message
 * </pre>
 */
final class TopicLogDescriptor
{
    static final long VERSION = 1;
    static final int VERSION_OFFSET = 0;
    static final int PUBLICATION_OFFSET = 8;
    static final int LENGTH_OFFSET = 16;
    static final int RANKS_OFFSET = 20;
    static final int RULE_OFFSET = 24;
    static final int OVERRUN_OFFSET = 28;
    static final int INTENT_OFFSET = 128;
    static final int TAIL_OFFSET = 256;
    static final int ASLEEP_OFFSET = 384;
    static final int LINES_OFFSET = 512;
    static final int LINE_LENGTH = 128;
    static final int LINE_ASLEEP_OFFSET = 8;

    static final int RECORD_ALIGNMENT = 16;
    static final int HEAD_LENGTH = 16;
    static final int SEQUENCE_OFFSET = 8;

    static final int LEAST_LENGTH = 4_096;
    static final int MOST_LENGTH = 1 << 30;

    private TopicLogDescriptor()
    {
    }

    static int lineOffset(final int rank)
    {
        return LINES_OFFSET + rank * LINE_LENGTH;
    }

    static int logOffset(final int ranks)
    {
        return lineOffset(ranks);
    }

    static int recordLength(final int length)
    {
        return BitUtil.align(length + HEAD_LENGTH, RECORD_ALIGNMENT);
    }

    /** Longest message: a quarter of the log with its head. */
    static int maxMessageLength(final int logLength)
    {
        return logLength / 4 - HEAD_LENGTH;
    }
}
