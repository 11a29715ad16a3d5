// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.tallypost.benchmarks.harness.PartyProcess;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;
import org.tallypost.endpoint.Flow;

/**
 * Settings that tests change as they need, and turns of one team on threads of the test.
 */
final class CompareFixture
{
    static final int TIMEOUT_MS = 1_800_000;
    static final int TURN_MS = 2;

    private CompareFixture()
    {
    }

    static Settings settings(final Mode mode, final TransportKind... kinds)
    {
        return new Settings(Scope.THREADS, List.of(mode), List.of(48), List.of(1), 8, List.of("50%"), 16,
            Arrays.stream(kinds).map(Contestant::new).toList(), 0, 256, 1, 1, TURN_MS, true, 1, 0, Flow.DYNAMIC,
            AeronDriver.EMBEDDED, false, null, TIMEOUT_MS, 1, NetworkTurns.MTU_LENGTH);
    }

    /** The default settings of processes, with three teams. */
    static Settings processes(final Mode mode, final TransportKind... kinds)
    {
        return new Settings(Scope.PROCESSES, List.of(mode), List.of(48), List.of(1), 8, List.of("50%"), 16,
            Arrays.stream(kinds).map(Contestant::new).toList(), 0, 256, 3, 1, TURN_MS, true, 1, 0, Flow.DYNAMIC,
            AeronDriver.EMBEDDED, false, null, TIMEOUT_MS, 1, NetworkTurns.MTU_LENGTH);
    }

    static LinkSpec spec(final TransportKind kind, final Mode mode, final int length, final int producers)
    {
        return new LinkSpec(kind, mode, Scope.THREADS, length, producers, 256, Flow.DYNAMIC, AeronDriver.EMBEDDED);
    }

    static LinkSpec corrupt(final LinkSpec spec)
    {
        return new LinkSpec(spec.transport(), spec.mode(), spec.scope(), spec.length(), spec.producers(), spec.slots(),
            spec.flow(), spec.aeronDriver(), spec.exclusive(), true, spec.batch(), spec.mtuLength(), spec.burst(), spec.beside());
    }

    static LinkSpec beside(final LinkSpec spec, final Beside beside)
    {
        return new LinkSpec(spec.transport(), spec.mode(), spec.scope(), spec.length(), spec.producers(), spec.slots(),
            spec.flow(), spec.aeronDriver(), spec.exclusive(), spec.corrupt(), spec.batch(), spec.mtuLength(), spec.burst(),
            beside);
    }

    static TeamSpec team(final int timeoutMs, final LinkSpec... cells)
    {
        return new TeamSpec(Arrays.asList(cells), 0, TURN_MS, timeoutMs, true);
    }

    /** Turns of a warm-up and then one that counts, in each cell; what the first party measured in the last one of each. */
    static List<Role.Measured> turns(final TeamSpec spec, final File directory, final int messages)
        throws InterruptedException, ExecutionException
    {
        return turns(spec, directory, messages, 0);
    }

    /** The same with messages that are due at a fixed rate in the turn that counts. */
    static List<Role.Measured> turns(final TeamSpec spec, final File directory, final int messages, final double paceNs)
        throws InterruptedException, ExecutionException
    {
        final TransportProcess process = new TransportProcess(spec, directory, 0);
        final List<Role> roles = process.roles();
        final List<ExecutorService> threads = new ArrayList<>();
        try
        {
            roles.forEach((role) -> threads.add(Executors.newSingleThreadExecutor()));
            final List<Future<?>> opened = new ArrayList<>();
            for (int i = 0; i < roles.size(); i++)
            {
                opened.add(threads.get(i).submit(roles.get(i)::open));
            }
            for (final Future<?> each : opened)
            {
                each.get();
            }
            final List<Role.Measured> measured = new ArrayList<>();
            long step = 0;
            for (int cell = 0; cell < spec.cells().size(); cell++)
            {
                for (int profile = 3; profile >= 0; profile--)
                {
                    final Role.Measured found = turn(
                        new Task(++step, cell, messages, profile, profile == 0 ? paceNs : 0), roles, threads);
                    if (profile == 0)
                    {
                        measured.add(found);
                    }
                }
            }
            return measured;
        }
        finally
        {
            threads.forEach(ExecutorService::shutdownNow);
            process.close();
        }
    }

    /** The first party's figures with all messages that any party found to be wrong. */
    private static Role.Measured turn(final Task task, final List<Role> roles, final List<ExecutorService> threads)
        throws InterruptedException, ExecutionException
    {
        final List<Future<Role.Measured>> found = new ArrayList<>();
        for (int i = 0; i < roles.size(); i++)
        {
            final Role role = roles.get(i);
            if (role.takesPart(task.cell()))
            {
                found.add(threads.get(i).submit(() ->
                {
                    role.meet(task);
                    return role.take(task);
                }));
            }
        }
        long wrong = 0;
        ExecutionException failure = null;
        for (final Future<Role.Measured> each : found)
        {
            try
            {
                wrong += each.get().wrong();
            }
            catch (final ExecutionException ex)
            {
                // a party that ends because another one failed may be asked first: the other one says why
                if (failure == null || PartyProcess.ANOTHER_FAILED.equals(failure.getCause().getMessage()))
                {
                    failure = ex;
                }
            }
        }
        if (failure != null)
        {
            throw failure;
        }
        final Role.Measured first = found.get(0).get();
        return new Role.Measured(first.countedNs(), first.messages(), wrong, first.detail());
    }
}
