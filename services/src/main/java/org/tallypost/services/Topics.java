// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.TakenChannelException;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * Topics: a rank publishes messages under a name, and any number of other ranks read them, each at its own pace.
 *
 * <p>A message is written once in a node, whatever the number of its subscribers there. What becomes of a slow
 * subscriber is the topic's to say: {@link WhenSlow}. The calls of this class, of its publications and subscriptions are for
 * one thread, the one that polls the endpoint.
 */
public final class Topics implements Agent, AutoCloseable
{
    private final TopicsContext context;
    private final Endpoint endpoint;
    private final ServicesCounters counters = new ServicesCounters();
    private final Outbox outbox;
    private final Directory directory;
    private final Announcements announcements;
    private final Publications publications;
    private final Subscriptions subscriptions;
    private final MessageListener others;
    private final Channel channel;
    private int idleTurns;
    private boolean isClosed;

    private Topics(final TopicsContext context)
    {
        this.context = context;
        endpoint = context.endpoint();
        final int ranks = context.rankCount();
        outbox = new Outbox(endpoint, context.channel(), ranks, context.maxStored(), counters);
        directory = new Directory(ranks, counters);
        announcements =
            new Announcements(outbox, endpoint.rank(), ranks, directory, counters, context.errorHandler(), this::forget);
        publications = new Publications(context, outbox, directory, announcements, counters);
        subscriptions = new Subscriptions(context, outbox, directory, announcements, counters);
        others = context.otherMessages() != null ? context.otherMessages() :
            (source, tag, buffer, offset, length) -> counters.add(Counter.REFUSED);
        channel = TakenChannelException.named("TopicsContext.channel",
            () -> endpoint.channel(context.channel(), this::onMessage));
        endpoint.addMembershipListener(announcements);
    }

    /**
     * Takes a channel of an endpoint for topics.
     *
     * @param context with at least a node and an endpoint.
     * @return the topics of this rank.
     * @throws IllegalArgumentException if a setting is missing or out of range.
     * @throws IllegalStateException    if the channel is taken, or another thread polls the endpoint.
     */
    public static Topics launch(final TopicsContext context)
    {
        context.conclude();
        return new Topics(context);
    }

    /** The topics of a rank are over. */
    private void forget(final int rank)
    {
        outbox.drop(rank);
        directory.forget(rank);
        publications.onGone(rank);
        subscriptions.onGone(rank);
    }

    private void onMessage(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source >= context.rankCount() || length < TopicMessages.leastLength(kind))
        {
            counters.add(Counter.REFUSED);
            return;
        }
        switch (kind)
        {
            case MessageDescriptor.BEGIN:
            case MessageDescriptor.ANNOUNCE:
            case MessageDescriptor.WITHDRAW:
                announcements.onMessage(source, kind, buffer, offset, length);
                break;
            case TopicMessages.SUBSCRIBE:
            case TopicMessages.UNSUBSCRIBE:
                publications.onSubscriber(source, kind, buffer, offset);
                break;
            case TopicMessages.READ:
                publications.onRead(source, buffer, offset);
                break;
            case TopicMessages.NEWS:
                break;
            default:
                subscriptions.onMessage(source, kind, buffer, offset, length);
                break;
        }
    }

    /**
     * Publishes a topic from now on.
     *
     * @param name        of the topic, 1 to 100 characters of ASCII without blanks.
     * @param publication how it is published.
     * @return the publication.
     * @throws IllegalArgumentException if there can be no such name, or a setting is out of range.
     * @throws IllegalStateException    if a rank is known to publish it, this rank has 64 publications, or this is closed.
     * @throws org.tallypost.mailbox.files.MailboxException if there is no room for the log.
     */
    public Publication publish(final String name, final PublicationContext publication)
    {
        checkOpen();
        return publications.add(name, publication);
    }

    /**
     * Subscribes to a topic, now or as soon as a rank publishes it.
     *
     * @param name     of the topic.
     * @param listener that hears it.
     * @return the subscription.
     * @throws IllegalArgumentException if there can be no such name.
     * @throws IllegalStateException    if this rank is subscribed to it, or this is closed.
     */
    public Subscription subscribe(final String name, final TopicListener listener)
    {
        checkOpen();
        return subscriptions.add(name, listener);
    }

    private void checkOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("the topics are closed: " + endpoint);
        }
    }

    /**
     * Polls the endpoint, reads logs, calls listeners, and sends what is due.
     *
     * @return amount of work that was done.
     * @throws AgentTerminationException if this or the endpoint is closed.
     * @throws IllegalStateException     if a listener calls this.
     */
    @Override
    public int doWork()
    {
        final int polled = isClosed ? (int)Endpoint.CLOSED : endpoint.poll(others, context.pollLimit());
        if (polled == Endpoint.CLOSED)
        {
            close();
            throw new AgentTerminationException("the topics are closed: " + endpoint);
        }
        if (isClosed)
        {
            return polled;
        }
        final int work = polled + announcements.work() + outbox.work() + publications.work() + subscriptions.work();
        idleTurns = work > 0 ? 0 : idleTurns + 1;
        return idleTurns != 0 && idleTurns == context.sleepAfter() ? subscriptions.sleep() : work;
    }

    /**
     * Whether something waits here: for credits, or for subscribers of closed publications that have not got everything.
     *
     * @return true if so.
     */
    public boolean hasStored()
    {
        return !outbox.isEmpty() || subscriptions.hasUnsent() || publications.hasClosing();
    }

    /**
     * What was counted.
     *
     * @return the counters. Any thread may read them.
     */
    public ServicesCounters counters()
    {
        return counters;
    }

    /**
     * Ends the channel, all publications and all subscriptions; the endpoint stays open. Subscribers of publications that were
     * not closed before are told {@link TopicEnd#PUBLISHER_GONE}, if that can be sent now. Idempotent.
     */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        subscriptions.close();
        publications.close();
        outbox.close();
        endpoint.removeMembershipListener(announcements);
        if (!endpoint.isClosed())
        {
            channel.close();
        }
    }

    @Override
    public String roleName()
    {
        return "topics of " + endpoint.rank();
    }

    @Override
    public String toString()
    {
        return "Topics{rank=" + endpoint.rank() + ", subscriptions=" + subscriptions + ", closed=" + isClosed + '}';
    }
}
