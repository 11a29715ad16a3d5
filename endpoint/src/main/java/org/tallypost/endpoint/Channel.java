// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * The messages of one layer of a program on an endpoint that several layers share. The top 8 bits of a tag are the number of its
 * channel; the other 24 bits are the layer's own. Both ends use the same number for the same layer.
 *
 * <pre>
 *   try (Channel barrier = endpoint.channel(7, (source, tag, buffer, offset, length) -&gt; arrived++))
 *   {
 *       endpoint.offer(dest, barrier.tag(round), buffer, 0, 0);
 *       endpoint.poll(others, 10);
 *   }
 * </pre>
 *
 * <p>Opened by {@link Endpoint#channel(int, MessageListener)}. For the thread that polls the endpoint; {@link #tag(int)} and
 * {@link #id()} for any thread.
 */
public interface Channel extends AutoCloseable
{
    /** Highest number of a channel. The lowest one is 1: what has the number 0 goes to the listener of the poll. */
    int MAX_ID = 255;
    /** Highest tag within a channel, 2 to the power of 24, less 1. The lowest one is 0. */
    int MAX_TAG = 0xFF_FFFF;
    /** Bits of a tag below those with the channel. */
    int TAG_BITS = 24;

    /**
     * The number of this channel.
     *
     * @return from 1 to {@link #MAX_ID}.
     */
    int id();

    /**
     * The tag to send with, for a receiver with the same channel.
     *
     * @param tag that the receiver's listener is to get, from 0 to {@link #MAX_TAG}.
     * @return the tag, with the number of this channel.
     * @throws IllegalArgumentException if it is outside that range.
     */
    default int tag(final int tag)
    {
        return tag(id(), tag);
    }

    /**
     * Ends the channel: its messages go to the listener of the poll again, with their whole tags. A message of several
     * runs that has begun to come still goes to the channel's {@link FragmentListener}. Idempotent.
     *
     * @throws IllegalStateException if another thread polls the endpoint.
     */
    @Override
    void close();

    /**
     * Ends the channel for its holder: its listeners stay until a channel with its number is opened. For a layer that is
     * closed while the endpoint goes on, and that has still to answer others. After this, {@link #close} changes nothing.
     *
     * @throws IllegalStateException if the channel has ended, or another thread polls the endpoint.
     */
    void leave();

    /**
     * A tag for a receiver that has a channel.
     *
     * @param id  of the channel, from 0 to {@link #MAX_ID}; 0 for none.
     * @param tag that the receiver's listener is to get, from 0 to {@link #MAX_TAG}.
     * @return the tag.
     * @throws IllegalArgumentException if one of them is outside its range.
     */
    static int tag(final int id, final int tag)
    {
        if (id < 0 || id > MAX_ID || tag < 0 || tag > MAX_TAG)
        {
            throw new IllegalArgumentException("no such tag of a channel: id=" + id + ", tag=" + tag +
                ", expected=0 to " + MAX_ID + ", and 0 to " + MAX_TAG);
        }
        return id << TAG_BITS | tag;
    }
}
