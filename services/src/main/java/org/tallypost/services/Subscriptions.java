// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;

/** The subscriptions of a rank. Listeners may add and close some at any time. One thread. */
final class Subscriptions
{
    private final TopicsContext context;
    private final PublisherLink link;
    private final ServicesCounters counters;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private long last = ThreadLocalRandom.current().nextLong();
    private boolean isWorking;
    private boolean isClosed;

    Subscriptions(
        final TopicsContext context, final Outbox outbox, final Directory directory, final Announcements announcements,
        final ServicesCounters counters)
    {
        this.context = context;
        link = new PublisherLink(context, outbox, directory, announcements);
        this.counters = counters;
    }

    Subscription add(final String name, final TopicListener listener)
    {
        Directory.check(name);
        for (int i = 0; i < subscriptions.size(); i++)
        {
            if (subscriptions.get(i).name().equals(name) && !subscriptions.get(i).isOver())
            {
                throw new IllegalStateException("a rank subscribes to a topic once: '" + name +
                    "'; close the subscription first");
            }
        }
        final Subscription subscription =
            new Subscription(name, ++last, listener, link, counters, context.errorHandler());
        subscriptions.add(subscription);
        return subscription;
    }

    /** A publisher says something to a subscription; one that is over gets it no more. */
    void onMessage(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        final long id = buffer.getLong(offset + TopicMessages.SUBSCRIPTION_OFFSET, LITTLE_ENDIAN);
        for (int i = 0; i < subscriptions.size(); i++)
        {
            if (subscriptions.get(i).id() == id)
            {
                subscriptions.get(i).onMessage(source, kind, buffer, offset, length);
                return;
            }
        }
    }

    void onGone(final int rank)
    {
        link.onGone(rank);
        for (int i = 0; i < subscriptions.size(); i++)
        {
            subscriptions.get(i).onGone(rank);
        }
    }

    int work()
    {
        if (isWorking)
        {
            // it would deliver the same message again, and again
            throw new IllegalStateException("doWork was called by a listener of a topic: let the listener return first");
        }
        isWorking = true;
        try
        {
            return workAll();
        }
        finally
        {
            isWorking = false;
        }
    }

    private int workAll()
    {
        int work = link.work();
        for (int i = subscriptions.size() - 1; i >= 0 && !isClosed; i--)
        {
            final Subscription subscription = subscriptions.get(i);
            work += subscription.work(context.pollLimit());
            if (subscription.isOver())
            {
                subscriptions.remove(subscription);
            }
        }
        return work;
    }

    /** The thread may park now: publishers of this node wake it by a message. Returns how many have news already. */
    int sleep()
    {
        int news = 0;
        for (int i = 0; i < subscriptions.size(); i++)
        {
            news += subscriptions.get(i).sleep() ? 1 : 0;
        }
        return news;
    }

    /** Whether a publisher is to be told that a subscription is over. */
    boolean hasUnsent()
    {
        return link.hasUnsent();
    }

    void close()
    {
        isClosed = true;
        for (int i = 0; i < subscriptions.size(); i++)
        {
            subscriptions.get(i).close();
        }
    }

    @Override
    public String toString()
    {
        return subscriptions.toString();
    }
}
