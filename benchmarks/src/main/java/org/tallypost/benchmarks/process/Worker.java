// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.benchmarks.workload.Participant;
import org.tallypost.benchmarks.workload.Pattern;
import org.tallypost.benchmarks.workload.RankGroup;
import org.tallypost.endpoint.EndpointCounters;

/**
 * A worker process: drives its ranks on one thread through the schedule. Started by {@link Coordinator} only.
 * <p>
 * Exit codes: 0 done, 1 failed, {@value #EXIT_STOPPED} stopped because another process failed, {@value #EXIT_ORPHANED} the parent
 * is gone.
 */
public final class Worker
{
    static final int EXIT_FAILED = 1;
    static final int EXIT_STOPPED = 4;
    static final int EXIT_ORPHANED = 5;

    private static final int MEETING_SPINS = 500;
    private static final int MEETING_YIELDS = 10_000;
    private static final int TURNS_PER_LOOK_UP = 4096;
    private static final int IDLE_SWEEPS_PER_LOOK_UP = 64;
    private static final long LOOK_UP_INTERVAL_NS = 20_000_000;
    private static final int RANKS_REPORTED = 4;

    private final WorkDirectory directory;
    private final RunPlan plan;
    private final int process;
    private final ControlFile control;
    private final List<FlowRun> runs = new ArrayList<>();
    private final IdleStrategy meetingIdle;
    private long meeting;
    private long moved;

    private Worker(final WorkDirectory directory, final int process) throws IOException
    {
        this.directory = directory;
        this.process = process;
        plan = directory.readPlan();
        control = ControlFile.map(directory.controlFile());
        // With more spinning threads than cores the others' time slices would be spent waiting.
        final boolean hasOwnCore = plan.processes() <= Runtime.getRuntime().availableProcessors();
        meetingIdle = new BackoffIdleStrategy(hasOwnCore ? MEETING_SPINS : 0, MEETING_YIELDS, 1_000, 200_000);
    }

    /**
     * Entry point.
     *
     * @param args the directory of the run and the index of this process.
     */
    public static void main(final String[] args)
    {
        final WorkDirectory directory = WorkDirectory.of(new File(args[0]));
        ParentWatch.start(directory, EXIT_ORPHANED);
        int exitCode;
        try
        {
            exitCode = new Worker(directory, Integer.parseInt(args[1])).run();
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            ex.printStackTrace();
            exitCode = EXIT_FAILED;
        }
        System.exit(exitCode);
    }

    private int run() throws IOException
    {
        try
        {
            open();
            final Schedule schedule = new Schedule(plan);
            for (final Step step : schedule.steps())
            {
                runStep(step);
            }
            writeResult();
            meet();
            CloseHelper.closeAll(runs);
            return 0;
        }
        catch (final StoppedException ex)
        {
            if (control.stopReason() == ControlFile.STALLED && control.step(process) != ControlFile.OPENING)
            {
                reportWaiting();
            }
            return EXIT_STOPPED;
        }
        catch (final RuntimeException | Error ex)
        {
            control.stop(ControlFile.FAILED);
            throw ex;
        }
    }

    private void open()
    {
        final Pattern pattern = new Pattern(plan.ranks(), plan.messageLength());
        for (final Way way : plan.ways())
        {
            final FlowRun run = new FlowRun(way, plan, directory.directory(), process);
            runs.add(run);
            for (final int rank : plan.ranksOf(process))
            {
                run.open(rank);
                control.moved(process, ++moved);
            }
            run.prepare(plan, pattern);
        }
        meet();
        for (final FlowRun run : runs)
        {
            run.connect(this::stopIfAsked);
        }
        meet();
    }

    private void runStep(final Step step)
    {
        final FlowRun run = runs.get(plan.ways().indexOf(step.way()));
        final RankGroup group = run.group();
        final boolean isMeasured = step.phase() == Phase.TIMED || step.phase() == Phase.STAMPED;
        if (isMeasured)
        {
            run.measured(false);
        }
        control.step(process, step.index());
        meet();
        final long startNs = System.nanoTime();
        group.begin(step);
        drive(group, run.idle());
        final long endNs = System.nanoTime();
        control.moved(process, ++moved);
        if (step.phase() == Phase.TIMED)
        {
            control.times(process, step.timedIndex(), startNs, endNs);
        }
        meet();
        if (isMeasured)
        {
            run.measured(true);
        }
    }

    private void drive(final RankGroup group, final IdleStrategy idle)
    {
        final int turns = Math.max(1, group.participants().size());
        final int lookUpInterval = Math.max(1, TURNS_PER_LOOK_UP / turns);
        final long movedBefore = moved - group.messagesMoved();
        long lookUpNs = System.nanoTime();
        int idleSweeps = 0;
        int sweepsToLookUp = lookUpInterval;
        while (!group.isDone())
        {
            final int work = group.sweep();
            idle.idle(work);
            // an idle sweep may have slept for a while
            final boolean isLate = work == 0 && ++idleSweeps % IDLE_SWEEPS_PER_LOOK_UP == 0 &&
                System.nanoTime() - lookUpNs > LOOK_UP_INTERVAL_NS;
            if (--sweepsToLookUp == 0 || isLate)
            {
                sweepsToLookUp = lookUpInterval;
                lookUpNs = System.nanoTime();
                lookUp(group, movedBefore + group.messagesMoved());
            }
        }
        moved = movedBefore + group.messagesMoved();
    }

    private void lookUp(final RankGroup group, final long movedNow)
    {
        if (movedNow == moved)
        {
            publishStates(group);
        }
        moved = movedNow;
        control.moved(process, moved);
        stopIfAsked();
    }

    /** All processes come, then all go on. Nothing else is polled meanwhile: no message is under way between steps. */
    private void meet()
    {
        control.arrive(process, ++meeting);
        meetingIdle.reset();
        while (!control.haveAllArrived(meeting))
        {
            stopIfAsked();
            meetingIdle.idle();
        }
    }

    private void stopIfAsked()
    {
        if (control.stopReason() != ControlFile.RUNNING)
        {
            throw new StoppedException();
        }
    }

    private void publishStates(final RankGroup group)
    {
        for (final Participant participant : group.participants())
        {
            control.rankState(participant.rank(), stateOf(participant));
        }
    }

    private static RankState stateOf(final Participant participant)
    {
        return new RankState(
            participant.rank(),
            participant.sent(),
            participant.sendsExpected(),
            participant.received(),
            participant.receivesExpected());
    }

    private void reportWaiting()
    {
        final Step step = new Schedule(plan).steps().get(control.step(process));
        final RankGroup group = runs.get(plan.ways().indexOf(step.way())).group();
        publishStates(group);
        group.participants().stream()
            .filter(participant -> !participant.isDone())
            .sorted(Comparator.comparingLong(participant -> -stateOf(participant).missing()))
            .limit(RANKS_REPORTED)
            .forEach(participant ->
            {
                final EndpointCounters counters = participant.endpoint().counters();
                System.err.println(stateOf(participant) + "; waits for " + participant.waitsFor() +
                    "; since its start: sent " + counters.sent() + ", received " + counters.received() +
                    ", stalls " + counters.stalls() + ", credit packets " + counters.creditPackets() +
                    ", requests " + counters.requests() + ", responses " + counters.responses());
            });
    }

    private void writeResult() throws IOException
    {
        final List<FlowCounts> counts = new ArrayList<>();
        for (final FlowRun run : runs)
        {
            counts.add(run.counts());
        }
        directory.writeResult(new WorkerResult(process, counts));
    }

    /** Another process has failed, or nothing moves. */
    private static final class StoppedException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        StoppedException()
        {
            super("stopped", null, false, false);
        }
    }
}
