// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.util.StringJoiner;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;

/**
 * What the services or the topics of a rank have counted. Written by their thread; any thread may read, and sees values that were
 * right a moment ago.
 */
public final class ServicesCounters
{
    /** A counter. */
    public enum Counter
    {
        /** Requests that were sent. */
        REQUESTS("requests", Unit.MESSAGES),
        /** Requests that came. */
        SERVED("served", Unit.MESSAGES),
        /** Answers that came in time. */
        ANSWERS("answers", Unit.MESSAGES),
        /** Answers that came too late, or to no request. */
        LATE_ANSWERS("lateAnswers", Unit.MESSAGES),
        /** Requests that have ended without an answer, the others of these included. */
        FAILURES("failures", Unit.EVENTS),
        /** Requests for which the time was over. */
        TIMEOUTS("timeouts", Unit.EVENTS),
        /** Messages that waited for credits in the outbox. */
        STORED("stored", Unit.MESSAGES),
        /** Names that two ranks serve. */
        DUPLICATES("duplicates", Unit.EVENTS),
        /** Messages that were published on topics. */
        PUBLISHED("published", Unit.MESSAGES),
        /** Messages of topics that listeners got. */
        RECEIVED("received", Unit.MESSAGES),
        /** Messages of topics that went to subscribers on other nodes, each counted for each of them. */
        FORWARDED("forwarded", Unit.MESSAGES),
        /** Messages of topics that slow subscribers have lost, as they were told. */
        LOST("lost", Unit.MESSAGES),
        /** Subscribers that were dropped because they were slow. */
        DROPPED("dropped", Unit.EVENTS),
        /** Messages of an unknown kind, or too short, or with a name or number that cannot be. */
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

    ServicesCounters()
    {
    }

    void add(final Counter counter)
    {
        add(counter, 1);
    }

    void add(final Counter counter, final long count)
    {
        values[counter.ordinal()] += count;
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
        final StringJoiner text = new StringJoiner(", ", "ServicesCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
