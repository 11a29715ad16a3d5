// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** A rank that is subscribed to a publication, as the publisher knows it. One thread. */
final class Subscriber
{
    /** What the publisher has to do for it. */
    enum State
    {
        /** It is to be told where it begins. */
        JOINING,
        /** It gets messages. */
        ACTIVE,
        /** It is to be told that this is over. */
        LEAVING,
        /** It was told that this is over, and has not confirmed that it needs the log no more. */
        TOLD
    }

    final int rank;
    final long subscription;
    /** Whether it is a rank of this node, which reads the log itself. */
    final boolean isLocal;
    /** Number of the first message it gets. */
    final long firstSequence;
    /** What of the log goes to it by messages; null if it reads the log, or one of its node. */
    LogReader forwarded;
    /** Its node, if that gets each message once; else null. */
    RelayedNode node;
    /** Whether the relay of its node knows of it. */
    boolean isMember;
    State state = State.JOINING;
    TopicEnd end;
    /** It has read up to here, as far as that was looked at. */
    long position;
    /** Number of the message at the place from which it begins to read. */
    long sequence;
    /** It may sleep, and is to be woken. */
    boolean isToBeWoken;

    Subscriber(
        final int rank, final long subscription, final boolean isLocal, final long position, final long firstSequence)
    {
        this.rank = rank;
        this.subscription = subscription;
        this.isLocal = isLocal;
        this.firstSequence = firstSequence;
        begin(position, firstSequence);
    }

    /** It is to begin at a place, or to go on there. */
    void begin(final long from, final long numberThere)
    {
        position = from;
        sequence = numberThere;
    }

    /** Whether messages have to be kept for it. */
    boolean isReading()
    {
        return state == State.JOINING || state == State.ACTIVE;
    }

    void leave(final TopicEnd why)
    {
        state = State.LEAVING;
        end = why;
    }

    @Override
    public String toString()
    {
        return "rank " + rank + ", " + state + ", position=" + (forwarded == null ? position : forwarded.position());
    }
}
