// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.StringJoiner;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;

/**
 * What the collectives of an endpoint have counted since they were attached: messages of teams over several nodes. Written by the
 * thread that polls the endpoint; any thread may read, and sees values that were right a moment ago.
 */
public final class CollectivesCounters
{
    private long taken;
    private long refused;

    CollectivesCounters()
    {
    }

    /** A message has come, and was taken or refused. */
    void count(final boolean isTaken)
    {
        if (isTaken)
        {
            taken++;
        }
        else
        {
            refused++;
        }
    }

    /**
     * Shows all counters, always in the same order. Allocates nothing.
     *
     * @param visitor that is shown each once.
     */
    public void forEach(final Visitor visitor)
    {
        visitor.onCounter("taken", Unit.MESSAGES, Kind.COUNTER, taken);
        visitor.onCounter("refused", Unit.MESSAGES, Kind.COUNTER, refused);
    }

    /**
     * Messages of other members that belonged to a team as it was.
     *
     * @return their number.
     */
    public long taken()
    {
        return taken;
    }

    /**
     * Messages that were dropped: malformed, of a team or a session that is not here, or of a rank that does not send such ones.
     * Some are dropped when teams begin or end, and do no harm. A number that grows meanwhile tells of another version, or of
     * forged messages.
     *
     * @return their number.
     */
    public long refused()
    {
        return refused;
    }

    @Override
    public String toString()
    {
        final StringJoiner text = new StringJoiner(", ", "CollectivesCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
