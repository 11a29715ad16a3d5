// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.tallypost.benchmarks.harness.Quartiles;

/** Runs a program of the study with given times: live, or simulated. Every result is checked. */
final class LoggpStudy
{
    /**
     * What the simulated machine has without knobs: figures that are known of the network of workstations of seed 004, which does
     * not state them. They are parameters here, and no facts.
     */
    static final LoggpTimes MACHINE = new LoggpTimes(2_900, 5_800, 26_300, 5_000);
    static final int WINDOW = 8;

    private LoggpStudy()
    {
    }

    /** Makes the program of a rank. */
    interface Maker
    {
        LoggpProgram on(LoggpRank rank, int size);
    }

    /** Simulated ranks; the same time each time. */
    static RunTime simulate(final LoggpApp app, final int ranks, final int size, final LoggpTimes times)
        throws InterruptedException
    {
        return simulate(app::on, ranks, size, times);
    }

    static RunTime simulate(final Maker app, final int ranks, final int size, final LoggpTimes times)
        throws InterruptedException
    {
        final SimulatedRanks machine = new SimulatedRanks(ranks, times, WINDOW);
        final LoggpProgram[] programs = new LoggpProgram[ranks];
        final SimulatedRanks.Stage make = (rank) -> programs[rank.rank()] = app.on(rank, size);
        machine.run(make);
        machine.run((rank) -> programs[rank.rank()].barrier());
        final double begin = machine.endNs();
        machine.resetMessages();
        machine.run((rank) -> programs[rank.rank()].run());
        final double ns = machine.endNs() - begin;
        final double messages = machine.messages();
        final boolean[] right = new boolean[ranks];
        machine.run((rank) -> right[rank.rank()] = programs[rank.rank()].isRight());
        return new RunTime(ns, messages, isAll(right));
    }

    private static boolean isAll(final boolean... right)
    {
        boolean isAll = true;
        for (final boolean each : right)
        {
            isAll &= each;
        }
        return isAll;
    }

    /** Live ranks: medians of some runs. */
    static final class Live implements AutoCloseable
    {
        private final LiveRanks machine;
        private final LoggpProgram[] programs;

        Live(final File parent, final Maker app, final int ranks, final int size) throws IOException
        {
            machine = new LiveRanks(parent, ranks, WINDOW);
            programs = new LoggpProgram[ranks];
            for (int i = 0; i < ranks; i++)
            {
                programs[i] = app.on(machine.rank(i), size);
            }
        }

        RunTime run(final LoggpTimes times, final int rounds) throws InterruptedException
        {
            machine.set(times);
            final List<RunTime> runs = new ArrayList<>();
            for (int round = 0; round < rounds; round++)
            {
                runs.add(runOnce());
            }
            return median(runs);
        }

        /** How many times as long it takes with knobs, by turns with runs without; NaN if a result was wrong. */
        double slowdown(final LoggpTimes times, final int rounds) throws InterruptedException
        {
            final List<RunTime> without = new ArrayList<>();
            final List<RunTime> with = new ArrayList<>();
            for (int round = 0; round < rounds; round++)
            {
                machine.set(LoggpTimes.NONE);
                without.add(runOnce());
                machine.set(times);
                with.add(runOnce());
            }
            final RunTime base = median(without);
            final RunTime slow = median(with);
            return base.isRight() && slow.isRight() ? slow.ns() / base.ns() : Double.NaN;
        }

        private static RunTime median(final List<RunTime> runs)
        {
            return new RunTime(Quartiles.of(runs.stream().mapToDouble(RunTime::ns).toArray()).median(),
                runs.get(0).messages(), runs.stream().allMatch(RunTime::isRight));
        }

        private RunTime runOnce() throws InterruptedException
        {
            final long[] begins = new long[programs.length];
            final long[] ends = new long[programs.length];
            final boolean[] right = new boolean[programs.length];
            final double[] messages = new double[1];
            machine.run((rank) ->
            {
                final LoggpProgram program = programs[rank.rank()];
                program.barrier();
                final long[] before = machine.counts();
                begins[rank.rank()] = System.nanoTime();
                program.run();
                ends[rank.rank()] = System.nanoTime();
                if (rank.rank() == 0)
                {
                    messages[0] = machine.messages(before);
                }
                right[rank.rank()] = program.isRight();
            });
            final long begin = Arrays.stream(begins).reduce((one, two) -> one - two < 0 ? one : two).orElseThrow();
            final long end = Arrays.stream(ends).reduce((one, two) -> one - two > 0 ? one : two).orElseThrow();
            return new RunTime(end - begin, messages[0], isAll(right));
        }

        @Override
        public void close()
        {
            machine.close();
        }
    }
}
