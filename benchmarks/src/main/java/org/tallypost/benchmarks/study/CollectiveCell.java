// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.EnumMap;
import java.util.Map;

import org.tallypost.collectives.Algorithm;

/**
 * An operation with a number of members and a length, by each algorithm.
 */
final class CollectiveCell
{
    private final CollectiveCall call;
    private final int members;
    private final int length;
    private final Algorithm chosen;
    private final Map<Algorithm, Double> nanos;

    CollectiveCell(
        final CollectiveCall call, final int members, final int length, final Algorithm chosen,
        final Map<Algorithm, Double> nanos)
    {
        this.call = call;
        this.members = members;
        this.length = length;
        this.chosen = chosen;
        this.nanos = new EnumMap<>(nanos);
    }

    CollectiveCall call()
    {
        return call;
    }

    int members()
    {
        return members;
    }

    int length()
    {
        return length;
    }

    Algorithm chosen()
    {
        return chosen;
    }

    /** Nanoseconds of one use by an algorithm. */
    Map<Algorithm, Double> nanos()
    {
        return nanos;
    }

    Algorithm best()
    {
        Algorithm best = chosen;
        for (final Map.Entry<Algorithm, Double> entry : nanos.entrySet())
        {
            if (entry.getValue() < nanos.get(best))
            {
                best = entry.getKey();
            }
        }
        return best;
    }

    /** What Open MPI's rules choose; the blocks if that is not possible here. */
    Algorithm byRules()
    {
        final Algorithm found = OpenMpiRules.choose(call == CollectiveCall.ALL_REDUCE, members, length);
        return nanos.containsKey(found) ? found : Algorithm.BLOCKS;
    }

    /** How many times the best one's time an algorithm takes. */
    double ratio(final Algorithm algorithm)
    {
        return nanos.get(algorithm) / nanos.get(best());
    }
}
