// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The subscribers of another node, as the publisher knows them, to which each message goes once: to the relay, one of them, which
 * writes it into a log that they share there, at the place that it has here. The relay tells how far all have read. When it is
 * gone, another one begins there, so nothing is lost: what was not read by all is still in the log here, unless the topic lets
 * slow ones lose it. One thread.
 */
final class RelayedNode
{
    private final int number;
    private final TopicLog log;
    private final SubscriberLink link;
    private final List<Subscriber> members = new ArrayList<>();
    /** Ranks that the relay is to be told about: they read no more. */
    private final ArrayDeque<Integer> gone = new ArrayDeque<>();
    private Subscriber relay;
    /** Whether the relay has a log, which the others read. One that is alone has none. */
    private boolean isShared;
    /** Number of that log. */
    private long publication;
    private final RelayPlace places;
    /** All have read up to here, if there is a log, as the relay says. */
    private long read;
    private int slowest;
    /** Whether the relay was asked to tell at once what all have read. */
    private boolean isAsked;
    private final RelayAnswer answer = new RelayAnswer();
    /** Position of the publisher when a relay was relieved; it is not done again until a log later. */
    private long relievedAt;
    private boolean isGivenUp;

    RelayedNode(final int number, final TopicLog log, final SubscriberLink link)
    {
        places = new RelayPlace(log.length());
        this.number = number;
        this.log = log;
        this.link = link;
        relievedAt = -log.length();
    }

    /** A rank of the node subscribes: it gets what is written from the tail on. False if each gets a copy of its own. */
    boolean join(final Subscriber subscriber, final long tail, final long sequence)
    {
        if (isGivenUp)
        {
            return false;
        }
        subscriber.node = this;
        members.add(subscriber);
        if (relay == null)
        {
            relay = subscriber;
            relay.forwarded = log.reader(tail, sequence);
            isShared = false;
            read = tail;
        }
        else if (!isShared)
        {
            final LogReader from = log.readerFrom(relay.forwarded.position(), tail, sequence);
            relay.forwarded = from;
            share(from.position(), from.sequence());
            relay.state = Subscriber.State.JOINING;
        }
        return true;
    }

    private void share(final long position, final long sequence)
    {
        isShared = true;
        publication = ThreadLocalRandom.current().nextLong();
        slowest = relay.rank;
        isAsked = false;
        answer.forget();
        gone.clear();
        places.begin(position);
        read = position;
        relay.begin(position, sequence);
    }

    /** A rank reads no more. If it was the relay, the lowest one that is left is, and begins where all have read up to. */
    void leave(final Subscriber subscriber, final long tail, final long sequence)
    {
        members.remove(subscriber);
        subscriber.node = null;
        if (subscriber != relay)
        {
            if (subscriber.isMember && !gone.contains(subscriber.rank))
            {
                gone.add(subscriber.rank);
            }
            answer.forget();
            return;
        }
        final LogReader from = from(tail, sequence);
        relay = following(-1);
        isShared = false;
        if (relay != null)
        {
            beginAgain(from);
        }
    }

    /** The lowest rank above one that still reads, or the lowest of all if there is none; null if none reads. */
    private Subscriber following(final int rank)
    {
        Subscriber lowest = null;
        Subscriber above = null;
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            if (member.isReading())
            {
                lowest = lowest == null || member.rank < lowest.rank ? member : lowest;
                above = member.rank > rank && (above == null || member.rank < above.rank) ? member : above;
            }
        }
        return above == null ? lowest : above;
    }

    /** Where another relay begins: where all have read up to, or the first place behind it that is not written over. */
    private LogReader from(final long tail, final long sequence)
    {
        return log.readerFrom(
            places.from(position(), tail - log.length(), relay.forwarded.position()), tail, sequence);
    }

    /** A message has gone to the relay. */
    void onFed()
    {
        places.onFed(relay.forwarded.position());
    }

    /**
     * The relay takes nothing. If half of the log lies behind it, another one that takes something is the relay from now on: once
     * for each length of the log, or at once in place of one that does not know yet that it is the relay.
     */
    void relieve(final long tail, final long sequence)
    {
        if (!isShared || tail - relay.forwarded.position() <= log.length() / 2 ||
            relay.state == Subscriber.State.ACTIVE && tail - relievedAt < log.length())
        {
            return;
        }
        Subscriber next = following(relay.rank);
        while (next != relay && !link.wake(next.rank))
        {
            next = following(next.rank);
        }
        if (next != relay)
        {
            final LogReader from = from(tail, sequence);
            relievedAt = tail;
            relay.forwarded = null;
            relay = next;
            beginAgain(from);
        }
    }

    /** The publisher has written over what was to go to the relay next: all go on behind it. */
    void fallBehind(final long tail, final long sequence)
    {
        relay.forwarded.skip();
        beginAgain(log.readerFrom(relay.forwarded.position(), tail, sequence));
    }

    private void beginAgain(final LogReader from)
    {
        final long position = from.position();
        final long sequence = from.sequence();
        int readers = 0;
        relay.forwarded = from;
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            if (member.isReading())
            {
                readers++;
                member.begin(position, sequence);
                member.state = Subscriber.State.JOINING;
                member.isMember = false;
            }
        }
        isShared = false;
        gone.clear();
        if (readers > 1)
        {
            share(position, sequence);
        }
    }

    /** Tells the relay what it has to know, and the others where they read. Returns how much was told. */
    int tell(final long tail, final long sequence)
    {
        int told = 0;
        if (relay != null && relay.state == Subscriber.State.JOINING)
        {
            if (!link.begin(number, relay, log, isShared ? relay.rank : SubscriberLink.NO_LOG, publication))
            {
                if (log.whenSlow() != WhenSlow.WAIT)
                {
                    relieve(tail, sequence);
                }
                return 0;
            }
            relay.state = Subscriber.State.ACTIVE;
            told++;
        }
        if (!isShared)
        {
            return told;
        }
        if (answer.isDue() && link.ask(number, relay, true))
        {
            answer.onSent();
        }
        while (!gone.isEmpty() && link.member(number, relay, gone.peek(), SubscriberLink.NO_LOG))
        {
            gone.remove();
            told++;
        }
        for (int i = 0; i < members.size() && gone.isEmpty(); i++)
        {
            told += members.get(i) != relay && members.get(i).state == Subscriber.State.JOINING ? tell(members.get(i)) : 0;
        }
        return told;
    }

    /** The relay first: it must not think that all have read what this one has not. */
    private int tell(final Subscriber member)
    {
        member.isMember = member.isMember || link.member(number, relay, member.rank, member.position);
        if (!member.isMember || !link.begin(number, member, log, relay.rank, publication))
        {
            return 0;
        }
        member.state = Subscriber.State.ACTIVE;
        return 1;
    }

    /** Whether a subscriber gets messages from here now: the relay, as soon as it knows all that read there. */
    boolean isFed(final Subscriber subscriber)
    {
        if (subscriber != relay || relay.state != Subscriber.State.ACTIVE)
        {
            return false;
        }
        boolean isTold = true;
        for (int i = 0; i < members.size() && isShared; i++)
        {
            final Subscriber member = members.get(i);
            isTold &= member == relay || !member.isReading() || member.isMember;
        }
        return isTold;
    }

    /** Everything has gone to the relay, and no more comes. When it has that, it is over for the others, then for it. */
    void finish(final long tail)
    {
        if (isShared && read != tail)
        {
            isAsked = isAsked || link.ask(number, relay, false);
            return;
        }
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            if (member.isReading() && (member != relay || members.size() == 1))
            {
                member.leave(TopicEnd.CLOSED);
            }
        }
    }

    /** The relay says how far all have read; it is believed if that can be. */
    boolean onRead(final Subscriber subscriber, final long position, final int slowestRank)
    {
        if (subscriber != relay || !isShared || position < read || position > relay.forwarded.position())
        {
            return false;
        }
        if (position > read)
        {
            answer.forget();
        }
        answer.onTold();
        read = position;
        slowest = slowestRank;
        return true;
    }

    /**
     * Whether {@link #slowest()} is known to be the one that is waited for. At first the relay is asked, because what it has
     * told may be old; while it does not answer it is that one itself.
     */
    boolean isSure()
    {
        if (!isShared || answer.isAsked())
        {
            return true;
        }
        answer.ask();
        return false;
    }

    /** The relay has no room for a log. From now on each subscriber of the node gets a copy of its own. */
    boolean onNoRoom(final Subscriber subscriber, final long tail, final long sequence)
    {
        if (subscriber != relay || !isShared)
        {
            return false;
        }
        isGivenUp = true;
        final LogReader from = from(tail, sequence);
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            member.node = null;
            if (member != relay && member.isReading())
            {
                member.forwarded = log.reader(from.position(), from.sequence());
                member.begin(from.position(), from.sequence());
                member.state = Subscriber.State.JOINING;
            }
        }
        members.clear();
        return true;
    }

    /** What of the log is still needed for the node lies from here on. */
    long position()
    {
        return isShared ? read : relay.forwarded.position();
    }

    /** Rank of the node that has read least. */
    int slowest()
    {
        for (int i = 0; i < members.size() && isShared && !answer.isMissing(); i++)
        {
            if (members.get(i).rank == slowest && members.get(i).isReading())
            {
                return slowest;
            }
        }
        return relay.rank;
    }

    /** Whether a log is that which the node has now: a rank that is a relay again may have told something of a former one. */
    boolean isLog(final long number)
    {
        return isShared && number == publication;
    }

    boolean isShared()
    {
        return isShared;
    }

    /** Whether this one stands for all of the node when the slowest is looked for. */
    boolean isRelay(final Subscriber subscriber)
    {
        return subscriber == relay;
    }

    @Override
    public String toString()
    {
        return "relay=" + relay + ", shared=" + isShared + ", read=" + read + ", members=" + members.size();
    }
}
