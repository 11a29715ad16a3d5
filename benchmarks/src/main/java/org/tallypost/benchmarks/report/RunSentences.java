// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.endpoint.Flow;

/**
 * What the figures of an alltoall say, in sentences that are made of the figures and of nothing else.
 */
public final class RunSentences
{
    /** Medians that differ by less than this are called alike. */
    private static final double ALIKE = 0.02;
    private static final double TWICE = 2;

    private RunSentences()
    {
    }

    /**
     * The sentences: what credits cost, how dynamic ones compare with static ones, and what memory and waiting that is; and how
     * the paths of messages compare.
     *
     * @param plan    of the run.
     * @param results of its flow controls and paths.
     * @return no sentence for other workloads, and none about a flow control that was not run.
     */
    public static List<String> of(final RunPlan plan, final List<FlowResult> results)
    {
        if (plan.paths().size() == 1)
        {
            return ofOnePath(plan, results);
        }
        final List<String> sentences = new ArrayList<>();
        for (final MessagePath path : plan.paths())
        {
            ofOnePath(plan, ofPath(results, path)).forEach((sentence) -> sentences.add("By " + path.label() + ": " + sentence));
        }
        for (final Flow flow : plan.flows())
        {
            sentences.add(paths(plan, results, flow));
        }
        return sentences;
    }

    private static List<FlowResult> ofPath(final List<FlowResult> results, final MessagePath path)
    {
        return results.stream().filter((result) -> result.path() == path).toList();
    }

    /** Medians of the paths under one flow control, each as a multiple of the first path's. */
    private static String paths(final RunPlan plan, final List<FlowResult> results, final Flow flow)
    {
        final MessagePath first = plan.paths().get(0);
        final double reference = result(ofPath(results, first), flow).timeNs().median();
        return plan.paths().stream().skip(1)
            .map((path) -> String.format(Locale.ROOT, "%.2f times as long by %s",
                result(ofPath(results, path), flow).timeNs().median() / reference, path.label()))
            .collect(Collectors.joining(" and ",
                "With flow " + Units.lower(flow) + " an alltoall took ", " as by " + first.label() + "."));
    }

    private static List<String> ofOnePath(final RunPlan plan, final List<FlowResult> results)
    {
        final List<String> sentences = new ArrayList<>();
        final FlowResult none = result(results, Flow.NONE);
        final FlowResult fixed = result(results, Flow.STATIC);
        final FlowResult dynamic = result(results, Flow.DYNAMIC);
        if (plan.workload() != WorkloadKind.ALLTOALL)
        {
            return sentences;
        }
        if (none != null && dynamic != null)
        {
            sentences.add(cost(plan, dynamic, fixed));
        }
        if (fixed != null && dynamic != null)
        {
            sentences.add(comparison(plan, fixed, dynamic));
        }
        if (none != null && dynamic != null)
        {
            sentences.add(memory(none, dynamic, fixed));
        }
        return sentences;
    }

    private static FlowResult result(final List<FlowResult> results, final Flow flow)
    {
        return results.stream().filter((result) -> result.flow() == flow).findFirst().orElse(null);
    }

    private static String cost(final RunPlan plan, final FlowResult dynamic, final FlowResult fixed)
    {
        final String active = plan.active() == plan.ranks() ?
            String.format(Locale.ROOT, "With all %,d ranks active", plan.ranks()) :
            String.format(Locale.ROOT, "With %,d of %,d ranks active", plan.active(), plan.ranks());
        return active + " an alltoall took " + change(dynamic.overhead()) + " with dynamic credits than without flow control" +
            (fixed == null ? "." : ", and " + change(fixed.overhead()) + " with static ones.");
    }

    private static String change(final double overhead)
    {
        return String.format(Locale.ROOT, overhead < 0 ? "%.0f %% less time" : "%.0f %% more time", Math.abs(overhead) * 100);
    }

    private static String comparison(final RunPlan plan, final FlowResult fixed, final FlowResult dynamic)
    {
        final double ratio = fixed.timeNs().median() / dynamic.timeNs().median();
        final String found;
        if (Math.abs(ratio - 1) < ALIKE)
        {
            found = "Dynamic credits took as long as static ones";
        }
        else if (ratio >= TWICE)
        {
            found = String.format(Locale.ROOT, "Dynamic credits were %.1f times as fast as static ones", ratio);
        }
        else
        {
            found = String.format(Locale.ROOT, "Dynamic credits were %s than static ones, by %.0f %% of the time of those",
                ratio > 1 ? "faster" : "slower", Math.abs(1 - 1 / ratio) * 100);
        }
        final boolean isFaster = ratio - 1 >= ALIKE;
        final String why = plan.active() == plan.ranks() && !isFaster ? "no rank rests, so there are no unused slots to move" :
            dynamic.creditsStolen() == 0 ? "quotas had settled before the measured turns" :
            String.format(Locale.ROOT, "%,d credits were moved between quotas in the measured turns", dynamic.creditsStolen());
        return found + ": " + why + ".";
    }

    private static String memory(final FlowResult none, final FlowResult dynamic, final FlowResult fixed)
    {
        final String waited = fixed == null ? "" :
            String.format(Locale.ROOT, " (static: %.0f %%)", fixed.delayedShare() * 100);
        return String.format(Locale.ROOT,
            "A mailbox took %s with credits and %s without; %.0f %% of the messages waited for dynamic credits%s.",
            Units.bytes(dynamic.mailboxBytes()), Units.bytes(none.mailboxBytes()), dynamic.delayedShare() * 100, waited);
    }
}
