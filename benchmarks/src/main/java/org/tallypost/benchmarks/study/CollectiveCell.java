// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Map;

import org.tallypost.collectives.Algorithm;

/**
 * An operation with a number of members and a length: its times by each algorithm, and what a team chooses.
 *
 * @param time   as measured.
 * @param chosen algorithm that a team goes by.
 */
record CollectiveCell(CollectiveTime time, Algorithm chosen)
{
    /** Nanoseconds of one use by an algorithm. */
    double nanos(final Algorithm algorithm)
    {
        return time.nanos().get(algorithm);
    }

    Algorithm best()
    {
        Algorithm best = chosen;
        for (final Map.Entry<Algorithm, Double> entry : time.nanos().entrySet())
        {
            if (entry.getValue() < nanos(best))
            {
                best = entry.getKey();
            }
        }
        return best;
    }

    /** What Open MPI's rules choose; the blocks if that is not possible here. */
    Algorithm byRules()
    {
        final Algorithm found =
            OpenMpiRules.choose(time.call() == CollectiveCall.ALL_REDUCE, time.members(), time.length());
        return time.nanos().containsKey(found) ? found : Algorithm.BLOCKS;
    }

    /** How many times the best one's time an algorithm takes. */
    double ratio(final Algorithm algorithm)
    {
        return nanos(algorithm) / nanos(best());
    }
}
