// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * All steps of a run in their order. Every process computes it from the plan, so no process hands out work while time is taken.
 * <p>
 * Flow controls and paths take turns (A B C A B C ...), because the machine's speed drifts: what is compared must be close in
 * time.
 */
public final class Schedule
{
    private final List<Step> steps = new ArrayList<>();
    private int timedCount;

    /**
     * Computes the steps of a plan.
     *
     * @param plan of the run.
     */
    public Schedule(final RunPlan plan)
    {
        addTurns(plan, Phase.VERIFIED, 0, 1);
        for (int done = 0; done < plan.warmupSteps(); done += plan.stepsPerRepeat())
        {
            addTurns(plan, Phase.WARMUP, 0, Math.min(plan.stepsPerRepeat(), plan.warmupSteps() - done));
        }
        for (int repeat = 1; repeat <= plan.repeats(); repeat++)
        {
            addTurns(plan, Phase.TIMED, repeat, plan.stepsPerRepeat());
            if (plan.workload().hasRoundTrips())
            {
                addTurns(plan, Phase.STAMPED, repeat, plan.stepsPerRepeat());
            }
        }
        addTurns(plan, Phase.VERIFIED, 0, 1);
    }

    private void addTurns(final RunPlan plan, final Phase phase, final int repeat, final int count)
    {
        for (final Way way : plan.ways())
        {
            for (int i = 0; i < count; i++)
            {
                final int timedIndex = phase == Phase.TIMED ? timedCount++ : -1;
                steps.add(new Step(steps.size(), way, phase, repeat, timedIndex));
            }
        }
    }

    /**
     * The steps in their order.
     *
     * @return all steps.
     */
    public List<Step> steps()
    {
        return List.copyOf(steps);
    }

    /**
     * Steps of which start and end are kept.
     *
     * @return the number of steps in {@link Phase#TIMED}.
     */
    public int timedCount()
    {
        return timedCount;
    }
}
