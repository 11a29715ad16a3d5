// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.MachineStates;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Probe;
import org.tallypost.benchmarks.compare.RawLines;

/**
 * One thread of a trial. All of them go through the same steps: warm-up runs, and for each phase runs between two probes of
 * the raw machine, until for three of them both saw it in the same state.
 */
abstract class TrialParty
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long COMPILER_NS = 15_000_000;
    /** Few: where a core is taken away, each takes as long as the scheduler likes. */
    private static final int PINGS = 16;
    private static final int PROBE_BATCH = 128;
    private static final int READ_LIMIT = 64;

    final TrialSpec spec;
    final Pace pace;
    final Pace.Waiter waiter;
    private final int party;
    private final RawLines lines;
    private final int warmups;
    private final RawLines pings;
    private long step;

    TrialParty(
        final TrialSpec spec,
        final Pace pace,
        final Pace.Waiter waiter,
        final int party,
        final UnsafeBuffer probes,
        final int warmups)
    {
        this.spec = spec;
        this.pace = pace;
        this.waiter = waiter;
        this.party = party;
        lines = new RawLines(probes, 0);
        pings = new RawLines(probes, RawLines.LENGTH);
        this.warmups = warmups;
    }

    /** Goes through all steps; the receiver returns the runs of each phase. */
    final Map<Phase, List<ForkResult.Run>> go()
    {
        final Map<Phase, List<ForkResult.Run>> found = new EnumMap<>(Phase.class);
        for (int i = 0; i < warmups; i++)
        {
            for (final Phase phase : spec.study().phases())
            {
                runStep(phase);
            }
            probe();
            arrive();
            // both cores were busy: now the compiler has one, and not during a run that counts
            LockSupport.parkNanos(COMPILER_NS);
        }
        for (final Phase phase : spec.study().phases())
        {
            final List<ForkResult.Run> runs = new ArrayList<>();
            Probe before = probe();
            int kept = 0;
            long finish = 0;
            while (finish == 0 || !pace.isFinished(finish))
            {
                final ForkResult.Run figure = runStep(phase);
                final Probe after = probe();
                finish = step;
                if (party == 0)
                {
                    final ForkResult.Run run = between(before, figure, after);
                    runs.add(run);
                    kept += run.isKept(MachineStates.AUTO.around(before, after)) ? 1 : 0;
                    if (runs.size() >= spec.attempts() || kept >= ForkResult.Run.ENOUGH)
                    {
                        pace.finish(finish);
                    }
                }
                before = after;
                arrive();
            }
            found.put(phase, runs);
        }
        return found;
    }

    private void arrive()
    {
        pace.await(party, ++step, waiter);
    }

    private ForkResult.Run between(final Probe before, final ForkResult.Run run, final Probe after)
    {
        return new ForkResult.Run(
            before, after, run.figure(), run.p50Ns(), run.p99Ns(), run.p999Ns(), run.messages(), pace.busy());
    }

    private ForkResult.Run runStep(final Phase phase)
    {
        arrive();
        final long startCpuNs = THREADS.getCurrentThreadCpuTime();
        final long startNs = System.nanoTime();
        final ForkResult.Run figure = run(step, phase);
        final double elapsedNs = System.nanoTime() - startNs;
        final double cpuNs = THREADS.getCurrentThreadCpuTime() - startCpuNs;
        // threads that yield to each other never have their cores all the time
        pace.busy(party, spec.threads() > 2 ? 1 : Math.min(1, cpuNs / elapsedNs));
        return figure;
    }

    /** A run; the receiver returns its figures, without probes, the others null. */
    abstract ForkResult.Run run(long step, Phase phase);

    /** The state of the machine is known by round trips; where rates are measured, a stream is what they are set beside. */
    private Probe probe()
    {
        arrive();
        final double roundTripNs = party > 1 ? 0 : probeRoundTrips();
        if (spec.study().probe() == Mode.RTT)
        {
            return new Probe(roundTripNs, roundTripNs, 0);
        }
        arrive();
        return new Probe(party > 1 ? 0 : probeStream(), roundTripNs, 0);
    }

    private double probeRoundTrips()
    {
        if (party == 1)
        {
            while (!pace.isStopped(step))
            {
                pings.pong(waiter);
            }
            return 0;
        }
        pings.ping(PINGS, waiter);
        long count = 0;
        long elapsedNs = 0;
        final long startNs = System.nanoTime();
        while (elapsedNs < TimeUnit.MILLISECONDS.toNanos(spec.probeMs()))
        {
            pings.ping(PINGS, waiter);
            count += PINGS;
            elapsedNs = System.nanoTime() - startNs;
        }
        pace.stop(step);
        return (double)elapsedNs / count;
    }

    private double probeStream()
    {
        if (party == 1)
        {
            while (!pace.isStopped(step))
            {
                writeLines();
            }
            pace.sent(party, step, lines.number());
            return 0;
        }
        final long before = lines.number();
        while (lines.number() == before)
        {
            readLines();
        }
        final long startCount = lines.number();
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < TimeUnit.MILLISECONDS.toNanos(spec.probeMs()) || lines.number() == startCount)
        {
            readLines();
            elapsedNs = System.nanoTime() - startNs;
        }
        final long count = lines.number() - startCount;
        pace.stop(step);
        while (!pace.hasSent(1, step) || lines.number() < pace.sent(1))
        {
            readLines();
        }
        return lines.sum() == 0 ? 0 : count * 1e9 / elapsedNs;
    }

    private void writeLines()
    {
        for (int i = 0; i < PROBE_BATCH; i++)
        {
            if (!lines.write())
            {
                waiter.idle("room for a line of the raw probe");
            }
        }
    }

    private void readLines()
    {
        for (int i = 0; i < READ_LIMIT; i++)
        {
            if (lines.read(READ_LIMIT) == 0)
            {
                waiter.idle("lines of the raw probe");
            }
        }
    }
}
