// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.Patience;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.endpoint.LongRings;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.node.Node;

/**
 * A rank that takes turns. A turn has {@value #WARM_UPS} repetitions that do not count, two barriers, and then those that do.
 * Afterwards each rank looks whether it has what it should, of the last repetition, and rank 0 gets the times of all.
 */
final class ImbParty implements Role
{
    private static final int WARM_UPS = 4;
    private static final int ALIGNMENT = 64;

    private final ImbSpec spec;
    private final Control control;
    private final Node ofMessages;
    private final Node ofCollectives;
    private final int rank;
    private final UnsafeBuffer memory;
    private final Patience patience;
    private final List<Runnable> operations = new ArrayList<>();
    private final UnsafeBuffer times =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(ImbCall.MAX_REPETITIONS * Long.BYTES, ALIGNMENT));
    private final UnsafeBuffer gathered;
    private ImbRank place;
    private ImbCollectives collectives;
    private long wrong;

    /**
     * A rank that is not open yet.
     *
     * @param spec    of the team.
     * @param rank    of the party.
     * @param nodes   of messages and of collectives, in which the rank is free.
     * @param memory  that ranks 0 and 1 map, for what is raw.
     * @param control of the team.
     */
    ImbParty(final ImbSpec spec, final int rank, final List<Node> nodes, final UnsafeBuffer memory, final Control control)
    {
        this.spec = spec;
        this.rank = rank;
        this.control = control;
        this.memory = memory;
        ofMessages = nodes.get(0);
        ofCollectives = nodes.get(1);
        patience = new Patience(control, rank, spec.ranks() > Runtime.getRuntime().availableProcessors(), null);
        gathered = new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            (rank == 0 ? spec.ranks() : 1) * ImbCall.MAX_REPETITIONS * Long.BYTES, ALIGNMENT));
    }

    /** The nodes of a team: ranks have an endpoint in each, because messages and collectives poll for themselves. */
    static List<Node> launch(final ImbSpec spec, final File directory)
    {
        return List.of(launch(spec, directory, "messages"), launch(spec, directory, "collectives"));
    }

    private static Node launch(final ImbSpec spec, final File directory, final String name)
    {
        return Node.launch(LongRings.set(
            new NodeContext().directory(new File(directory, name)).groupName("imb").rankCount(spec.ranks())));
    }

    @Override
    public void open()
    {
        final long timeoutNs = TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
        final Messenger messenger = Messenger.launch(
            new MessengerContext().endpoint(ofMessages.open(rank)).rankCount(spec.ranks()));
        final Team team = Collectives.attach(ofCollectives, ofCollectives.open(rank),
            new CollectivesContext().joinTimeoutNs(timeoutNs)).world();
        place = new ImbRank(spec, rank, team);
        collectives = new ImbCollectives(team, place);
        final ImbTransfers transfers = new ImbTransfers(messenger, place, timeoutNs);
        final ImbRaw raw = new ImbRaw(memory, place, patience);
        for (final ImbSpec.Cell cell : spec.cells())
        {
            operations.add(cell.call().isRaw() ? raw.of(cell.call(), cell.length()) :
                cell.call().isTransfer() ? transfers.of(cell.call(), cell.length()) :
                collectives.of(cell.call(), cell.length()));
        }
    }

    @Override
    public boolean takesPart(final int cell)
    {
        return true;
    }

    @Override
    public void meet(final Task task)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
        // the next ranks need not wait for this one's memory
        place.fill(spec.cells().get(task.cell()), task.step() + (spec.isCorrupt() ? 1 : 0));
        patience.restart(deadlineNs);
        collectives.restart(deadlineNs);
        control.await(rank, spec.ranks(), task.step(), patience);
    }

    @Override
    public Measured take(final Task task)
    {
        try
        {
            final ImbSpec.Cell cell = spec.cells().get(task.cell());
            final int count = measure(cell.call(), operations.get(task.cell()), (int)task.messages());
            wrong += place.isRight(cell, task.step()) ? 0 : 1;
            collectives.gather(times, gathered, count * Long.BYTES);
            return rank == 0 ? sum(cell.call(), task.messages(), count) : Measured.nothing(wrong);
        }
        catch (final RuntimeException | Error ex)
        {
            control.abort();
            throw ex;
        }
    }

    private int measure(final ImbCall call, final Runnable operation, final int repetitions)
    {
        for (int i = 0; i < WARM_UPS; i++)
        {
            operation.run();
        }
        collectives.barrier();
        collectives.barrier();
        return call.isSingle(spec.method()) ? single(operation, repetitions) :
            together(operation, repetitions, call.ways());
    }

    private int together(final Runnable operation, final int repetitions, final int ways)
    {
        final long startNs = System.nanoTime();
        for (int i = 0; i < repetitions; i++)
        {
            operation.run();
        }
        times.putLong(0, (System.nanoTime() - startNs) / ways);
        return 1;
    }

    private int single(final Runnable operation, final int repetitions)
    {
        for (int i = 0; i < repetitions; i++)
        {
            collectives.barrier();
            final long startNs = System.nanoTime();
            operation.run();
            times.putLong(i * Long.BYTES, System.nanoTime() - startNs);
        }
        return repetitions;
    }

    private Measured sum(final ImbCall call, final long repetitions, final int count)
    {
        final long[] all = new long[spec.ranks() * count];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = gathered.getLong(i * Long.BYTES);
        }
        final ImbMethod.Sum sum = spec.method().sum(call, spec.ranks(), count, all);
        return new Measured(sum.figure(), repetitions, wrong, sum.detail());
    }
}
