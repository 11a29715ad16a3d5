// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.TakenChannelException;

/**
 * The listeners of an endpoint's channels: the one to which a message goes is found by the top bits of its tag. What is for none
 * of them goes to the listener of the poll, with its whole tag. For the polling thread.
 */
final class Channels implements MessageListener
{
    /** By the number of the channel. The first one is always null. */
    private final MessageListener[] listeners = new MessageListener[Channel.MAX_ID + 1];
    /** The first one is for what goes to the listener of the poll. */
    private final FragmentListener[] fragments = new FragmentListener[Channel.MAX_ID + 1];
    /** Channels that go on until they are opened again. */
    private final BitSet left = new BitSet(Channel.MAX_ID + 1);
    private final int rank;
    /** Listener of the poll. */
    private MessageListener rest;
    private int count;

    Channels(final int rank)
    {
        this.rank = rank;
    }

    /** The listener of a poll; the one before. */
    MessageListener swapRest(final MessageListener to)
    {
        final MessageListener before = rest;
        rest = to;
        return before;
    }

    void add(final int id, final MessageListener listener, final FragmentListener runs)
    {
        if (id < 1 || id > Channel.MAX_ID)
        {
            throw new IllegalArgumentException("no such channel: found=" + id + ", expected=1 to " + Channel.MAX_ID);
        }
        if (listener == null)
        {
            throw new IllegalArgumentException("a channel needs a listener: id=" + id);
        }
        if (listeners[id] != null && !left.get(id))
        {
            throw new TakenChannelException(rank, id);
        }
        count += listeners[id] == null ? 1 : 0;
        left.clear(id);
        listeners[id] = listener;
        fragments[id] = runs;
    }

    void leave(final int id)
    {
        left.set(id);
    }

    void remove(final int id)
    {
        listeners[id] = null;
        fragments[id] = null;
        count--;
    }

    /** Whether there is no channel. */
    boolean isEmpty()
    {
        return count == 0;
    }

    /** For what goes to the listener of the poll. */
    void fragments(final FragmentListener runs)
    {
        fragments[0] = runs;
    }

    /** Whether a message goes to a channel. */
    boolean isOwn(final int tag)
    {
        return listeners[tag >>> Channel.TAG_BITS] != null;
    }

    /** Where a message of several runs goes; null if it is put together. */
    FragmentListener fragmentsOf(final int tag)
    {
        return fragments[isOwn(tag) ? tag >>> Channel.TAG_BITS : 0];
    }

    /** The tag that the listener of a message gets. */
    int shownTag(final int tag)
    {
        return isOwn(tag) ? tag & Channel.MAX_TAG : tag;
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final MessageListener listener = listeners[tag >>> Channel.TAG_BITS];
        if (listener == null)
        {
            rest.onMessage(source, tag, buffer, offset, length);
        }
        else
        {
            listener.onMessage(source, tag & Channel.MAX_TAG, buffer, offset, length);
        }
    }
}
