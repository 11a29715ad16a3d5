// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Messages to one destination that are in hand at once: {@link Endpoint#offer(int, MessageBatch)} takes the credits of all
 * of them first and claims their slots together, which costs two locked instructions instead of two for each. Reusable,
 * allocation-free after construction, for one thread at a time. The buffers must not change until the batch is out.
 */
public final class MessageBatch
{
    private final DirectBuffer[] buffers;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] tags;
    private int size;
    private int slots;
    private int longest;
    private long bytes;

    /**
     * An empty batch.
     *
     * @param capacity most messages, at least 1.
     * @throws IllegalArgumentException if it is less.
     */
    public MessageBatch(final int capacity)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("capacity of a batch: found=" + capacity + ", expected at least 1");
        }
        buffers = new DirectBuffer[capacity];
        offsets = new int[capacity];
        lengths = new int[capacity];
        tags = new int[capacity];
    }

    /**
     * Adds a message.
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
        Outbox.checkRange(buffer, offset, length);
        if (length > Endpoint.MAX_RUN_LENGTH)
        {
            throw new IllegalArgumentException("message is too long for a batch: length=" + length + ", expected at most " +
                Endpoint.MAX_RUN_LENGTH + "; use a Send");
        }
        if (size == buffers.length)
        {
            return false;
        }
        buffers[size] = buffer;
        offsets[size] = offset;
        lengths[size] = length;
        tags[size] = tag;
        size++;
        bytes += length;
        final int run = PacketDescriptor.slots(length);
        slots += run;
        longest = Math.max(longest, run);
        return true;
    }

    /** Empties the batch, sent or not. */
    public void clear()
    {
        Arrays.fill(buffers, 0, size, null);
        size = 0;
        slots = 0;
        longest = 0;
        bytes = 0;
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
        return slots;
    }

    /** Slots of the longest message. */
    int longest()
    {
        return longest;
    }

    /** Bytes of all messages. */
    long bytes()
    {
        return bytes;
    }

    DirectBuffer buffer(final int index)
    {
        return buffers[index];
    }

    int offset(final int index)
    {
        return offsets[index];
    }

    int length(final int index)
    {
        return lengths[index];
    }

    int tag(final int index)
    {
        return tags[index];
    }
}
