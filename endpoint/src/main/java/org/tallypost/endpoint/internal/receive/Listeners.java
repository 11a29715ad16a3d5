// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.endpoint.internal.send.PollingThread;

/**
 * Where the messages of a poll go: to its listener, or to that of a channel. Without channels a poll knows nothing of this. For
 * the polling thread, or any if nobody polls.
 */
final class Listeners
{
    private final PollingThread polling;
    private final Deliverer deliverer;
    private final LongMessages messages;
    private final GuardedErrorHandler errors;
    /** Of the high ring, which has the same channels; null if there are no priorities. */
    private final Listeners high;
    /** Null until a program asks for a channel or fragments. */
    private Channels channels;

    Listeners(
        final PollingThread polling,
        final Deliverer deliverer,
        final LongMessages messages,
        final GuardedErrorHandler errors,
        final Listeners high)
    {
        this.high = high;
        this.polling = polling;
        this.deliverer = deliverer;
        this.messages = messages;
        this.errors = errors;
    }

    /** The channels' own; it hands the rest to the listener of the poll ({@link #swapRest}). */
    MessageListener channels()
    {
        return channels;
    }

    boolean hasChannels()
    {
        return channels != null && !channels.isEmpty();
    }

    /**
     * Where goes what is for no channel.
     *
     * @return where it went before; null as long as there are no channels.
     */
    MessageListener swapRest(final MessageListener to)
    {
        return channels == null ? null : channels.swapRest(to);
    }

    /** Messages go by the channels, if there are any, or straight to the listener of the poll. */
    void deliverTo(final MessageListener to)
    {
        deliverer.listener(channels == null ? to : channels);
    }

    /** As {@link Inbox#openChannel}. */
    void open(final int id, final MessageListener listener, final FragmentListener runs)
    {
        prepare();
        final boolean isFirst = channels.isEmpty();
        channels.add(id, listener, runs);
        if (isFirst)
        {
            divert();
            if (high != null)
            {
                high.divert();
            }
        }
    }

    /** If a listener of a poll without channels has asked for the first one: what this poll still delivers goes by it. */
    private void divert()
    {
        final MessageListener current = deliverer.listener();
        if (current != null && current != channels)
        {
            channels.swapRest(current);
            deliverer.listener(channels);
        }
    }

    /**
     * Ends a channel.
     *
     * @return whether it was the last one.
     */
    boolean close(final int id)
    {
        polling.requireNoOther();
        channels.remove(id);
        return channels.isEmpty();
    }

    /** As {@link Inbox#leaveChannel}. */
    void leave(final int id)
    {
        polling.requireNoOther();
        channels.leave(id);
    }

    /** As {@link Inbox#onFragments}. */
    void fragments(final FragmentListener runs)
    {
        prepare();
        channels.fragments(runs);
    }

    private void prepare()
    {
        polling.requireNoOther();
        if (channels == null)
        {
            channels = new Channels(polling.rank());
            messages.splitBy(channels, new Fragments(errors));
            if (high != null)
            {
                // there are no messages of several runs
                high.channels = channels;
            }
        }
    }

    /** The endpoint is closed: if a listener has closed it, no further message is delivered by this poll. */
    void stop()
    {
        if (polling.isCurrent() && deliverer.listener() != null)
        {
            deliverer.stop();
            messages.stop();
        }
    }
}
