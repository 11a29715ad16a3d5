// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;

/**
 * Messages to one destination that are in hand at once: {@link Endpoint#offer(int, MessageBatch)} takes the credits of all
 * of them first and claims their slots together, which costs two locked instructions instead of two for each. Reusable,
 * allocation-free after construction, for one thread at a time. The buffers must not change until the batch is out.
 */
public final class MessageBatch
{
    /** So many messages have less than 2^31 slots, whatever their lengths. */
    static final int MAX_CAPACITY = 1 << 20;

    private static final int OFFSET_SHIFT = 32;

    private final DirectBuffer[] buffers;
    /** Offset and length of each message: one store, not two. */
    private final long[] ranges;
    private final int[] tags;
    /** Place of the first message; 0 but while {@link #offerSome} sends parts. */
    private int first;
    private int size;
    /** Slots of long messages beside the first of each. */
    private int furtherSlots;
    private int longest = 1;
    private boolean isShort = true;

    /**
     * An empty batch.
     *
     * @param capacity most messages, 1 to 1,048,576. What goes at once is at most 2,048 slots.
     * @throws IllegalArgumentException if it is less or more.
     */
    public MessageBatch(final int capacity)
    {
        if (capacity < 1 || capacity > MAX_CAPACITY)
        {
            throw new IllegalArgumentException(
                "capacity of a batch is out of range: found=" + capacity + ", expected=1 to " + MAX_CAPACITY);
        }
        buffers = new DirectBuffer[capacity];
        ranges = new long[capacity];
        tags = new int[capacity];
    }

    /**
     * Adds a message. One that is too long for a run is refused by an exception here, while {@link Endpoint#offer(int, int,
     * DirectBuffer, int, int)} returns {@link Endpoint#TOO_LONG}: a batch with it could never be sent, and its result would not
     * tell which message it was.
     *
     * @param tag    handed to the receiver.
     * @param buffer that holds the message.
     * @param offset of the message in bytes.
     * @param length of the message in bytes, 0 to {@link Endpoint#MAX_RUN_LENGTH}.
     * @return false if the batch is full: nothing was added.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     * @throws IllegalArgumentException if the message is longer than {@link Endpoint#MAX_RUN_LENGTH}.
     */
    public boolean add(final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        PayloadCopy.checkRange(buffer, offset, length);
        if (length > Endpoint.MAX_RUN_LENGTH)
        {
            throw new IllegalArgumentException("message is too long for a batch: found=" + length + " bytes, expected at most " +
                Endpoint.MAX_RUN_LENGTH + "; use newSend()");
        }
        if (size == buffers.length)
        {
            return false;
        }
        buffers[size] = buffer;
        ranges[size] = (long)offset << OFFSET_SHIFT | length;
        tags[size] = tag;
        size++;
        isShort &= PayloadCopy.isShort(length);
        if (length > PacketDescriptor.SLOT_LENGTH)
        {
            noteFurther(PacketDescriptor.slots(length));
        }
        return true;
    }

    private void noteFurther(final int slots)
    {
        furtherSlots += slots - 1;
        longest = Math.max(longest, slots);
    }

    /** Empties the batch, sent or not. */
    public void clear()
    {
        Arrays.fill(buffers, 0, size, null);
        size = 0;
        furtherSlots = 0;
        longest = 1;
        isShort = true;
    }

    /** Sends a part of the batch, as {@link Endpoint#offerSome} says. */
    long offerSome(final Endpoint endpoint, final int dest)
    {
        final int all = size;
        long result = Endpoint.NO_CREDIT;
        try
        {
            // fewer than all that is known to fit: a refused offer may spend credits to get others
            result = offerFirst(endpoint, dest, fitting(endpoint.sendTokens(dest, Priority.LOW)), all);
            // what credits an express lane has nobody but an offer tells; each bit of the number of messages is tried once
            for (int part = Integer.highestOneBit(all - first);
                part > 0 && (result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.TOO_LONG); part >>= 1)
            {
                if (part <= all - first)
                {
                    result = offerFirst(endpoint, dest, part, all);
                }
            }
            return first > 0 ? first : result;
        }
        finally
        {
            drop(all);
        }
    }

    /** Number of messages at the beginning that have so many slots; all of them if that is none. */
    private int fitting(final int slots)
    {
        int count = size;
        if (slots() > slots)
        {
            int left = slots;
            count = 0;
            while (count < size && PacketDescriptor.slots(length(count)) <= left)
            {
                left -= PacketDescriptor.slots(length(count));
                count++;
            }
        }
        return count == 0 ? size : count;
    }

    /** Offers the next messages as if the batch had no others. */
    private long offerFirst(final Endpoint endpoint, final int dest, final int count, final int all)
    {
        show(count);
        final long result = endpoint.offer(dest, this);
        if (result >= 0)
        {
            first += count;
        }
        return result;
    }

    /** Takes out what was sent. */
    private void drop(final int all)
    {
        final int sent = first;
        final int left = all - sent;
        first = 0;
        if (sent > 0)
        {
            System.arraycopy(buffers, sent, buffers, 0, left);
            System.arraycopy(ranges, sent, ranges, 0, left);
            System.arraycopy(tags, sent, tags, 0, left);
            Arrays.fill(buffers, left, all, null);
        }
        show(left);
    }

    /** From now on the batch has so many messages. */
    private void show(final int count)
    {
        size = count;
        furtherSlots = 0;
        longest = 1;
        isShort = true;
        for (int i = 0; i < count; i++)
        {
            final int length = length(i);
            isShort &= PayloadCopy.isShort(length);
            if (length > PacketDescriptor.SLOT_LENGTH)
            {
                noteFurther(PacketDescriptor.slots(length));
            }
        }
    }

    /**
     * Number of messages.
     *
     * @return at most the capacity.
     */
    public int size()
    {
        return size;
    }

    /**
     * Slots of the mailbox that the messages take together.
     *
     * @return number of slots.
     */
    public int slots()
    {
        return size + furtherSlots;
    }

    /**
     * Slots of the longest message.
     *
     * @return at least 1.
     */
    public int longest()
    {
        return longest;
    }

    /**
     * Whether all messages are short: of those that are copied word by word.
     *
     * @return true if so.
     */
    public boolean isShort()
    {
        return isShort;
    }

    /**
     * Bytes of all messages.
     *
     * @return their sum.
     */
    public long bytes()
    {
        long bytes = 0;
        for (int i = 0; i < size; i++)
        {
            bytes += length(i);
        }
        return bytes;
    }

    /**
     * The buffer that holds a message.
     *
     * @param index of the message, from 0.
     * @return the buffer.
     */
    public DirectBuffer buffer(final int index)
    {
        return buffers[first + index];
    }

    /**
     * Where a message begins in its buffer.
     *
     * @param index of the message, from 0.
     * @return the offset in bytes.
     */
    public int offset(final int index)
    {
        return (int)(ranges[first + index] >>> OFFSET_SHIFT);
    }

    /**
     * Length of a message.
     *
     * @param index of the message, from 0.
     * @return the length in bytes.
     */
    public int length(final int index)
    {
        return (int)ranges[first + index];
    }

    /**
     * Tag of a message.
     *
     * @param index of the message, from 0.
     * @return the tag.
     */
    public int tag(final int index)
    {
        return tags[first + index];
    }
}
