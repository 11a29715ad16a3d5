// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * A topic as its publisher sees it. A message is written once, into a log that the subscribers of this node share; those of other
 * nodes get it from there by messages, at their own pace. The thread that calls {@link Topics#doWork()}.
 */
public final class Publication implements AutoCloseable
{
    private final String name;
    private final int number;
    private final TopicLog log;
    private final SubscriberLink link;
    private final ServicesCounters counters;
    private final WhenSlow whenSlow;
    private final SlowestSubscriber slowest;
    private final Subscriber[] byRank;
    /** Nodes that get each message once, by their indexes; null if each subscriber of another node gets a copy of its own. */
    private final RelayedNode[] nodes;
    private final List<Subscriber> subscribers = new ArrayList<>();
    private long tail;
    private long sequence;
    /** The end of a message may lie up to here, as far as it is known. */
    private long limit;
    private boolean isClosed;

    Publication(
        final String name, final int number, final TopicLog log, final PublicationContext context, final SubscriberLink link,
        final ServicesCounters counters, final int ranks)
    {
        this.name = name;
        this.number = number;
        this.log = log;
        this.link = link;
        this.counters = counters;
        whenSlow = context.whenSlow();
        slowest = new SlowestSubscriber(context.waitLimit().toNanos());
        byRank = new Subscriber[ranks];
        // a relay that is slow would lose messages for others, where the slow ones may lose some
        nodes = whenSlow == WhenSlow.WAIT ? new RelayedNode[link.nodeCount()] : null;
        limit = whenSlow == WhenSlow.WAIT ? log.length() : Long.MAX_VALUE;
    }

    /**
     * Publishes a message, or nothing. It does not wait. Allocates nothing.
     *
     * @param buffer that holds the message; it may be used again when this returns.
     * @param offset of the message in bytes.
     * @param length of the message in bytes, at most {@link #maxMessageLength()}.
     * @return the number of the message, from 0 on; or {@link Endpoint#NO_CREDIT} if a subscriber has to be waited for: call
     *         {@link Topics#doWork()} and try again; {@link Endpoint#CLOSED}.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     * @throws IllegalArgumentException  if it is too long.
     */
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        Services.check(buffer, offset, length);
        if (length > maxMessageLength())
        {
            throw new IllegalArgumentException("too long for the topic '" + name + "': found=" + length +
                " bytes, expected at most " + maxMessageLength() + "; set PublicationContext.logLength");
        }
        if (isClosed)
        {
            return Endpoint.CLOSED;
        }
        final long begin = log.begin(tail, length);
        final long end = begin + TopicLogDescriptor.recordLength(length);
        if (end > limit && !hasRoom(end))
        {
            return Endpoint.NO_CREDIT;
        }
        tail = log.append(tail, begin, sequence, buffer, offset, length);
        if (log.takeSleepers())
        {
            markSleepers();
        }
        counters.add(Counter.PUBLISHED);
        return sequence++;
    }

    /** Looks which subscriber is the slowest, and whether a record fits behind it. */
    private boolean hasRoom(final long end)
    {
        long least = tail;
        int rank = -1;
        for (int i = 0; i < subscribers.size(); i++)
        {
            final Subscriber subscriber = subscribers.get(i);
            final long position = subscriber.isReading() ? position(subscriber) : tail;
            rank = position >= least ? rank : subscriber.node == null ? subscriber.rank : subscriber.node.slowest();
            least = Math.min(least, position);
        }
        limit = least + log.length();
        if (end <= limit)
        {
            slowest.end();
            return true;
        }
        if (slowest.isOver(rank, least))
        {
            tooSlow(byRank[rank]);
        }
        return false;
    }

    private void tooSlow(final Subscriber subscriber)
    {
        // a relay speaks for others: it is asked before one of them is dropped, and is dropped itself if it does not answer
        if (subscriber.node == null || subscriber.node.isSure())
        {
            drop(subscriber);
        }
        else
        {
            slowest.end();
        }
    }

    private void drop(final Subscriber subscriber)
    {
        counters.add(Counter.DROPPED);
        leaveNode(subscriber);
        subscriber.leave(TopicEnd.DROPPED);
    }

    /** What a subscriber of the node says is taken only if it can be: it goes on, and not beyond what is written. */
    private long position(final Subscriber subscriber)
    {
        if (!subscriber.isLocal)
        {
            return subscriber.node == null ? subscriber.forwarded.position() :
                subscriber.node.isRelay(subscriber) ? subscriber.node.position() : tail;
        }
        final long position = log.position(subscriber.rank);
        if (position >= subscriber.position && position <= tail)
        {
            subscriber.position = position;
        }
        return subscriber.position;
    }

    private void markSleepers()
    {
        for (int i = 0; i < subscribers.size(); i++)
        {
            final Subscriber subscriber = subscribers.get(i);
            if (subscriber.isLocal && log.takeSleeper(subscriber.rank))
            {
                subscriber.isToBeWoken = !link.wake(subscriber.rank);
            }
        }
    }

    void onSubscribe(final int rank, final long subscription)
    {
        remove(byRank[rank]);
        final Subscriber subscriber = new Subscriber(rank, subscription, link.isLocal(rank), tail, sequence);
        if (subscriber.isLocal)
        {
            log.begin(rank, tail);
        }
        else if (nodes == null || isClosed || !node(link.nodeOf(rank)).join(subscriber, tail, sequence))
        {
            subscriber.forwarded = log.reader(tail, sequence);
        }
        byRank[rank] = subscriber;
        subscribers.add(subscriber);
        if (isClosed)
        {
            subscriber.leave(TopicEnd.CLOSED);
        }
    }

    private RelayedNode node(final int index)
    {
        nodes[index] = nodes[index] == null ? new RelayedNode(number, log, link) : nodes[index];
        return nodes[index];
    }

    /** A relay says how far all of its node have read, or that it has no room. False if that cannot be. */
    boolean onRead(final int rank, final long subscription, final long position, final int slowestRank)
    {
        final Subscriber relay = byRank[rank];
        if (relay == null || relay.subscription != subscription || relay.node == null)
        {
            return false;
        }
        return position == SubscriberLink.NO_LOG ? relay.node.onNoRoom(relay, tail, sequence) :
            relay.node.onRead(relay, position, slowestRank);
    }

    void onUnsubscribe(final int rank, final long subscription)
    {
        if (byRank[rank] != null && byRank[rank].subscription == subscription)
        {
            remove(byRank[rank]);
        }
    }

    void onGone(final int rank)
    {
        remove(byRank[rank]);
    }

    private void remove(final Subscriber subscriber)
    {
        if (subscriber != null)
        {
            byRank[subscriber.rank] = null;
            subscribers.remove(subscriber);
            leaveNode(subscriber);
        }
    }

    private void leaveNode(final Subscriber subscriber)
    {
        if (subscriber.node != null)
        {
            subscriber.node.leave(subscriber, tail, sequence);
        }
    }

    /** Tells subscribers what they have to know, and sends messages to those of other nodes. Returns how much was done. */
    int work(final int most)
    {
        int work = 0;
        for (int i = 0; nodes != null && i < nodes.length; i++)
        {
            work += nodes[i] == null ? 0 : nodes[i].tell();
        }
        for (int i = subscribers.size() - 1; i >= 0; i--)
        {
            work += work(subscribers.get(i), most);
        }
        return work;
    }

    private int work(final Subscriber subscriber, final int most)
    {
        switch (subscriber.state)
        {
            case JOINING:
                if (subscriber.node != null)
                {
                    return 0;
                }
                final boolean isTold = link.begin(number, subscriber, log,
                    subscriber.isLocal ? link.rank() : SubscriberLink.NO_LOG, log.publication());
                subscriber.state = isTold ? Subscriber.State.ACTIVE : Subscriber.State.JOINING;
                return isTold ? 1 : 0;
            case ACTIVE:
                return subscriber.isLocal ? keepAwake(subscriber) :
                    subscriber.node == null || subscriber.node.isFed(subscriber) ? forward(subscriber, most) : 0;
            case LEAVING:
                return endIt(subscriber) ? 1 : 0;
            default:
                return 0;
        }
    }

    private int keepAwake(final Subscriber subscriber)
    {
        if (isClosed)
        {
            subscriber.leave(TopicEnd.CLOSED);
            return 1;
        }
        if (subscriber.isToBeWoken)
        {
            subscriber.isToBeWoken = !link.wake(subscriber.rank);
        }
        return 0;
    }

    private boolean endIt(final Subscriber subscriber)
    {
        if (!link.end(number, subscriber))
        {
            return false;
        }
        subscriber.state = Subscriber.State.TOLD;
        if (!subscriber.isLocal || subscriber.end != TopicEnd.CLOSED)
        {
            remove(subscriber);
        }
        return true;
    }

    private int forward(final Subscriber subscriber, final int most)
    {
        final LogReader reader = subscriber.forwarded;
        int sent = 0;
        while (sent < most && subscriber.isReading())
        {
            final LogReader.Found next = reader.next();
            if (next == LogReader.Found.OVERRUN)
            {
                fallBehind(subscriber);
            }
            else if (next != LogReader.Found.MESSAGE)
            {
                finish(subscriber);
                return sent;
            }
            else if (!forwardOne(subscriber, reader))
            {
                return sent;
            }
            else
            {
                sent++;
            }
        }
        return sent;
    }

    /** All has gone to a subscriber of another node: if no more comes, it is over. */
    private void finish(final Subscriber subscriber)
    {
        if (isClosed && subscriber.node != null)
        {
            subscriber.node.finish(tail);
        }
        else if (isClosed)
        {
            subscriber.leave(TopicEnd.CLOSED);
        }
    }

    private boolean forwardOne(final Subscriber subscriber, final LogReader reader)
    {
        if (reader.lost() > 0 && !link.lose(number, subscriber, reader.lost()))
        {
            return false;
        }
        reader.countLost();
        if (!link.forward(number, subscriber, log.buffer(), reader.offset(), reader.length()))
        {
            return false;
        }
        counters.add(Counter.FORWARDED);
        reader.advance();
        return true;
    }

    private void fallBehind(final Subscriber subscriber)
    {
        if (whenSlow == WhenSlow.TELL)
        {
            subscriber.forwarded.skip();
        }
        else
        {
            drop(subscriber);
        }
    }

    /**
     * Name of the topic.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Messages that were published.
     *
     * @return their number.
     */
    public long published()
    {
        return sequence;
    }

    /**
     * Longest message.
     *
     * @return bytes.
     */
    public int maxMessageLength()
    {
        return TopicLogDescriptor.maxMessageLength(log.length());
    }

    /**
     * Subscribers that are known now and were not ended.
     *
     * @return their number.
     */
    public int subscriberCount()
    {
        int count = 0;
        for (int i = 0; i < subscribers.size(); i++)
        {
            count += subscribers.get(i).isReading() ? 1 : 0;
        }
        return count;
    }

    /**
     * Rank of the subscriber that the last refused message has to wait for.
     *
     * @return the rank, or -1 if none is waited for.
     */
    public int waitsFor()
    {
        return slowest.rank();
    }

    /** Whether all subscribers know that this is over, and none needs the log. */
    boolean isDone()
    {
        return isClosed && subscribers.isEmpty();
    }

    int number()
    {
        return number;
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** The topics of this rank end: each subscriber that is left is told once, if that can be told now. */
    void abandon()
    {
        isClosed = true;
        for (int i = 0; i < subscribers.size(); i++)
        {
            final Subscriber subscriber = subscribers.get(i);
            if (subscriber.state != Subscriber.State.TOLD)
            {
                subscriber.leave(TopicEnd.PUBLISHER_GONE);
                link.end(number, subscriber);
            }
        }
        subscribers.clear();
        log.close();
    }

    /**
     * Ends the publication. Subscribers get what was published before, by {@link Topics#doWork()}; {@link Topics#hasStored()}
     * tells when they have all. Idempotent.
     */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            link.closed(this);
        }
    }

    @Override
    public String toString()
    {
        return "Publication{topic=" + name + ", messages=" + sequence + ", subscribers=" + subscribers + ", closed=" + isClosed +
            '}';
    }
}
