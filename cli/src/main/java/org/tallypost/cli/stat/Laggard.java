// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the endpoint that others wait for: of those with something to read, the one that has not polled for longest, and of
 * several of these the one with the most unread slots.
 * <p>
 * Endpoints count their polls now and then only, so one that polls may look still from one sample to the next, never for long.
 */
public final class Laggard
{
    private static final Comparator<Finding> WORST_LAST =
        Comparator.comparingLong(Finding::stillNs).thenComparingLong(finding -> finding.sample().backlogSlots());

    private final Map<Integer, Still> stills = new HashMap<>();

    /**
     * How long an endpoint has looked still.
     *
     * @param sample  of it.
     * @param stillNs since when neither polls nor messages received have changed, in nanoseconds; 0 if they just have, or at the
     *                first look.
     */
    public record Finding(EndpointSample sample, long stillNs)
    {
    }

    /**
     * Takes a new sample into account.
     *
     * @param node that was read.
     * @return the laggard; nothing if no rank has anything to read.
     */
    public Optional<Finding> update(final NodeSample node)
    {
        Optional<Finding> laggard = Optional.empty();
        for (final EndpointSample sample : node.endpoints())
        {
            final Still before = stills.get(sample.rank());
            final boolean hasMoved = before == null || before.epoch() != sample.epoch() || before.polls() != sample.polls() ||
                before.received() != sample.received();
            final long sinceNs = hasMoved ? node.timeNs() : before.sinceNs();
            stills.put(sample.rank(), new Still(sample.epoch(), sample.polls(), sample.received(), sinceNs));
            if (sample.open() && sample.backlogSlots() > 0)
            {
                final Finding finding = new Finding(sample, node.timeNs() - sinceNs);
                laggard = laggard.filter(other -> WORST_LAST.compare(other, finding) >= 0).or(() -> Optional.of(finding));
            }
        }
        return laggard;
    }

    private record Still(int epoch, long polls, long received, long sinceNs)
    {
    }
}
