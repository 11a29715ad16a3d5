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
 * gone, another one begins there, so nothing is lost: what was not read by all is still in the log here. One thread.
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
    /** All have read up to here, if there is a log, as the relay says. */
    private long read;
    private int slowest;
    /** Whether the relay was asked to tell at once what all have read. */
    private boolean isAsked;
    private final RelayAnswer answer = new RelayAnswer();
    private boolean isGivenUp;

    RelayedNode(final int number, final TopicLog log, final SubscriberLink link)
    {
        this.number = number;
        this.log = log;
        this.link = link;
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
            share(relay.forwarded.position(), relay.forwarded.sequence());
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
        final long from = position();
        isShared = false;
        relay = null;
        int left = 0;
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            left += member.isReading() ? 1 : 0;
            relay = member.isReading() && (relay == null || member.rank < relay.rank) ? member : relay;
        }
        if (relay != null)
        {
            beginAgain(from, log.sequence(from, tail, sequence), left > 1);
        }
    }

    private void beginAgain(final long position, final long sequence, final boolean hasOthers)
    {
        relay.forwarded = log.reader(position, sequence);
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            if (member.isReading())
            {
                member.begin(position, sequence);
                member.state = Subscriber.State.JOINING;
                member.isMember = false;
            }
        }
        isShared = false;
        gone.clear();
        if (hasOthers)
        {
            share(position, sequence);
        }
    }

    /** Tells the relay what it has to know, and the others where they read. Returns how much was told. */
    int tell()
    {
        int told = 0;
        if (relay != null && relay.state == Subscriber.State.JOINING)
        {
            if (!link.begin(number, relay, log, isShared ? relay.rank : SubscriberLink.NO_LOG, publication))
            {
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

    /** Everything has gone to the relay, and no more comes: the subscription is over as soon as all have read it. */
    void finish(final long tail)
    {
        if (isShared && read != tail)
        {
            isAsked = isAsked || link.ask(number, relay, false);
            return;
        }
        for (int i = 0; i < members.size(); i++)
        {
            if (members.get(i).isReading())
            {
                members.get(i).leave(TopicEnd.CLOSED);
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
        final long number = log.sequence(read, tail, sequence);
        for (int i = 0; i < members.size(); i++)
        {
            final Subscriber member = members.get(i);
            member.node = null;
            if (member != relay && member.isReading())
            {
                member.forwarded = log.reader(read, number);
                member.begin(read, number);
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
