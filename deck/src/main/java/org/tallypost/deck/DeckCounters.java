// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.StringJoiner;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;

/** What a deck has counted. Written by its thread; any thread may read, and sees values that were right a moment ago. */
public final class DeckCounters
{
    /** A counter. */
    public enum Counter
    {
        /** Messages that were posted, those that failed included. */
        POSTED("posted", Unit.MESSAGES),
        /** Messages that came into mail boxes. */
        ARRIVED("arrived", Unit.MESSAGES),
        /** Posted messages that needed a handshake. */
        LARGE("large", Unit.MESSAGES),
        /** Times that a message to be posted found no token. */
        EXHAUSTED("exhausted", Unit.EVENTS),
        /** Messages that came and waited for a buffer of the mail box. */
        HELD("held", Unit.MESSAGES),
        /** Messages to a mail box that is closed, of a process that has ended, or for a request that is over. */
        UNDELIVERED("undelivered", Unit.MESSAGES),
        /** Messages of an unknown kind, or with a number, length or name that cannot be. */
        REFUSED("refused", Unit.MESSAGES);

        private final String label;
        private final Unit unit;

        Counter(final String label, final Unit unit)
        {
            this.label = label;
            this.unit = unit;
        }
    }

    private static final Counter[] ALL = Counter.values();

    private final long[] values = new long[ALL.length];

    DeckCounters()
    {
    }

    void add(final Counter counter)
    {
        values[counter.ordinal()]++;
    }

    /**
     * The value of a counter.
     *
     * @param counter that is asked for.
     * @return how often it has happened.
     */
    public long get(final Counter counter)
    {
        return values[counter.ordinal()];
    }

    /**
     * Shows all counters, always in the same order. Allocates nothing.
     *
     * @param visitor that is shown each once.
     */
    public void forEach(final Visitor visitor)
    {
        for (final Counter counter : ALL)
        {
            visitor.onCounter(counter.label, counter.unit, Kind.COUNTER, get(counter));
        }
    }

    @Override
    public String toString()
    {
        final StringJoiner text = new StringJoiner(", ", "DeckCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
