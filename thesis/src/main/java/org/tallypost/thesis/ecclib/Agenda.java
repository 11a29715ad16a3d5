// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What happens when, in simulated time. What is due at the same time happens in the order in which it was entered.
 */
final class Agenda
{
    private final PriorityQueue<Entry> entries =
        new PriorityQueue<>(Comparator.comparingDouble(Entry::timeNs).thenComparingLong(Entry::order));
    private double nowNs;
    private long order;

    private record Entry(double timeNs, long order, Runnable action)
    {
    }

    void at(final double timeNs, final Runnable action)
    {
        entries.add(new Entry(Math.max(timeNs, nowNs), order++, action));
    }

    /** Does what is next, if it is due at a time at most. */
    boolean step(final double untilNs)
    {
        final Entry entry = entries.peek();
        if (entry == null || entry.timeNs() > untilNs)
        {
            return false;
        }
        entries.remove();
        nowNs = entry.timeNs();
        entry.action().run();
        return true;
    }

    double nowNs()
    {
        return nowNs;
    }
}
