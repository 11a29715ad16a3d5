// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.tallypost.benchmarks.harness.FreshTeam;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.Team;
import org.tallypost.benchmarks.harness.Teams;
import org.tallypost.benchmarks.harness.TurnTaker;

/**
 * Starts the teams of all contestants, runs the session, and leaves neither processes nor files behind.
 */
final class Comparison implements AutoCloseable
{
    private static final double WARM_UP_SHARE = 0.15;
    /** If starting took the time that there is, this share of it is added. */
    private static final double LEAST_SHARE = 0.35;
    private static final int PROFILES = 3;

    private final Settings settings;
    private final NativePrograms programs;
    private final Teams teams;
    private final int cores;

    /**
     * A comparison that has not started its processes yet.
     *
     * @param settings what is compared.
     * @param parent   existing directory, best in memory.
     * @param path     on which native programs are looked for; null for none.
     * @param cores    of the machine.
     * @param onStop   called when this process is asked to end: returns when the report is made.
     * @throws IOException if a directory cannot be created.
     */
    Comparison(
        final Settings settings, final File parent, final String path, final int cores, final Runnable onStop) throws IOException
    {
        this.settings = settings;
        this.cores = cores;
        teams = new Teams(parent, "tallypost-compare-", onStop);
        programs = new NativePrograms(path, teams.directory(), cores);
    }

    NativePrograms programs()
    {
        return programs;
    }

    /**
     * Measures until the time is up.
     *
     * @param progress  hears how far it is.
     * @param isStopped ends it early.
     * @return what was found.
     * @throws IOException          if a process cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    Session.Outcome run(final Session.Progress progress, final BooleanSupplier isStopped)
        throws IOException, InterruptedException
    {
        final List<Group> groups = settings.groups();
        final long startNs = System.nanoTime();
        final long budgetNs = TimeUnit.SECONDS.toNanos(settings.seconds()) * groups.size();
        final List<Session.Seat> seats = new ArrayList<>();
        for (int contestant = 0; contestant < settings.contestants().size(); contestant++)
        {
            final Set<Integer> cells = cells(groups, contestant);
            for (int team = 0; team < settings.teams(contestant); team++)
            {
                if (!cells.isEmpty())
                {
                    seats.add(new Session.Seat(contestant, team, teams.add(start(contestant, team)), cells));
                }
            }
        }
        final List<Session.Cell> cells =
            groups.stream().map((group) -> new Session.Cell(
            group.parties(), group.isMoreBetter(), group.perSecond(), group.share(), group.mode() == Mode.START,
            group.leastMessages())).toList();
        try (BusyThreads busy = new BusyThreads(settings.busy()))
        {
            busy.start();
            return new Session(cells, seats, new Session.Plan(settings.seed(), settings.subject(),
                TimeUnit.MILLISECONDS.toNanos(settings.turnMs()), budgetNs, (long)(WARM_UP_SHARE * budgetNs),
                1 + (long)(LEAST_SHARE * budgetNs), startNs, settings.isMixed() ? PROFILES : 0, cores),
                progress, isStopped).run();
        }
    }

    private Set<Integer> cells(final List<Group> groups, final int contestant)
    {
        return IntStream.range(0, groups.size()).filter((cell) -> settings.members(groups.get(cell)).contains(contestant))
            .boxed().collect(Collectors.toSet());
    }

    private TurnTaker start(final int contestant, final int team) throws IOException, InterruptedException
    {
        final Contestant found = settings.contestants().get(contestant);
        final String name = found.label() + ", team " + (team + 1);
        final String place = contestant + "-" + team;
        final TeamSpec spec = settings.team(contestant);
        if (found.kind().isNative())
        {
            return programs.start(found.kind(), name, spec, teams.place(place));
        }
        if (settings.modes().contains(Mode.START))
        {
            final AtomicInteger turns = new AtomicInteger();
            return new FreshTeam(() -> start(found, name, spec, teams.place(place + "-" + turns.incrementAndGet())));
        }
        return start(found, name, spec, teams.place(place));
    }

    private Team start(final Contestant found, final String name, final TeamSpec spec, final File own) throws IOException
    {
        spec.write(own);
        final List<List<String>> commands = new ArrayList<>();
        final int processes = spec.isOneProcess() ? 1 : spec.parties();
        final boolean isBulk = settings.modes().stream().anyMatch(Mode::isBulk);
        for (int process = 0; process < processes; process++)
        {
            commands.add(JvmFlags.command(isBulk ? JvmFlags.BULK : List.of(),
                found.classPath(), TransportProcess.class, own.getPath(), Integer.toString(process)));
        }
        final boolean hasDriver = found.kind().isAeron() && settings.aeronDriver() == AeronDriver.SEPARATE;
        final List<List<String>> helpers = hasDriver ? List.of(JvmFlags.command(List.of(),
            found.classPath(), TransportProcess.class, own.getPath(), TransportProcess.DRIVER)) : List.of();
        return new Team(name, commands, helpers, Map.of(), own, settings.timeoutMs());
    }

    @Override
    public void close()
    {
        teams.close();
    }
}
