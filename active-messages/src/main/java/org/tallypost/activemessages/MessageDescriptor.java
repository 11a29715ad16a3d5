// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;

/**
 * Bytes of an active message, little-endian.
 *
 * <pre>
 *   tag of the channel         kind * 256 + number of the handler
 *
 *   short: requests, answers of all kinds but blocks, 32 bytes
 *     0   4   8  12  16  20  24      32
 *     +---+---+---+---+---+---+-------+
 *     |id | a | b | c | d | e | time  |
 *     +---+---+---+---+---+---+-------+
 *
 *   long: requests and answers with a block       store: bytes for a segment
 *     0   4   8  12  16      24                     0   4       8       16      24
 *     +---+---+---+---+-------+-- - -               +---+-------+-------+-------+-- - -
 *     |id | a | b |   | time  | block               |id |segment|  at   | time  | block
 *     +---+---+---+---+-------+-- - -               +---+-------+-------+-------+-- - -
 *
 *   id      slot of the sender's window (6 bits), and how often that was used (26 bits above)
 *   time    when the message was on the wire, in nanoseconds of the host's clock, if LogGP knobs are on; else 0
 *   a       of REFUSED: place of the reason in RequestFailure
 * </pre>
 */
final class MessageDescriptor
{
    static final int REQUEST = 0;
    static final int REPLY = 1;
    /** An answer without words: no handler runs. */
    static final int EMPTY = 2;
    /** The request was not carried out. */
    static final int REFUSED = 3;
    static final int LONG_REQUEST = 4;
    static final int LONG_REPLY = 5;
    static final int STORE = 6;
    static final int KINDS = 7;

    static final int HANDLERS = 256;
    /** Most requests that may be without answer at one receiver. */
    static final int MAX_WINDOW = 64;

    static final int ID_OFFSET = 0;
    static final int A_OFFSET = ID_OFFSET + Integer.BYTES;
    static final int B_OFFSET = A_OFFSET + Integer.BYTES;
    static final int C_OFFSET = B_OFFSET + Integer.BYTES;
    static final int D_OFFSET = C_OFFSET + Integer.BYTES;
    static final int E_OFFSET = D_OFFSET + Integer.BYTES;
    static final int TIME_OFFSET = E_OFFSET + Integer.BYTES;
    static final int SHORT_LENGTH = TIME_OFFSET + Long.BYTES;

    static final int SEGMENT_OFFSET = A_OFFSET;
    static final int PLACE_OFFSET = SEGMENT_OFFSET + Integer.BYTES;
    static final int LONG_TIME_OFFSET = PLACE_OFFSET + Long.BYTES;
    static final int BLOCK_OFFSET = LONG_TIME_OFFSET + Long.BYTES;
    static final int MAX_BLOCK_LENGTH = 4_096;
    static final int MAX_LENGTH = BLOCK_OFFSET + MAX_BLOCK_LENGTH;

    private static final int SLOT_MASK = MAX_WINDOW - 1;
    private static final int HANDLER_MASK = HANDLERS - 1;

    private MessageDescriptor()
    {
    }

    static int tag(final int channel, final int kind, final int handler)
    {
        return Channel.tag(channel, kind * HANDLERS + handler);
    }

    static int kind(final int tag)
    {
        return tag / HANDLERS;
    }

    static int handler(final int tag)
    {
        return tag & HANDLER_MASK;
    }

    /** A word of four bytes. */
    static int word(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index, LITTLE_ENDIAN);
    }

    static int slot(final int id)
    {
        return id & SLOT_MASK;
    }

    /** The next id of the same slot. */
    static int next(final int id)
    {
        return id + MAX_WINDOW;
    }

    static boolean isShort(final int kind)
    {
        return kind < LONG_REQUEST;
    }

    /** Whether it answers a request. */
    static boolean isAnswer(final int kind)
    {
        return kind == REPLY || kind == EMPTY || kind == REFUSED || kind == LONG_REPLY;
    }

    /** Whether a message of this kind may be so long. */
    static boolean isLength(final int kind, final int length)
    {
        return kind < KINDS && (isShort(kind) ? length == SHORT_LENGTH : length >= BLOCK_OFFSET && length <= MAX_LENGTH);
    }
}
