// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.Arrays;
import org.agrona.LangUtil;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.flight.RecordedRanks;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;

/**
 * Tells listeners what {@link Membership} sees. It is noted while the ranks are gone through, and told after that, so that a
 * listener may do what a message handler may. Any thread adds and removes listeners; the rest is for the polling thread.
 */
public final class MembershipEvents
{
    private static final Entry[] NONE = {};
    /** Of a rank in one update: an incarnation is seen, is over, and the next one is seen. */
    private static final int MOST_OF_A_RANK = 3;
    private static final int GONE_FLAG = 1 << 31;

    /** A listener, and what it was told. */
    private static final class Entry
    {
        final MembershipListener listener;
        /** For each rank the incarnation that it was told to be open, 0 if none. */
        final int[] open;
        volatile boolean isRemoved;

        Entry(final MembershipListener listener, final int ranks)
        {
            this.listener = listener;
            open = new int[ranks];
        }
    }

    private final int rank;
    private final int ranks;
    private final GuardedErrorHandler errors;
    private volatile Entry[] entries = NONE;
    /** Those that hear of the update under way. */
    private Entry[] hearing = NONE;
    /** Rank and kind, and incarnation, by turns. */
    private int[] noted = {};
    private int count;
    /** The flight recorder hears too. */
    private boolean isRecorded;

    MembershipEvents(final int rank, final int ranks, final GuardedErrorHandler errors)
    {
        this.rank = rank;
        this.ranks = ranks;
        this.errors = errors;
    }

    /** From the next update on it hears first of those that are there, and then of those that come and go. */
    public synchronized void add(final MembershipListener listener)
    {
        final Entry[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = new Entry(listener, ranks);
        entries = more;
    }

    /** False if there is no such listener. */
    public synchronized boolean remove(final MembershipListener listener)
    {
        for (final Entry entry : entries)
        {
            if (entry.listener == listener)
            {
                entry.isRemoved = true;
                entries = Arrays.stream(entries).filter((other) -> other != entry).toArray(Entry[]::new);
                return true;
            }
        }
        return false;
    }

    /** What this sees is recorded by another one: both rings of an endpoint see the same ranks. */
    void recordNothing()
    {
        isRecorded = true;
    }

    void begin()
    {
        if (!isRecorded && FlightEvents.isOn())
        {
            isRecorded = true;
            add(new RecordedRanks(rank));
        }
        hearing = entries;
        count = 0;
        if (hearing.length > 0 && noted.length == 0)
        {
            noted = new int[ranks * MOST_OF_A_RANK * 2];
        }
    }

    /** An incarnation is open, or it was and there may be messages of it. */
    void seen(final int rank, final int incarnation)
    {
        note(rank, incarnation);
    }

    /** An incarnation is over and all of it is read. */
    void gone(final int rank, final int incarnation)
    {
        note(rank | GONE_FLAG, incarnation);
    }

    private void note(final int what, final int incarnation)
    {
        if (hearing.length > 0)
        {
            noted[count++] = what;
            noted[count++] = incarnation;
        }
    }

    /** All are told, whatever the error handler throws: that goes to the caller of the poll after it. */
    void tell()
    {
        Throwable thrown = null;
        for (int i = 0; i < count; i += 2)
        {
            for (final Entry entry : hearing)
            {
                try
                {
                    tell(entry, noted[i] & ~GONE_FLAG, noted[i + 1], noted[i] < 0);
                }
                catch (final Throwable t)
                {
                    thrown = t;
                }
            }
        }
        count = 0;
        hearing = NONE;
        if (thrown != null)
        {
            LangUtil.rethrowUnchecked(thrown);
        }
    }

    private void tell(final Entry entry, final int rank, final int incarnation, final boolean isGone)
    {
        if (entry.isRemoved || (entry.open[rank] == incarnation) != isGone)
        {
            return;
        }
        entry.open[rank] = isGone ? 0 : incarnation;
        try
        {
            if (isGone)
            {
                entry.listener.onGone(rank, incarnation);
            }
            else
            {
                entry.listener.onOpen(rank, incarnation);
            }
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }
}
