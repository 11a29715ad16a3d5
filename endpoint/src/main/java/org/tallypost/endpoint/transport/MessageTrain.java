// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Short messages of one pair, with the same tag and length, that come right behind one another: where in a batch the next one
 * goes, and for how many there is room. The thread that carries packets writes them there itself, and the transport counts them
 * when the train ends, all at once; so what is the same for all of them is looked at once. For that thread.
 *
 * <pre>
 *   batch    ... | header | message | message | message |   room for more   |
 *                                                       ^ at
 *   begin        the transport has taken a message, and another one like it would need no header of its own
 *   put          a copy, and two counts
 *   end          before anything else goes into the batch, or out, the header says how many there are
 * </pre>
 */
public final class MessageTrain
{
    /** Longest message of a train in bytes: a call of the copying routine is worth it for longer ones. */
    static final int MAX_LENGTH = 64;
    /** What most trains are of gets stores without a loop: the longest message that takes one slot. */
    private static final int ONE_SLOT_LENGTH = 48;

    private int source;
    private long word;
    private int length = -1;
    private byte[] bytes;
    private long at;
    private int room;
    private int count;

    /** A train without messages. */
    public MessageTrain()
    {
    }

    /**
     * Whether messages of a length may form trains: they lie one behind the other without padding, and are short.
     *
     * @param length of a message in bytes.
     * @return true if so.
     */
    public static boolean isFor(final int length)
    {
        return length > 0 && length <= MAX_LENGTH && (length & Long.BYTES - 1) == 0;
    }

    /**
     * Says what its messages have in common.
     *
     * @param fromSource rank of the sender.
     * @param withWord   first word of each.
     * @param ofLength   of each, in bytes.
     */
    public void of(final int fromSource, final long withWord, final int ofLength)
    {
        source = fromSource;
        word = withWord;
        length = ofLength;
    }

    /**
     * Length of its messages. For the transport.
     *
     * @return in bytes, a multiple of 8.
     */
    public int length()
    {
        return length;
    }

    /**
     * Tells where the next message goes. For the transport.
     *
     * @param to      that holds the batch.
     * @param address of the next message there, as {@link UnsafeApi} wants it: with the offset of an array's first byte.
     * @param most    number of messages that there is room for, one right behind the other.
     */
    public void begin(final byte[] to, final long address, final int most)
    {
        bytes = to;
        at = address;
        room = most;
    }

    /**
     * Whether a message is like the others, and there is room for it.
     *
     * @param fromSource rank of the sender.
     * @param withWord   first word of the message.
     * @param ofLength   of the message, in bytes.
     * @return true if so.
     */
    public boolean takes(final int fromSource, final long withWord, final int ofLength)
    {
        return room > 0 && source == fromSource && word == withWord && length == ofLength;
    }

    /**
     * Adds a message that it {@link #takes}. What the program's buffer throws leaves nothing behind.
     *
     * @param from   that holds the message.
     * @param offset of the message in bytes.
     */
    public void put(final DirectBuffer from, final int offset)
    {
        final byte[] array = from.byteArray();
        final long begin = from.addressOffset() + offset;
        if (length == ONE_SLOT_LENGTH)
        {
            copy(array, begin, ONE_SLOT_LENGTH);
        }
        else
        {
            copy(array, begin, length);
        }
        at += length;
        room--;
        count++;
    }

    private void copy(final byte[] array, final long begin, final int bytesCount)
    {
        for (int i = 0; i < bytesCount; i += Long.BYTES)
        {
            UnsafeApi.putLong(bytes, at + i, UnsafeApi.getLong(array, begin + i));
        }
    }

    /**
     * Number of messages that were put since it began.
     *
     * @return their number.
     */
    public int count()
    {
        return count;
    }

    /**
     * Ends it.
     *
     * @return number of messages that were put since it began.
     */
    public int end()
    {
        final int put = count;
        count = 0;
        room = 0;
        return put;
    }
}
