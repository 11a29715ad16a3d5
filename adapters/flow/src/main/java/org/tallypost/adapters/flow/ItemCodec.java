// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Turns items of a stream into messages and back. Both ends of a stream use the same one.
 *
 * @param <T> of the items.
 */
public interface ItemCodec<T>
{
    /** Items that are arrays of bytes. */
    ItemCodec<byte[]> BYTES = new ItemCodec<>()
    {
        @Override
        public int encode(final byte[] item, final MutableDirectBuffer buffer)
        {
            buffer.putBytes(0, item);
            return item.length;
        }

        @Override
        public byte[] decode(final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] item = new byte[length];
            buffer.getBytes(offset, item);
            return item;
        }
    };

    /**
     * Writes an item. Called by the thread that runs the {@link MessageSubscriber}. What it throws ends the stream.
     *
     * @param item   of the stream.
     * @param buffer to write into, from index 0; it grows.
     * @return length of the message in bytes, at most {@link org.tallypost.endpoint.Endpoint#MAX_MESSAGE_LENGTH}.
     */
    int encode(T item, MutableDirectBuffer buffer);

    /**
     * Reads an item. Called by the thread that runs the {@link MessagePublisher}. What it throws ends the stream.
     *
     * @param buffer that holds the message; valid until this returns.
     * @param offset of the message in bytes.
     * @param length of the message in bytes, whatever the sender has made it.
     * @return the item, not null.
     */
    T decode(DirectBuffer buffer, int offset, int length);
}
