// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;

/** The messages of publishers to their subscribers. Each call sends a whole message or nothing. One thread. */
final class SubscriberLink
{
    /** Instead of a rank that has a log, or of a position. */
    static final int NO_LOG = -1;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Endpoint endpoint;
    /** Null if there is one node only. */
    private final RankMap map;
    private final Outbox outbox;
    private final Consumer<Publication> onClosed;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[TopicMessages.SUBSCRIBED_LENGTH]);

    SubscriberLink(final TopicsContext context, final Outbox outbox, final Consumer<Publication> onClosed)
    {
        endpoint = context.endpoint();
        final Transport transport = context.node().context().transport();
        map = transport == null ? null : transport.rankMap();
        this.outbox = outbox;
        this.onClosed = onClosed;
    }

    int rank()
    {
        return endpoint.rank();
    }

    boolean isLocal(final int rank)
    {
        return endpoint.isSameNode(rank);
    }

    int nodeCount()
    {
        return map == null ? 1 : map.nodeCount();
    }

    int nodeOf(final int rank)
    {
        return map == null ? 0 : map.nodeOf(rank);
    }

    void closed(final Publication publication)
    {
        onClosed.accept(publication);
    }

    /** Tells a subscriber where it begins, or goes on, and which rank has the log that it reads. */
    boolean begin(
        final int number, final Subscriber subscriber, final TopicLog log, final int logRank, final long publication)
    {
        address(number, log.length(), subscriber);
        head.putLong(TopicMessages.POSITION_OFFSET, subscriber.position, LITTLE_ENDIAN);
        head.putLong(TopicMessages.PUBLICATION_OFFSET, publication, LITTLE_ENDIAN);
        head.putLong(TopicMessages.SEQUENCE_OFFSET, subscriber.sequence, LITTLE_ENDIAN);
        head.putLong(TopicMessages.FIRST_OFFSET, subscriber.firstSequence, LITTLE_ENDIAN);
        head.putInt(TopicMessages.LOG_RANK_OFFSET, logRank, LITTLE_ENDIAN);
        head.putInt(TopicMessages.OVERRUN_OFFSET, log.mayOverrun() ? 1 : 0, LITTLE_ENDIAN);
        return send(subscriber.rank, TopicMessages.SUBSCRIBED, TopicMessages.SUBSCRIBED_LENGTH, NOTHING, 0, 0);
    }

    /** Tells a relay that a rank of its node reads from a position on, or no more. */
    boolean member(final int number, final Subscriber relay, final int rank, final long position)
    {
        address(number, rank, relay);
        head.putLong(TopicMessages.POSITION_OFFSET, position, LITTLE_ENDIAN);
        return send(relay.rank, TopicMessages.MEMBER, TopicMessages.MEMBER_LENGTH, NOTHING, 0, 0);
    }

    /** Asks a relay to tell what all of its node have read: now, or from now on at once. */
    boolean ask(final int number, final Subscriber relay, final boolean isOnce)
    {
        address(number, isOnce ? 1 : 0, relay);
        return send(relay.rank, TopicMessages.ASK, TopicMessages.HEAD_LENGTH, NOTHING, 0, 0);
    }

    boolean forward(
        final int number, final Subscriber subscriber, final DirectBuffer buffer, final int offset, final int length)
    {
        address(number, 0, subscriber);
        return send(subscriber.rank, TopicMessages.RECORD, TopicMessages.HEAD_LENGTH, buffer, offset, length);
    }

    boolean lose(final int number, final Subscriber subscriber, final long count)
    {
        address(number, 0, subscriber);
        head.putLong(TopicMessages.COUNT_OFFSET, count, LITTLE_ENDIAN);
        return send(subscriber.rank, TopicMessages.LOST, TopicMessages.LOST_LENGTH, NOTHING, 0, 0);
    }

    boolean end(final int number, final Subscriber subscriber)
    {
        address(number, subscriber.end.ordinal(), subscriber);
        return send(subscriber.rank, TopicMessages.ENDED, TopicMessages.HEAD_LENGTH, NOTHING, 0, 0);
    }

    /** Refuses a subscription to what this rank does not publish. It is kept until it can go: the other rank waits for it. */
    void refuse(final int number, final int rank, final long subscription)
    {
        final Subscriber stranger = new Subscriber(rank, subscription, isLocal(rank), 0, 0);
        address(number, TopicEnd.PUBLISHER_GONE.ordinal(), stranger);
        outbox.send(rank, TopicMessages.ENDED, head, TopicMessages.HEAD_LENGTH, NOTHING, 0, 0, true);
    }

    boolean wake(final int rank)
    {
        return send(rank, TopicMessages.NEWS, 0, NOTHING, 0, 0);
    }

    private void address(final int number, final int word, final Subscriber subscriber)
    {
        head.putInt(TopicMessages.NUMBER_OFFSET, number, LITTLE_ENDIAN);
        head.putInt(TopicMessages.END_OFFSET, word, LITTLE_ENDIAN);
        head.putLong(TopicMessages.SUBSCRIPTION_OFFSET, subscriber.subscription, LITTLE_ENDIAN);
    }

    private boolean send(
        final int rank, final int kind, final int headLength, final DirectBuffer body, final int offset, final int length)
    {
        final long result = outbox.send(rank, kind, head, headLength, body, offset, length, false);
        // what goes to a rank that is gone is over: the listener of membership removes it
        return result >= 0 || result == Endpoint.PEER_GONE;
    }
}
