// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.LinkCounters;

/**
 * What is counted on a link, and written some times a second to where it can be seen from outside. Until then counts are fields
 * of the classes that count: a message costs no store to shared memory. For the agent's thread.
 */
final class LinkCounts
{
    private static final long INTERVAL_NS = 100_000_000L;
    private static final LinkCounter[] ALL = LinkCounter.values();

    private final LinkCounters shared;
    /** What agents before this one have counted. */
    private final long[] before = new long[ALL.length];
    private boolean isUp;
    private long ups;
    private long upNs;
    private long downNs;
    /** Of the last change between up and down. */
    private long changeNs;
    /** Until then time was counted. */
    private long countedNs;
    private long dueNs;

    LinkCounts(final LinkCounters shared, final long nowNs)
    {
        this.shared = shared;
        for (final LinkCounter counter : ALL)
        {
            before[counter.ordinal()] = shared.get(counter);
        }
        changeNs = nowNs;
        countedNs = nowNs;
        dueNs = nowNs;
    }

    /** Whether counts are to be written now. */
    boolean isDue(final long nowNs)
    {
        return nowNs - dueNs >= 0;
    }

    /**
     * The link has come up, or gone down.
     *
     * @param value   whether it is up now.
     * @param timesUp how many times it has come up since the last call.
     * @param nowNs   the time.
     */
    void onChange(final boolean value, final long timesUp, final long nowNs)
    {
        addTime(nowNs);
        isUp = value;
        ups += timesUp;
        changeNs = nowNs;
    }

    private void addTime(final long nowNs)
    {
        final long sinceNs = nowNs - countedNs;
        countedNs = nowNs;
        upNs += isUp ? sinceNs : 0;
        downNs += isUp ? 0 : sinceNs;
    }

    /** Writes the state and the times; the other counts are for the caller to write. */
    void write(final long nowNs)
    {
        dueNs = nowNs + INTERVAL_NS;
        addTime(nowNs);
        shared.set(LinkCounter.UP, isUp ? 1 : 0);
        shared.set(LinkCounter.STATE_TIME, nowNs - changeNs);
        set(LinkCounter.UPS, ups);
        set(LinkCounter.UP_TIME, upNs);
        set(LinkCounter.DOWN_TIME, downNs);
    }

    /** Writes what this agent has counted. */
    void set(final LinkCounter counter, final long value)
    {
        shared.set(counter, before[counter.ordinal()] + value);
    }
}
