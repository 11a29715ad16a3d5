// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import java.util.StringJoiner;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;

/**
 * What was counted since the launch. Written by the thread of the active messages; any thread may read, and sees values that were
 * right a moment ago.
 */
public final class ActiveMessagesCounters
{
    /** A counter. */
    public enum Counter
    {
        /** Requests that went out, those with blocks and parts of stores included. */
        SENT_REQUESTS("sentRequests", Unit.MESSAGES),
        /** Answers that went out. */
        SENT_REPLIES("sentReplies", Unit.MESSAGES),
        /** Answers that had to be stored first: there was no credit when the handler had run. */
        STORED_REPLIES("storedReplies", Unit.MESSAGES),
        /** Answers that went out with high priority. They count as answers that went out, too. */
        HIGH_REPLIES("highReplies", Unit.MESSAGES),
        /** Requests that came. */
        RECEIVED_REQUESTS("receivedRequests", Unit.MESSAGES),
        /** Answers that came. */
        RECEIVED_REPLIES("receivedReplies", Unit.MESSAGES),
        /** Requests of this rank that ended without an answer. */
        FAILED_REQUESTS("failedRequests", Unit.EVENTS),
        /** Requests of others for which there was no handler, or no segment. */
        UNKNOWN_HANDLERS("unknownHandlers", Unit.EVENTS),
        /** Requests of others beyond the window. */
        BEYOND_WINDOW("beyondWindow", Unit.EVENTS),
        /** Answers to no request: a second one, or a forged one. */
        STALE_REPLIES("staleReplies", Unit.EVENTS),
        /** Messages of an unknown kind or a wrong length, or requests that are already under way. */
        REFUSED("refused", Unit.MESSAGES),
        /** Times that a sending call found no place in the window, or no credit, and went on polling. */
        WAITS("waits", Unit.EVENTS);

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

    ActiveMessagesCounters()
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
        final StringJoiner text = new StringJoiner(", ", "ActiveMessagesCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
