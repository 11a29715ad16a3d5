// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.util.EnumMap;
import java.util.Map;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.LinkCounters;

/**
 * What the counters of a node's link to another one said at one moment. They are some tenths of a second old.
 *
 * @param peer   index of the other node.
 * @param values of all counters.
 */
public record LinkStat(int peer, Map<LinkCounter, Long> values)
{
    static LinkStat read(final int peer, final LinkCounters counters)
    {
        final Map<LinkCounter, Long> values = new EnumMap<>(LinkCounter.class);
        for (final LinkCounter counter : LinkCounter.values())
        {
            values.put(counter, counters.get(counter));
        }
        return new LinkStat(peer, values);
    }

    /**
     * Value of a counter.
     *
     * @param counter of the link.
     * @return the value.
     */
    public long value(final LinkCounter counter)
    {
        return values.get(counter);
    }

    /**
     * Shows all counters, in an order that is always the same.
     *
     * @param visitor gets them.
     */
    public void forEach(final Visitor visitor)
    {
        values.forEach((counter, value) -> visitor.onCounter(counter.label(), unit(counter), kind(counter), value));
    }

    private static Kind kind(final LinkCounter counter)
    {
        return counter == LinkCounter.UP || counter == LinkCounter.STATE_TIME ? Kind.GAUGE : Kind.COUNTER;
    }

    private static Unit unit(final LinkCounter counter)
    {
        return switch (counter)
        {
            case UP -> Unit.FLAG;
            case STATE_TIME, UP_TIME, DOWN_TIME, STALL_TIME -> Unit.NANOSECONDS;
            case MESSAGES_SENT, MESSAGES_RECEIVED -> Unit.MESSAGES;
            case BYTES_SENT, BYTES_RECEIVED, BULK_BYTES_SENT, BULK_BYTES_RECEIVED -> Unit.BYTES;
            case UPS, FRAMES_SENT, FRAMES_RECEIVED, BATCHES_SENT, BATCHES_RECEIVED, STALLS, REPAIRS_ASKED, REPAIRS_GIVEN,
                DROPPED, HIGH_FRAMES_SENT, HIGH_FRAMES_RECEIVED, HIGH_BATCHES_SENT, HIGH_BATCHES_RECEIVED -> Unit.EVENTS;
        };
    }
}
