// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.node.Node;
import org.tallypost.node.SimulatedAccess;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.Topology;

/** A process of a simulated host: a node of its own, endpoints, threads, an identity, and an end. */
final class SimulatedProcess
{
    static final int TRANSPORT_THREAD = 2;
    static final int LIVENESS_THREAD = 3;
    private static final int FIRST_PID = 1000;
    /** Duty cycles of a thread before the other one takes over. */
    private static final int TURN = 64;
    private static final long LINGER_NS = 20_000_000L;
    private static final long TEND_NS = Plan.INTERVAL_NS / 4;
    private static final int BULK_TERM_LENGTH = 1 << 20;
    private static final byte[] SECRET = new byte[32];

    final World world;
    /** Which process of the plan this is an incarnation of. */
    final int index;
    final int hostNode;
    private final int number;
    final Crash crash;
    private final ProcessIdentity identity;
    private final Thread[] threads = new Thread[LIVENESS_THREAD + 1];
    private final Map<ThreadLocal<?>, Object[]> locals = new IdentityHashMap<>();
    private final List<Party> parties = new ArrayList<>();
    private Node node;
    private int thread;
    private int works;
    private long tendedNs;
    private boolean dead;
    private boolean fenced;
    private boolean refusesRoom;
    int suspensions;
    long pausedUntilNs;

    SimulatedProcess(final World world, final int index, final int number)
    {
        this.world = world;
        this.index = index;
        this.number = number;
        hostNode = world.plan.nodeOfProcess[index];
        crash = new Crash("process " + number);
        identity = new ProcessIdentity(FIRST_PID + number, number, world.plan.has(Fault.NAMESPACES) ? number : 1);
        for (int i = 0; i < threads.length; i++)
        {
            threads[i] = new Thread("process " + number + " thread " + i);
        }
    }

    File directory()
    {
        return world.directory(hostNode);
    }

    ProcessIdentity identity()
    {
        return identity;
    }

    Thread thread()
    {
        return threads[thread];
    }

    /** Another of its threads runs from now on; returns which did before. */
    int as(final int value)
    {
        final int before = thread;
        thread = value;
        return before;
    }

    Object local(final ThreadLocal<?> local)
    {
        final Object[] values = locals.computeIfAbsent(local, (key) -> new Object[threads.length]);
        if (values[thread] == null)
        {
            local.remove();
            values[thread] = local.get();
            local.remove();
        }
        return values[thread];
    }

    boolean isDead()
    {
        return dead;
    }

    boolean isRunnable(final long nowNs)
    {
        return !dead && suspensions == 0 && nowNs - pausedUntilNs >= 0;
    }

    void die()
    {
        dead = true;
        world.network.endDriversOf(this);
        if (node != null)
        {
            SimulatedAccess.release(node);
        }
    }

    void noRoom()
    {
        refusesRoom = true;
    }

    /** A sign of life beside a call that stands still. */
    void heartbeat(final long nowMs)
    {
        if (node != null && !dead)
        {
            SimulatedAccess.heartbeat(node, nowMs);
        }
    }

    Node node()
    {
        return node;
    }

    List<Party> parties()
    {
        return parties;
    }

    /** One call of the kinds that a program makes besides sending and polling: come, open, look which ranks are there. */
    void tend()
    {
        tendedNs = world.nowNs();
        if (node == null)
        {
            launch();
        }
        else if (fenced)
        {
            leave();
        }
        else
        {
            thread = LIVENESS_THREAD;
            node.checkLiveness();
            thread = 0;
            openAll();
        }
    }

    /** The same, but looks which ranks are there no more often than a liveness thread does. */
    void tendAtTimes()
    {
        if (!isWell() || world.nowNs() - tendedNs >= TEND_NS)
        {
            tend();
        }
    }

    int transportWork()
    {
        if (node == null)
        {
            return 0;
        }
        thread = transportThread();
        final int work = node.transportWork();
        thread = 0;
        return work;
    }

    /** In half of the processes a thread that sends as well, for ever or by turns with another one. */
    private int transportThread()
    {
        works++;
        return number % 4 == 0 || number % 4 == 1 && works / TURN % 2 == 0 ? 0 : TRANSPORT_THREAD;
    }

    private void launch()
    {
        final Plan plan = world.plan;
        final NodeContext context = new NodeContext()
            .directory(directory()).rankCount(plan.ranks()).slotsPerSender(plan.slotsPerSender).creditSlots(plan.creditSlots)
            .highSlots(plan.highSlots)
            .flow(plan.flow).creditReturn(plan.creditReturn).piggyback(plan.piggyback).stealPolicy(plan.stealPolicy)
            .expressLanes(plan.expressLanes).laneSlots(plan.laneSlots).livenessIntervalNs(Plan.INTERVAL_NS)
            .livenessThread(false).maxProcesses(200).maxSendingThreads(64).checkInvariants(plan.checksInvariants)
            .errorHandler(SimulatedAccess.unguarded(this::onError))
            // at each hint others run and time passes here: 14 looks would take as long as a lease
            .idle(new IdleSettings().maxLooks(2));
        if (plan.nodes > 1)
        {
            context.transport(new AeronTransport(
                new Topology(Network.addresses(plan.nodes), plan.nodesOfRanks()), hostNode).secret(SECRET).lingerNs(LINGER_NS)
                .highStream(plan.highStream)
                .bulkTermLength(plan.kind == SimulationKind.BULK ? BULK_TERM_LENGTH : 0))
                .transportSettings(new TransportSettings().thread(false).egressSlots(2048));
        }
        try
        {
            node = Node.launch(context);
        }
        catch (final MailboxException ex)
        {
            excuse(ex);
        }
    }

    private void openAll()
    {
        for (int rank = 0; rank < world.plan.ranks() && !fenced; rank++)
        {
            if (world.plan.processOfRank[rank] == index && find(rank) == null)
            {
                open(rank);
            }
        }
    }

    private void open(final int rank)
    {
        try
        {
            final Endpoint endpoint = node.open(rank);
            parties.add(party(endpoint));
        }
        catch (final MailboxException ex)
        {
            excuse(ex);
        }
        catch (final IllegalStateException ex)
        {
            // its last holder is dead, but in another namespace, where only time tells; or it stands still, not dead yet; or
            // others have declared this process gone, which it hears at its next look
            final String message = String.valueOf(ex.getMessage());
            final boolean mayBeGone =
                world.plan.has(Fault.NAMESPACES) && message.startsWith("this process was declared gone");
            if (!mayBeGone && !message.startsWith("rank is open already"))
            {
                throw ex;
            }
        }
    }

    private Party party(final Endpoint endpoint)
    {
        final SimulationKind kind = world.plan.kind;
        return kind == SimulationKind.MATCHED ? new MatchedParty(world, this, endpoint) :
            kind == SimulationKind.BULK ? new BulkParty(world, this, endpoint) : new Party(world, this, endpoint);
    }

    private void excuse(final MailboxException ex)
    {
        if (!refusesRoom)
        {
            throw ex;
        }
        refusesRoom = false;
    }

    private Party find(final int rank)
    {
        for (final Party party : parties)
        {
            if (party.rank == rank && party.isOpen())
            {
                return party;
            }
        }
        return null;
    }

    /** Closes an endpoint, with the claim that it has open settled before or after. */
    void close(final Party party)
    {
        if (world.random.nextInt(3) > 0)
        {
            party.finish();
        }
        party.release();
        party.endpoint.close();
        party.settleClaim();
    }

    /** Closes the node and ends. */
    void leave()
    {
        for (final Party party : parties)
        {
            party.settleClaim();
            party.release();
        }
        if (node != null)
        {
            node.close();
        }
        dead = true;
    }

    boolean isWell()
    {
        if (dead || fenced || node == null)
        {
            return false;
        }
        for (int rank = 0; rank < world.plan.ranks(); rank++)
        {
            if (world.plan.processOfRank[rank] == index && find(rank) == null)
            {
                return false;
            }
        }
        return true;
    }

    private void onError(final Throwable error)
    {
        if (dead)
        {
            return;
        }
        if (error instanceof Crash || error instanceof AssertionError)
        {
            throw (Error)error;
        }
        final String text = String.valueOf(error.getMessage());
        if (error instanceof MailboxException &&
            (text.startsWith("this process was declared gone") || text.startsWith("rank was taken by another process")))
        {
            fenced = true;
            parties.forEach((party) -> party.wasFenced = true);
        }
        else if (!world.plan.has(Fault.NAMESPACES) || !text.startsWith("file was removed or replaced"))
        {
            // only a process taken for dead may find its node made anew by others; it is told next that it was declared gone
            throw new AssertionError(this + ": " + error, error);
        }
    }

    @Override
    public String toString()
    {
        return "pid " + identity.pid() + " on node " + hostNode + (dead ? ", dead" : fenced ? ", fenced" : "");
    }
}
