// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;

/** What subscriptions ask of publishers. One thread. */
final class PublisherLink
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    /** The end of a subscription that its publisher does not know. */
    private static final class Ended
    {
        final int rank;
        final int number;
        final long subscription;

        Ended(final int rank, final int number, final long subscription)
        {
            this.rank = rank;
            this.number = number;
            this.subscription = subscription;
        }
    }

    private final Node node;
    private final Endpoint endpoint;
    private final int ranks;
    private final Outbox outbox;
    private final Directory directory;
    private final Announcements announcements;
    private final ArrayDeque<Ended> unsent = new ArrayDeque<>();
    private final UnsafeBuffer readMessage = new UnsafeBuffer(new byte[TopicMessages.MEMBER_LENGTH]);
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[TopicMessages.HEAD_LENGTH]);

    PublisherLink(final TopicsContext context, final Outbox outbox, final Directory directory, final Announcements announcements)
    {
        node = context.node();
        endpoint = context.endpoint();
        ranks = context.rankCount();
        this.outbox = outbox;
        this.directory = directory;
        this.announcements = announcements;
    }

    int rank()
    {
        return endpoint.rank();
    }

    boolean isLocal(final int rank)
    {
        return endpoint.isSameNode(rank);
    }

    Directory.Entry find(final String name)
    {
        return directory.find(name);
    }

    boolean subscribe(final String name, final Directory.Entry entry, final long subscription)
    {
        return announcements.meet(entry.rank) &&
            send(entry.rank, TopicMessages.SUBSCRIBE, entry.number, name.hashCode(), subscription);
    }

    /** Kept until it can go: a publisher must not wait for a rank that reads no more. */
    void unsubscribe(final int rank, final int number, final long subscription)
    {
        if (!tryUnsubscribe(rank, number, subscription))
        {
            unsent.add(new Ended(rank, number, subscription));
        }
    }

    private boolean tryUnsubscribe(final int rank, final int number, final long subscription)
    {
        return send(rank, TopicMessages.UNSUBSCRIBE, number, 0, subscription);
    }

    /** Sends what could not go before. Returns how much went. */
    int work()
    {
        int sent = 0;
        while (!unsent.isEmpty() && tryUnsubscribe(unsent.peek().rank, unsent.peek().number, unsent.peek().subscription))
        {
            unsent.remove();
            sent++;
        }
        return sent;
    }

    /** A rank is gone: it waits for nothing. */
    void onGone(final int rank)
    {
        unsent.removeIf((one) -> one.rank == rank);
    }

    boolean hasUnsent()
    {
        return !unsent.isEmpty();
    }

    private boolean send(final int rank, final int kind, final int number, final int nameHash, final long subscription)
    {
        head.putInt(TopicMessages.NAME_HASH_OFFSET, nameHash, LITTLE_ENDIAN);
        head.putInt(TopicMessages.NUMBER_OFFSET, number, LITTLE_ENDIAN);
        head.putLong(TopicMessages.SUBSCRIPTION_OFFSET, subscription, LITTLE_ENDIAN);
        final long result = outbox.send(rank, kind, head, TopicMessages.HEAD_LENGTH, NOTHING, 0, 0, false);
        return result >= 0 || kind == TopicMessages.UNSUBSCRIBE && (result == Endpoint.PEER_GONE || result == Endpoint.CLOSED);
    }

    boolean isRank(final int rank)
    {
        return rank >= 0 && rank < ranks;
    }

    /** The log of a publisher of this node, or of a relay; null if it has gone, or is not there yet. */
    TopicLog tryAttach(final int publisher, final int number, final LogPlace at)
    {
        return at.logRank == publisher ?
            TopicLog.tryAttach(node, publisher, number, ranks, at.length, at.publication) :
            TopicLog.tryAttachRelayed(node, publisher, number, at.logRank, ranks, at.length, at.publication);
    }

    /** The log of this rank for what a publisher of another node publishes. */
    TopicLog createRelayed(final int publisher, final int number, final LogPlace at)
    {
        return TopicLog.createRelayed(node, publisher, number, rank(), ranks, at);
    }

    /** Tells a publisher of another node how far all of this node have read. */
    boolean read(final int publisher, final int number, final long subscription, final long position, final int slowest)
    {
        return read(publisher, number, subscription, position, slowest, false) >= 0;
    }

    /** Tells a publisher that this rank has no room for a log. Kept until it can go. */
    void noRoom(final int publisher, final int number, final long subscription)
    {
        read(publisher, number, subscription, SubscriberLink.NO_LOG, rank(), true);
    }

    private long read(
        final int publisher, final int number, final long subscription, final long position, final int slowest,
        final boolean isToBeKept)
    {
        readMessage.putInt(TopicMessages.NUMBER_OFFSET, number, LITTLE_ENDIAN);
        readMessage.putInt(TopicMessages.RANK_OFFSET, slowest, LITTLE_ENDIAN);
        readMessage.putLong(TopicMessages.SUBSCRIPTION_OFFSET, subscription, LITTLE_ENDIAN);
        readMessage.putLong(TopicMessages.POSITION_OFFSET, position, LITTLE_ENDIAN);
        return outbox.send(
            publisher, TopicMessages.READ, readMessage, TopicMessages.MEMBER_LENGTH, NOTHING, 0, 0, isToBeKept);
    }

    /** Wakes a rank of this node that sleeps. True also if it is gone. */
    boolean wake(final int rank)
    {
        final long result = outbox.send(rank, TopicMessages.NEWS, head, 0, NOTHING, 0, 0, false);
        return result >= 0 || result == Endpoint.PEER_GONE;
    }
}
