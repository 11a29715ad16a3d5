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
    /** What of the log goes to a rank on another node; null for one that reads the log. */
    final LogReader forwarded;
    /** Number of the first message it gets. */
    final long firstSequence;
    State state = State.JOINING;
    TopicEnd end;
    /** It has read up to here, as far as that was looked at. */
    long position;
    /** It may sleep, and is to be woken. */
    boolean isToBeWoken;

    Subscriber(final int rank, final long subscription, final LogReader forwarded, final long position, final long firstSequence)
    {
        this.rank = rank;
        this.subscription = subscription;
        this.forwarded = forwarded;
        this.position = position;
        this.firstSequence = firstSequence;
    }

    boolean isLocal()
    {
        return forwarded == null;
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
        return "rank " + rank + ", " + state + ", position=" + (isLocal() ? position : forwarded.position());
    }
}
