// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;


/**
 * One thread of a trial. All of them go through the same steps: warm-up runs, and for each phase some runs that
 * count.
 */
abstract class TrialParty
{
    private static final long COMPILER_NS = 15_000_000;

    final TrialSpec spec;
    final Pace pace;
    final Pace.Waiter waiter;
    private final int party;
    private final int warmups;
    private long step;

    TrialParty(
        final TrialSpec spec,
        final Pace pace,
        final Pace.Waiter waiter,
        final int party,
        final int warmups)
    {
        this.spec = spec;
        this.pace = pace;
        this.waiter = waiter;
        this.party = party;
        this.warmups = warmups;
    }

    /** Goes through all steps; the receiver returns the runs of each phase. */
    final Map<Phase, List<TrialRun>> go()
    {
        final Map<Phase, List<TrialRun>> found = new EnumMap<>(Phase.class);
        for (int i = 0; i < warmups; i++)
        {
            for (final Phase phase : spec.study().phases())
            {
                runStep(phase);
            }
            arrive();
            // both cores were busy: now the compiler has one, and not during a run that counts
            LockSupport.parkNanos(COMPILER_NS);
        }
        for (final Phase phase : spec.study().phases())
        {
            final List<TrialRun> runs = new ArrayList<>();
            for (int i = 0; i < spec.runs(); i++)
            {
                runs.add(runStep(phase));
            }
            found.put(phase, runs);
        }
        return found;
    }

    private void arrive()
    {
        pace.await(party, ++step, waiter);
    }

    private TrialRun runStep(final Phase phase)
    {
        arrive();
        return run(step, phase);
    }

    /** A run; the receiver returns its figures, the others null. */
    abstract TrialRun run(long step, Phase phase);
}
