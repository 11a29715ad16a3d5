// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.tallypost.activemessages.LoggpKnobs.Knob;
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

    /**
     * A program without knobs and with one, by turns. What both show is told from these two, and from no other run: the machine
     * changes its pace, and how many messages a program takes may depend on its times.
     *
     * @param without knobs.
     * @param with    a knob.
     */
    record Turns(RunTime without, RunTime with)
    {
        /** Whether both times are those of the ranks. */
        boolean isThere()
        {
            return without.isThere() && with.isThere();
        }

        boolean isRight()
        {
            return without.isRight() && with.isRight();
        }

        double slowdown()
        {
            return with.ns() / without.ns();
        }

        /** What T0 + 2 m o says for it, in nanoseconds. */
        double modelNs(final double overheadNs)
        {
            return without.ns() + 2 * with.messages() * overheadNs;
        }
    }

    /**
     * Live ranks: medians of some runs. Other work on the machine takes ranks off their processors, and shows in the times. So
     * a run that was disturbed is done again, up to a limit. If there are too few others then, the median is of all runs.
     */
    static final class Live implements AutoCloseable
    {
        /** Runs for each one that is to count, at most. */
        static final int ATTEMPTS = 20;

        private final int attempts;
        private final LiveRanks machine;
        private final LoggpProgram[] programs;

        Live(final File parent, final Maker app, final int ranks, final int size, final int attempts) throws IOException
        {
            this.attempts = attempts;
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
            for (int round = 0; round < rounds * attempts && there(runs) < rounds; round++)
            {
                runs.add(runOnce());
            }
            return best(runs, rounds);
        }

        /** Runs with each knob, so that what they take while it is on is compiled before it counts. */
        void warmUp(final LoggpTimes times, final int rounds) throws InterruptedException
        {
            for (final Knob knob : Knob.values())
            {
                machine.set(LoggpTimes.of(knob, times.get(knob)));
                for (int i = 0; i < rounds; i++)
                {
                    runOnce();
                }
            }
        }

        /** Runs with the knobs of a base and with others, by turns: medians of both. */
        Turns turns(final LoggpTimes base, final LoggpTimes times, final int rounds) throws InterruptedException
        {
            final List<RunTime> without = new ArrayList<>();
            final List<RunTime> with = new ArrayList<>();
            for (int turn = 0; turn < rounds * attempts && (there(without) < rounds || there(with) < rounds); turn++)
            {
                machine.set(base);
                without.add(runOnce());
                machine.set(times);
                with.add(runOnce());
            }
            return new Turns(best(without, rounds), best(with, rounds));
        }

        private static long there(final List<RunTime> runs)
        {
            return runs.stream().filter(RunTime::isThere).count();
        }

        /** The median of the runs that were not disturbed, if they are enough. All results are to be right. */
        static RunTime best(final List<RunTime> runs, final int rounds)
        {
            final RunTime all = median(runs);
            final RunTime best =
                there(runs) < rounds ? all : median(runs.stream().filter(RunTime::isThere).toList());
            final double share = there(runs) < rounds ? Math.min(all.share(), Math.nextDown(ProcessorShare.LEAST)) : best.share();
            return new RunTime(best.ns(), best.messages(), all.isRight(), share);
        }

        private static RunTime median(final List<RunTime> runs)
        {
            return new RunTime(Quartiles.of(runs.stream().mapToDouble(RunTime::ns).toArray()).median(),
                Quartiles.of(runs.stream().mapToDouble(RunTime::messages).toArray()).median(),
                runs.stream().allMatch(RunTime::isRight),
                Quartiles.of(runs.stream().mapToDouble(RunTime::share).toArray()).median());
        }

        private RunTime runOnce() throws InterruptedException
        {
            final long[] begins = new long[programs.length];
            final long[] ends = new long[programs.length];
            final boolean[] right = new boolean[programs.length];
            final double[] shares = new double[programs.length];
            final double[] messages = new double[1];
            machine.run((rank) ->
            {
                final LoggpProgram program = programs[rank.rank()];
                program.barrier();
                final long[] before = machine.counts();
                final long usedNs = ProcessorShare.usedNs();
                final long beginNs = System.nanoTime();
                program.run();
                final long endNs = System.nanoTime();
                shares[rank.rank()] = ProcessorShare.of(usedNs, ProcessorShare.usedNs(), endNs - beginNs);
                begins[rank.rank()] = beginNs;
                ends[rank.rank()] = endNs;
                if (rank.rank() == 0)
                {
                    messages[0] = machine.messages(before);
                }
                right[rank.rank()] = program.isRight();
            });
            final long begin = Arrays.stream(begins).reduce((one, two) -> one - two < 0 ? one : two).orElseThrow();
            final long end = Arrays.stream(ends).reduce((one, two) -> one - two > 0 ? one : two).orElseThrow();
            return new RunTime(end - begin, messages[0], isAll(right), Arrays.stream(shares).min().orElseThrow());
        }

        @Override
        public void close()
        {
            machine.close();
        }
    }
}
