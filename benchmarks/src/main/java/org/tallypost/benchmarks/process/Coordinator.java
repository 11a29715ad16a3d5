// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.agrona.CloseHelper;
import org.tallypost.benchmarks.harness.ShutdownHooks;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.benchmarks.plan.Step;

/**
 * The parent of a run: starts the workers, watches that messages move, and takes everything down again, whatever happens. It
 * sleeps while time is taken; the workers find their way by the schedule.
 */
public final class Coordinator
{
    private static final long LOOK_INTERVAL_MS = 20;
    private static final long GRACE_MS = 30_000;
    private static final double NS_PER_S = 1e9;

    private final RunPlan plan;
    private final File parent;
    private final ProgressListener listener;
    private final PrintStream errorStream;
    private final Schedule schedule;
    private final List<String> flags;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private volatile Namespaces namespaces;
    /** Null until it is made; by the lock of the workers. */
    private WorkDirectory directory;
    private volatile boolean isInterrupted;

    /**
     * Creates the parent of a run.
     *
     * @param plan        of the run.
     * @param parent      directory below which the run's own directory is created and removed.
     * @param listener    hears how the run goes on.
     * @param errorStream gets what the workers write to their standard error.
     */
    public Coordinator(
        final RunPlan plan, final File parent, final ProgressListener listener, final PrintStream errorStream)
    {
        this.plan = plan;
        this.parent = parent;
        this.listener = listener;
        this.errorStream = errorStream;
        schedule = new Schedule(plan);
        flags = WorkerProcess.flags(Sizing.heapMebibytes(plan));
    }

    /**
     * Runs the plan to its end.
     *
     * @return what came out; failures of workers are in it and not thrown.
     * @throws IOException          if the directory of the run cannot be written.
     * @throws InterruptedException if the calling thread is interrupted.
     * @throws IllegalStateException if the process is ending; then nothing is left of the run.
     */
    public RunOutcome run() throws IOException, InterruptedException
    {
        final Thread hook = new Thread(this::interrupted, "take-down");
        // before there is anything to take down: the process may end between the two
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            makeDirectory();
        }
        catch (final IOException | RuntimeException ex)
        {
            ShutdownHooks.remove(hook);
            throw ex;
        }
        try (ControlFile control = ControlFile.create(
            directory.controlFile(), plan.processes(), plan.ranks(), schedule.timedCount()))
        {
            directory.writePlan(plan);
            namespaces = plan.nodes().namespaces().isEmpty() ? null : Namespaces.create(plan.nodes().namespaces());
            IntStream.range(0, plan.processes()).forEach(process -> control.step(process, ControlFile.OPENING));
            startWorkers();
            final String failure = watch(control);
            if (failure != null)
            {
                return RunOutcome.failed(flags, isInterrupted ? "interrupted" : failure);
            }
            final long[] durationsNs = IntStream.range(0, schedule.timedCount()).mapToLong(control::durationNs).toArray();
            return new RunOutcome(directory.readResults(plan.processes()), durationsNs, flags, null);
        }
        finally
        {
            takeDown();
            listener.onEnd();
            ShutdownHooks.remove(hook);
        }
    }

    private void makeDirectory() throws IOException
    {
        synchronized (workers)
        {
            checkNotInterrupted();
            directory = WorkDirectory.create(parent);
        }
    }

    /** What is made once the hook has run is taken down by nobody. */
    private void checkNotInterrupted()
    {
        if (isInterrupted)
        {
            throw new IllegalStateException("no run is begun while the process ends");
        }
    }

    private void startWorkers() throws IOException
    {
        for (int i = 0; i < plan.processes(); i++)
        {
            synchronized (workers)
            {
                checkNotInterrupted();
                workers.add(WorkerProcess.start(i, prefix(i), flags, directory, errorStream));
            }
        }
        listener.onStarted(workers.stream().mapToLong(WorkerProcess::pid).toArray());
    }

    private List<String> prefix(final int process)
    {
        return namespaces == null ? List.of() : Namespaces.prefix(plan.nodes().namespaces().get(plan.nodeOf(process)));
    }

    /** Returns why the run failed, or null. */
    private String watch(final ControlFile control) throws InterruptedException
    {
        long movedBefore = -1;
        long movedAtNs = System.nanoTime();
        while (workers.stream().anyMatch(WorkerProcess::isAlive))
        {
            TimeUnit.MILLISECONDS.sleep(LOOK_INTERVAL_MS);
            if (workers.stream().anyMatch(worker -> !worker.isAlive() && worker.exitCode() != 0))
            {
                control.stop(ControlFile.FAILED);
                awaitAll();
                break;
            }
            final long moved = IntStream.range(0, plan.processes()).mapToLong(control::moved).sum();
            final long nowNs = System.nanoTime();
            if (moved != movedBefore)
            {
                movedBefore = moved;
                movedAtNs = nowNs;
            }
            else if (nowNs - movedAtNs > plan.timeoutNs())
            {
                return stalled(control);
            }
            report(control, moved);
        }
        return exitFailure();
    }

    private void report(final ControlFile control, final long moved)
    {
        final int step = control.step(0);
        if (step == ControlFile.OPENING)
        {
            listener.onOpening(moved, (long)plan.ranks() * plan.ways().size());
        }
        else
        {
            listener.onStep(schedule.steps().get(step));
        }
    }

    private String exitFailure() throws InterruptedException
    {
        awaitAll();
        // One worker fails by itself, the others stop because of it: name the one.
        return workers.stream()
            .filter(worker -> worker.isAlive() || worker.exitCode() != 0)
            .min(Comparator.comparing(worker -> worker.isAlive() || worker.exitCode() == Worker.EXIT_STOPPED))
            .map(worker -> name(worker) + (worker.isAlive() ?
                " does not end" : " ended with exit code " + worker.exitCode() + signalText(worker.exitCode())))
            .orElse(null);
    }

    private static String signalText(final int exitCode)
    {
        return exitCode > 128 ? " (signal " + (exitCode - 128) + ")" : "";
    }

    private String stalled(final ControlFile control) throws InterruptedException
    {
        final int[] steps = IntStream.range(0, plan.processes()).map(control::step).toArray();
        final int least = Arrays.stream(steps).min().orElse(0);
        control.stop(ControlFile.STALLED);
        awaitAll();
        final String where = "no message moved for " + plan.timeoutNs() / NS_PER_S + " s " +
            (least == ControlFile.OPENING ? "while ranks were opened: " : stepText(schedule.steps().get(least)));
        final List<WorkerProcess> silent = workers.stream().filter(WorkerProcess::isAlive).toList();
        if (!silent.isEmpty())
        {
            return where + name(silent.get(0)) + " does not answer" + laggard(control).map(text -> "; " + text).orElse("");
        }
        // no rank has told what it waits for: those that are behind may not have come so far
        return where + laggard(control).orElseGet(() -> workers.stream().filter((worker) -> steps[worker.index()] == least)
            .map(this::name).collect(Collectors.joining(", ", "the last to end it: ", "")));
    }

    private String name(final WorkerProcess worker)
    {
        return "process " + worker.index() + " (pid " + worker.pid() + ", ranks " +
            ranksText(plan.ranksOf(worker.index())) + ")";
    }

    private Optional<String> laggard(final ControlFile control)
    {
        return IntStream.range(0, plan.ranks())
            .mapToObj(control::rankState)
            .filter(state -> state.missing() > 0)
            .max(Comparator.comparingLong(RankState::missing))
            .map(state -> "the laggard is " + state + ", in process " + plan.processOf(state.rank()));
    }

    private static String stepText(final Step step)
    {
        return "in step " + step.index() + " (" + step.way().text() + ", " + step.phase() + "): ";
    }

    private void awaitAll() throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MS);
        for (final WorkerProcess worker : workers)
        {
            worker.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
        }
    }

    private void interrupted()
    {
        isInterrupted = true;
        takeDown();
    }

    private void takeDown()
    {
        synchronized (workers)
        {
            workers.forEach(WorkerProcess::destroy);
            for (final WorkerProcess worker : workers)
            {
                try
                {
                    worker.await(GRACE_MS);
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }
        CloseHelper.close(namespaces);
        final WorkDirectory made;
        synchronized (workers)
        {
            made = directory;
        }
        if (made != null)
        {
            made.delete();
        }
    }

    private static String ranksText(final int[] ranks)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < ranks.length; i++)
        {
            if (ranks.length > 6 && i == 3)
            {
                text.append(", ...");
                i = ranks.length - 1;
            }
            text.append(text.length() == 0 ? "" : ", ").append(ranks[i]);
        }
        return text.toString();
    }
}
