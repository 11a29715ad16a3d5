// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * What a relay does for the subscribers of its node beside reading: it writes the messages of a publisher on another node into a
 * log that they share, each at the place that it has in the publisher's log, and tells the publisher how far all have read. One
 * thread.
 */
final class Relay implements AutoCloseable
{
    /** A rank that reads the log, beside the relay. */
    private static final class Member
    {
        final int rank;
        long position;
        boolean isToBeWoken;

        Member(final int rank, final long position)
        {
            this.rank = rank;
            this.position = position;
        }
    }

    final TopicLog log;
    private final PublisherLink link;
    private final List<Member> members = new ArrayList<>();
    private long tail;
    private long sequence;
    /** What the publisher knows. */
    private long told;
    private boolean isAsked;
    private boolean isToAnswer;
    private int slowest;
    private int toldSlowest;

    Relay(final TopicLog log, final PublisherLink link, final LogPlace at)
    {
        this.log = log;
        this.link = link;
        tail = at.position;
        told = at.position;
        sequence = at.sequence;
        slowest = link.rank();
        toldSlowest = slowest;
    }

    /** A rank of the node reads from a position on, or reads no more if that is below zero. False if that cannot be. */
    boolean onMember(final int rank, final long position)
    {
        members.removeIf((member) -> member.rank == rank);
        if (position < 0)
        {
            return true;
        }
        if (rank == link.rank() || !link.isRank(rank) || !link.isLocal(rank) || position < told ||
            position % TopicLogDescriptor.RECORD_ALIGNMENT != 0)
        {
            return false;
        }
        members.add(new Member(rank, position));
        return true;
    }

    /** The publisher waits until all have read everything, or wants to know once for which one it waits. */
    void onAsk(final boolean isOnce)
    {
        isAsked |= !isOnce;
        isToAnswer |= isOnce;
    }

    /** Writes a message. False if there is no room for it, which a publisher knows. */
    boolean append(final long own, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > TopicLogDescriptor.maxMessageLength(log.length()))
        {
            return false;
        }
        final long begin = log.begin(tail, length);
        if (begin + TopicLogDescriptor.recordLength(length) > least(own) + log.length())
        {
            return false;
        }
        tail = log.append(tail, begin, sequence, buffer, offset, length);
        sequence++;
        if (log.takeSleepers())
        {
            for (int i = 0; i < members.size(); i++)
            {
                members.get(i).isToBeWoken |= log.takeSleeper(members.get(i).rank);
            }
        }
        return true;
    }

    /** How far all have read; a line of a member counts if it goes on, and not beyond what is written. */
    private long least(final long own)
    {
        long least = own;
        slowest = link.rank();
        for (int i = 0; i < members.size(); i++)
        {
            final Member member = members.get(i);
            final long position = log.position(member.rank);
            if (position >= member.position && position <= tail)
            {
                member.position = position;
            }
            slowest = member.position < least ? member.rank : slowest;
            least = Math.min(least, member.position);
        }
        return least;
    }

    /** Whether the publisher should be told: an eighth of the log was read, it waits for the rest, or it is about to wait. */
    private boolean isDue(final long least)
    {
        return isToAnswer || least - told >= log.length() / 8 || isAsked && least != told ||
            slowest != toldSlowest && tail - least > log.length() / 2;
    }

    /** Wakes members that sleep, and tells the publisher how far all have read, where it need not know it sooner. */
    int work(final long own, final int publisher, final int number, final long subscription)
    {
        int work = 0;
        for (int i = 0; i < members.size(); i++)
        {
            final Member member = members.get(i);
            if (member.isToBeWoken && link.wake(member.rank))
            {
                member.isToBeWoken = false;
                work++;
            }
        }
        final long least = least(own);
        if (isDue(least) && link.read(publisher, number, subscription, least, slowest))
        {
            told = least;
            toldSlowest = slowest;
            isToAnswer = false;
            work++;
        }
        return work;
    }

    /** Before this thread sleeps: members wake it when they have read. True if there is something to tell. */
    boolean hasNews(final long own)
    {
        return isDue(least(own));
    }

    @Override
    public void close()
    {
        log.close();
    }
}
