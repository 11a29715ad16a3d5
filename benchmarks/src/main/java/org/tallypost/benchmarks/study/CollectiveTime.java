// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;
import java.util.Map;

import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.MeasuredTime;

/**
 * How long an operation took with a number of members and a length, by each algorithm.
 *
 * @param call    the operation.
 * @param members number of members.
 * @param length  of a portion, in bytes.
 * @param nanos   of one use, the median of the turns, in nanoseconds.
 */
record CollectiveTime(CollectiveCall call, int members, int length, Map<Algorithm, Double> nanos)
{
    /**
     * As lines of a profile.
     *
     * @return one for each algorithm.
     */
    List<MeasuredTime> toProfile()
    {
        return nanos.entrySet().stream().map((entry) ->
            new MeasuredTime(call.toString(), members, length, entry.getKey(), entry.getValue())).toList();
    }
}
