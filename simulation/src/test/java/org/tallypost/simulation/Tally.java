// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.Map;
import java.util.TreeMap;

/** What happened in all seeds together. */
final class Tally
{
    long steps;
    private final Map<String, Long> counts = new TreeMap<>();

    void add(final String what, final long count)
    {
        counts.merge(what, count, Long::sum);
    }

    Map<String, Long> counts()
    {
        counts.put("steps", steps);
        return counts;
    }
}
