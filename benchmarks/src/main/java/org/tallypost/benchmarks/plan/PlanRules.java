// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Which plans can be run, and how much work makes a good measurement.
 */
public final class PlanRules
{
    /** Most endpoints in a group. */
    public static final int MAX_RANKS = 1 << 20;
    /** Most slots of a mailbox. */
    public static final int MAX_MAILBOX_SLOTS = 1 << 24;

    private static final int MAX_PROCESSES = 1024;
    private static final int MAX_OPERATIONS = 1 << 24;
    /** Every process keeps the whole schedule, so that nothing is decided while time is taken. */
    private static final int MAX_STEPS = 200_000;
    private static final long TURN_MESSAGES = 20_000;
    private static final long WARMUP_MESSAGES = 200_000;
    private static final long TURN_BYTES = 256L * 1024 * 1024;
    private static final int MAX_STEPS_PER_TURN = 200;
    private static final int MAX_WARMUP_STEPS = 2000;
    /** In the reference all messages of a step lie in one mailbox, and all mailboxes are equally large. */
    private static final long RATE_STEP_BYTES = 8L * 1024 * 1024;
    /** With the verified step before, at least once through all memory of the reference. */
    private static final int MIN_WARMUP = 4;

    private PlanRules()
    {
    }

    /**
     * Operations in a turn that make it long enough to be timed and short enough to take turns with others.
     *
     * @param workload      the pattern.
     * @param messages      sent by all ranks in one operation.
     * @param messageLength in bytes.
     * @return operations, at least 1.
     */
    public static int operationsPerTurn(final WorkloadKind workload, final long messages, final int messageLength)
    {
        final long turnBytes = workload == WorkloadKind.RATE ? RATE_STEP_BYTES : TURN_BYTES;
        final long wanted = Math.min(TURN_MESSAGES, turnBytes / Math.max(1, messageLength)) / Math.max(1, messages);
        return (int)Math.max(1, workload == WorkloadKind.ALLTOALL ? Math.min(MAX_STEPS_PER_TURN, wanted) : wanted);
    }

    /**
     * Operations before measuring: the JVM compiles what runs often, and memory is touched for the first time.
     *
     * @param workload      the pattern.
     * @param messages      sent by all ranks in one operation.
     * @param messageLength in bytes.
     * @return operations, at least 4.
     */
    public static int warmupOperations(final WorkloadKind workload, final long messages, final int messageLength)
    {
        final long wanted = Math.min(WARMUP_MESSAGES, 10 * TURN_BYTES / Math.max(1, messageLength)) / Math.max(1, messages);
        return (int)Math.max(MIN_WARMUP, workload == WorkloadKind.ALLTOALL ? Math.min(MAX_WARMUP_STEPS, wanted) : wanted);
    }

    /**
     * Alltoalls in which each mailbox with credits is filled once around, so that its memory was touched before measuring.
     *
     * @param ranks         in the group.
     * @param slots         for each of them in a mailbox.
     * @param active        ranks that take part.
     * @param path          of the messages; of several the one with the fewest slots.
     * @param messageLength in bytes.
     * @return operations, at most 2,000.
     */
    public static int operationsPerLap(
        final int ranks, final int slots, final int active, final MessagePath path, final int messageLength)
    {
        // of a power of two of slots
        final long ringSlots = 2L * slots * ranks;
        final long each = Math.max(1, active - 1) * Sizing.slotsOf(path, messageLength);
        return (int)Math.min(MAX_WARMUP_STEPS, (ringSlots + each - 1) / each);
    }

    /**
     * What makes a plan impossible.
     *
     * @param plan to look at.
     * @return the option with what was found and what is expected, or nothing if the plan can be run.
     */
    public static Optional<String> problem(final RunPlan plan)
    {
        final int leastRanks = 2;
        final UnaryOperator<String> ofRanks = (text) -> text + " for --ranks " + plan.ranks();
        Optional<String> problem = range("--ranks", plan.ranks(), leastRanks, MAX_RANKS)
            .or(() -> range("--processes", plan.processes(), 1, Math.min(plan.ranks(), MAX_PROCESSES)).map(ofRanks))
            .or(() -> range("--active", plan.active(), leastRanks, plan.ranks()).map(ofRanks))
            .or(() -> range("--length", plan.messageLength(), 1, Endpoint.MAX_MESSAGE_LENGTH))
            .or(() -> range("--credit-slots", plan.creditSlots(), 1, MAX_MAILBOX_SLOTS / 2))
            .or(() -> range("--slots", plan.slots(), 2 * plan.creditSlots(), MAX_MAILBOX_SLOTS / plan.ranks())
                .map((text) -> text + " for --credit-slots " + plan.creditSlots() + " and --ranks " + plan.ranks()))
            .or(() -> range("--repeat", plan.repeats(), 1, MAX_OPERATIONS))
            .or(() -> range("--operations", Math.max(plan.stepsPerRepeat(), plan.unitsPerStep()), 1, MAX_OPERATIONS))
            .or(() -> range("--operations", Math.min(plan.stepsPerRepeat(), plan.unitsPerStep()), 1, MAX_OPERATIONS))
            .or(() -> range("--warmup", plan.warmupSteps(), 0, MAX_STEPS))
            .or(() -> range("--repeat times --operations", (long)plan.repeats() * plan.stepsPerRepeat(), 1, MAX_STEPS));
        if (problem.isEmpty() && plan.nodes().count() != 1)
        {
            problem = nodesProblem(plan);
        }
        if (problem.isEmpty() && plan.workload().hasRoundTrips())
        {
            problem = even("--ranks", plan.ranks()).or(() -> even("--active", plan.active()));
        }
        return problem.or(() -> memoryProblem(plan));
    }

    private static Optional<String> memoryProblem(final RunPlan plan)
    {
        for (final MessagePath path : plan.paths())
        {
            if (plan.flows().contains(Flow.NONE) && Sizing.ringSlots(plan, path) > MAX_MAILBOX_SLOTS)
            {
                return Optional.of(String.format(
                    Locale.ROOT,
                    "--flow none: found mailboxes of %,d slots, needed to hold %,d messages of %,d bytes; expected at most %,d",
                    Sizing.ringSlots(plan, path), plan.unreadMessagesLimit(), plan.messageLength(), MAX_MAILBOX_SLOTS));
            }
        }
        final boolean isInReach =
            !plan.paths().contains(MessagePath.REGIONS) || Sizing.regionBytes(plan) <= RegionMemory.MAX_LENGTH;
        return isInReach ? Optional.empty() : Optional.of(String.format(
            Locale.ROOT,
            "--path regions: found %,d bytes of regions in a process, expected at most %,d: fewer ranks in a process, or " +
            "shorter messages",
            Sizing.regionBytes(plan), RegionMemory.MAX_LENGTH));
    }

    private static Optional<String> nodesProblem(final RunPlan plan)
    {
        final int nodes = plan.nodes().count();
        if (plan.processes() % Math.max(1, nodes) != 0)
        {
            return Optional.of("--nodes: found " + nodes + ", expected a number of which --processes " + plan.processes() +
                " is a multiple");
        }
        if (plan.flows().contains(Flow.NONE) || plan.creditReturn() != CreditReturn.DIRECT)
        {
            return Optional.of("--nodes: between nodes credits bound what is under way; expected --flow static or dynamic and " +
                "--credit-return direct");
        }
        return range("--nodes", nodes, 1, plan.processes());
    }

    private static Optional<String> range(final String option, final long found, final long least, final long most)
    {
        return found >= least && found <= most ? Optional.empty() : Optional.of(String.format(
            Locale.ROOT, "%s: found %,d, expected %,d to %,d", option, found, least, most));
    }

    private static Optional<String> even(final String option, final int found)
    {
        return found % 2 == 0 ? Optional.empty() :
            Optional.of(option + ": found " + found + ", expected an even number, because ranks talk in pairs");
    }
}
