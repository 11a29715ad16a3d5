// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.tallypost.benchmarks.compare.JvmFlags;
import org.tallypost.benchmarks.compare.MpiProgram;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.Team;
import org.tallypost.benchmarks.harness.Teams;

/**
 * Starts the teams of both contestants and has them take turns. A turn is one sample of the Intel MPI Benchmarks, so the number
 * of its repetitions is fixed, however long it takes.
 *
 * @param spec    that is measured.
 * @param teams   of each contestant.
 * @param seconds for each cell.
 * @param seed    of the order of turns.
 * @param path    on which Open MPI is; null if it takes no part.
 */
record ImbRun(ImbSpec spec, int teams, int seconds, long seed, String path)
{
    private static final double WARM_UP_SHARE = 0.3;
    private static final double LEAST_SHARE = 0.35;
    /** So short that the number of messages is always the least. */
    private static final long TURN_NS = 1;

    /**
     * Measures until the time is up.
     *
     * @param parent   existing directory, best in memory.
     * @param progress hears how far it is.
     * @return what was found.
     * @throws IOException          if a process cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    Session.Outcome run(final File parent, final Session.Progress progress) throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        final long budgetNs = TimeUnit.SECONDS.toNanos(seconds) * spec.cells().size();
        final int cores = Runtime.getRuntime().availableProcessors();
        final AtomicBoolean isStopped = new AtomicBoolean();
        try (Teams all = new Teams(parent, "tallypost-imb-", () -> isStopped.set(true)))
        {
            final MpiProgram program = path == null ? null : new MpiProgram("imb", all.directory(), path, cores);
            final Set<Integer> everywhere =
                IntStream.range(0, spec.cells().size()).boxed().collect(Collectors.toSet());
            final List<Session.Seat> seats = new ArrayList<>();
            for (int team = 0; team < teams; team++)
            {
                seats.add(new Session.Seat(
                    ImbRow.TALLYPOST, team, all.add(start(team, all.place("tallypost-" + team))), everywhere));
                if (program != null)
                {
                    seats.add(new Session.Seat(ImbRow.OPEN_MPI, team, all.add(program.start("open-mpi, team " + (team + 1),
                        spec.ranks(), spec.arguments(), all.place("open-mpi-" + team), spec.timeoutMs(), false)), everywhere));
                }
            }
            final List<Session.Cell> cells = spec.cells().stream()
                .map((cell) -> new Session.Cell(spec.ranks(), false, 0, 0, false, cell.repetitions())).toList();
            return new Session(cells, seats, new Session.Plan(seed, ImbRow.TALLYPOST, TURN_NS, budgetNs,
                (long)(WARM_UP_SHARE * budgetNs), 1 + (long)(LEAST_SHARE * budgetNs), startNs, 0, cores), progress,
                isStopped::get).run();
        }
    }

    private Team start(final int team, final File own) throws IOException
    {
        spec.write(own);
        final List<List<String>> commands = new ArrayList<>();
        for (int rank = 0; rank < spec.ranks(); rank++)
        {
            commands.add(JvmFlags.command(JvmFlags.BULK, null, ImbProcess.class, own.getPath(), Integer.toString(rank)));
        }
        return new Team("tallypost, team " + (team + 1), commands, List.of(), Map.of(), own, spec.timeoutMs());
    }
}
