// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.util.List;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;

/**
 * All counters that an endpoint has, by name.
 *
 * @param rank         of the endpoint.
 * @param epoch        how many times the rank was opened.
 * @param state        open, closed or dead.
 * @param backlogSlots unread slots now.
 * @param counters     in the order in which the endpoint shows them, which is the same for all.
 */
public record RankCounters(int rank, int epoch, String state, long backlogSlots, List<Counter> counters)
{
    /**
     * One counter.
     *
     * @param name  of it.
     * @param unit  of its value.
     * @param kind  of it.
     * @param value at that moment.
     */
    public record Counter(String name, Unit unit, Kind kind, long value)
    {
    }
}
