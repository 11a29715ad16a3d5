// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.tallypost.endpoint.Priority;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * All that a seed makes: hosts with processes, a network, a clock, and what goes wrong. One thread runs everything. A process
 * stands still in the midst of a call while others run, further down the same stack; then it goes on, or finds itself dead.
 */
final class World
{
    /** Message of Errors that a call is ended with. */
    static final String ERROR = "no stack, as the simulation will have it";
    private static final int MAX_ERROR_STEPS = 40;
    private static final int MAX_DEPTH = 3;
    /** Many messages are as long as others, and can share a header between nodes. */
    private static final int ONE_SLOT_LENGTH = 48;
    private static final int MAX_YIELDS = 20_000;
    private static final long YIELD_NS = 1_000_000L;
    private static final int QUIET_ROUNDS = 12;
    private static final int TRANSPORT_CYCLES = 24;
    private static final int MAX_POLLS = 60;
    /** A poll looks at some lanes only: after so many without anything there is nothing. */
    private static final int IDLE_POLLS = 6;
    private static final int MAX_JUMP_MS = 20_000;

    final Plan plan;
    final SplittableRandom random;
    final Books books = new Books();
    final Network network;
    final Tally tally;
    private final File directory;
    private final SimulatedProcess[] running;
    private final List<SimulatedProcess> all = new ArrayList<>();
    private final long[] wallMs;
    private long nowNs = 1_000_000_000_000L;
    private SimulatedProcess current;
    private boolean isQuiet;
    private int locks;
    private int depth;
    private int yields;
    private int events;
    private int turn;
    private long fuse;
    /** Accesses until an Error, if there is one to come, and how many then come in a row. */
    private int errorFuse;
    private int errors;

    World(final long seed, final File directory, final Tally tally, final SimulationKind kind)
    {
        random = new SplittableRandom(seed);
        plan = new Plan(random, kind);
        this.directory = directory;
        this.tally = tally;
        network = new Network(this, plan.nodes);
        running = new SimulatedProcess[plan.nodeOfProcess.length];
        wallMs = new long[plan.nodes];
        fuse = nextFuse();
    }

    /** Runs through all events, faults included. */
    void live()
    {
        if (plan.kind == SimulationKind.BULK)
        {
            beginQuietly();
        }
        while (events < plan.events)
        {
            happen();
        }
    }

    /** All processes come, and links stand for a while: else there is hardly anything to be lost with them. */
    private void beginQuietly()
    {
        isQuiet = true;
        for (int round = 0; round < QUIET_ROUNDS; round++)
        {
            for (int index = 0; index < running.length; index++)
            {
                final SimulatedProcess process = running[index];
                if (process == null)
                {
                    start(index);
                }
                else
                {
                    run(process, () -> work(process));
                }
            }
            nowNs += Plan.INTERVAL_NS / 8;
        }
        isQuiet = false;
    }

    /** No faults from now on. */
    void calm()
    {
        isQuiet = true;
        network.heal();
        all.forEach((process) -> process.pausedUntilNs = 0);
    }

    /** One event: a call of some process, or a fault. */
    private void happen()
    {
        events++;
        nowNs += random.nextLong(plan.tickNs);
        if (!plan.events().isEmpty() && random.nextInt(plan.faultsOneIn) == 0)
        {
            fail(plan.events().get(random.nextInt(plan.events().size())));
        }
        final int index = random.nextInt(running.length);
        final SimulatedProcess process = running[index];
        if (process == null || process.isDead())
        {
            if (random.nextInt(6) == 0 && (process == null || process.suspensions == 0))
            {
                start(index);
            }
        }
        else if (process.isRunnable(nowNs))
        {
            run(process, () -> call(process));
        }
    }

    SimulatedProcess start(final int index)
    {
        final SimulatedProcess process = new SimulatedProcess(this, index, all.size());
        tally.add(all.size() < running.length ? "processes" : "restarts", 1);
        running[index] = process;
        all.add(process);
        run(process, process::tend);
        return process;
    }

    /** A process does something, and may die of it. */
    void run(final SimulatedProcess process, final Runnable action)
    {
        final SimulatedProcess before = current;
        final int thread = process.as(0);
        current = process;
        yields = 0;
        try
        {
            action.run();
        }
        catch (final Crash ex)
        {
            if (ex != process.crash)
            {
                throw new AssertionError("the end of one process reached another: " + process, ex);
            }
        }
        catch (final RuntimeException ex)
        {
            // what is thrown on the way out of a dead process is lost
            if (!process.isDead())
            {
                throw ex;
            }
        }
        finally
        {
            current = before;
            process.as(thread);
        }
    }

    private void call(final SimulatedProcess process)
    {
        final int what = random.nextInt(20);
        if (process.node() == null || process.parties().isEmpty() || what == 0)
        {
            process.tend();
        }
        else if (plan.nodes > 1 && what < 8)
        {
            transport(process);
        }
        else
        {
            final Party party = process.parties().get(random.nextInt(process.parties().size()));
            if (!party.isOpen())
            {
                process.tend();
            }
            else if (random.nextInt(5) < 3)
            {
                send(process, party);
            }
            else
            {
                poll(party);
            }
        }
    }

    private void transport(final SimulatedProcess process)
    {
        for (int i = random.nextInt(12); i >= 0; i--)
        {
            nowNs += random.nextLong(plan.tickNs);
            process.transportWork();
        }
    }

    private void send(final SimulatedProcess process, final Party party)
    {
        final int favourite = plan.favourite;
        final boolean isFavourite = favourite >= 0 && favourite / plan.ranks() == party.rank && random.nextInt(4) > 0;
        final int dest = isFavourite ? favourite % plan.ranks() : random.nextInt(plan.ranks());
        final int thread = random.nextInt(plan.sendingThreads * 4) % plan.sendingThreads;
        for (int i = random.nextInt(isFavourite ? 40 : 8); i >= 0 && party.isOpen(); i--)
        {
            process.as(thread);
            party.send(dest, thread);
        }
        process.as(0);
    }

    private void poll(final Party party)
    {
        final int limit = Plan.pick(random, 1, 2, 10, 100);
        for (int i = random.nextInt(8) == 0 ? 600 : random.nextInt(6); i >= 0 && party.isOpen(); i--)
        {
            nowNs += plan.tickNs >> 9;
            party.poll(limit);
        }
    }

    private void fail(final Fault fault)
    {
        final SimulatedProcess process = running[random.nextInt(running.length)];
        final boolean isThere = process != null && !process.isDead();
        switch (fault)
        {
            case CRASH:
                kill(process, fault);
                break;
            case PAUSE:
                if (isThere)
                {
                    tally.add(fault.name(), 1);
                    process.pausedUntilNs = nowNs + random.nextLong(4 * Plan.INTERVAL_NS);
                }
                break;
            case CLOSE:
                if (isThere && process.isRunnable(nowNs) && process.node() != null)
                {
                    tally.add(fault.name(), 1);
                    run(process, () -> close(process));
                }
                break;
            case CLOCK_JUMP:
                tally.add(fault.name(), 1);
                wallMs[random.nextInt(wallMs.length)] = random.nextInt(-MAX_JUMP_MS, MAX_JUMP_MS);
                break;
            default:
                failNetwork(fault);
                break;
        }
    }

    private void failNetwork(final Fault fault)
    {
        switch (fault)
        {
            case PARTITION:
                partition();
                break;
            case BACK_PRESSURE:
                tally.add(fault.name(), 1);
                network.press(random.nextInt(plan.nodes), nowNs + random.nextLong(2 * Plan.INTERVAL_NS));
                break;
            case IMAGE_LOST:
                tally.add(fault.name(), 1);
                network.loseImage(random.nextInt(1 << 10));
                break;
            case DRIVER_LOST:
                tally.add(fault.name(), 1);
                network.loseDriver(random.nextInt(1 << 10));
                break;
            default:
                break;
        }
    }

    private void partition()
    {
        final int from = random.nextInt(plan.nodes);
        final int to = (from + 1 + random.nextInt(plan.nodes - 1)) % plan.nodes;
        final boolean isBlocked = !network.isBlocked(from, to);
        tally.add(Fault.PARTITION.name(), isBlocked ? 1 : 0);
        network.block(from, to, isBlocked);
        if (random.nextBoolean())
        {
            network.block(to, from, isBlocked);
        }
    }

    private void close(final SimulatedProcess process)
    {
        if (process.parties().isEmpty() || random.nextInt(3) == 0)
        {
            process.leave();
        }
        else
        {
            final Party party = process.parties().get(random.nextInt(process.parties().size()));
            if (party.isOpen())
            {
                process.close(party);
            }
        }
    }

    private void kill(final SimulatedProcess process, final Fault fault)
    {
        if (process != null && !process.isDead())
        {
            tally.add(fault.name(), 1);
            final SimulatedProcess before = current;
            current = process;
            process.die();
            current = before;
        }
    }

    private long nextFuse()
    {
        return plan.has(Fault.CRASH_INSIDE) || plan.has(Fault.PAUSE_INSIDE) ? 1 + random.nextLong(2L * plan.fuse) :
            Long.MAX_VALUE;
    }

    /** From now on a call of a program may end with an Error. */
    void mayFail()
    {
        if (isRare(Fault.ERROR_INSIDE, 8))
        {
            errorFuse = 1 + random.nextInt(MAX_ERROR_STEPS);
            errors = 1 + random.nextInt(3);
        }
    }

    /** From now on no call does. */
    void mustNotFail()
    {
        errorFuse = 0;
    }

    /** Before an access to memory that may be shared, or a change of a file. */
    void step(final boolean isWrite)
    {
        tally.steps++;
        if (current == null)
        {
            return;
        }
        if (current.isDead())
        {
            throw current.crash;
        }
        if (errorFuse > 0 && depth == 0 && --errorFuse == 0)
        {
            // what clears up behind the first one may get the next
            errorFuse = --errors > 0 ? 1 : 0;
            throw new StackOverflowError(ERROR);
        }
        if (!isQuiet && (isWrite || plan.interruptsReads) && --fuse <= 0)
        {
            fuse = nextFuse();
            interrupt();
        }
    }

    private void interrupt()
    {
        final boolean crashes = plan.has(Fault.CRASH_INSIDE) && random.nextInt(6) == 0;
        if (crashes)
        {
            kill(current, Fault.CRASH_INSIDE);
            throw current.crash;
        }
        if (plan.has(Fault.PAUSE_INSIDE) && locks == 0 && depth < MAX_DEPTH)
        {
            tally.add(Fault.PAUSE_INSIDE.name(), 1);
            // another thread of it may be running still, which gives signs of life
            standStill(random.nextInt(random.nextInt(4) == 0 ? 200 : 12), random.nextBoolean());
        }
    }

    /** Others run; then the current process goes on, if it lives. */
    private void standStill(final int count, final boolean isBeating)
    {
        final SimulatedProcess process = current;
        process.suspensions++;
        depth++;
        final int yielded = yields;
        for (int event = 0; event < count && events < 2 * plan.events; event++)
        {
            current = null;
            happen();
            if (isBeating && event % 4 == 0 && !process.isDead())
            {
                run(process, () -> process.heartbeat(currentTimeMillis()));
            }
        }
        yields = yielded;
        depth--;
        process.suspensions--;
        current = process;
        if (process.isDead())
        {
            throw process.crash;
        }
    }

    /** The current process waits for another. */
    void yield()
    {
        if (current.isDead())
        {
            throw current.crash;
        }
        nowNs += YIELD_NS;
        if (++yields > MAX_YIELDS)
        {
            if (depth == 0)
            {
                throw new AssertionError("waits for ever: " + current);
            }
            // for a process that stands still below on this stack, which no later event can change
            kill(current, Fault.CRASH_INSIDE);
            throw current.crash;
        }
        if (locks == 0 && depth < MAX_DEPTH)
        {
            if (isQuiet)
            {
                yieldInQuiet();
            }
            else
            {
                standStill(1 + random.nextInt(3), true);
            }
        }
    }

    private void yieldInQuiet()
    {
        final SimulatedProcess process = current;
        final SimulatedProcess other = running[turn++ % running.length];
        if (other != null && other != process && other.isRunnable(nowNs))
        {
            process.suspensions++;
            depth++;
            final int yielded = yields;
            run(other, () -> work(other));
            yields = yielded;
            depth--;
            process.suspensions--;
        }
    }

    /** What a process does when nothing goes wrong: as much as there is, within bounds. */
    void work(final SimulatedProcess process)
    {
        process.tendAtTimes();
        for (int i = 0; i < TRANSPORT_CYCLES && !process.isDead(); i++)
        {
            process.transportWork();
        }
        for (final Party party : new ArrayList<>(process.parties()))
        {
            if (party.isOpen() && !party.isPolling())
            {
                party.finish();
                pollAll(party);
            }
        }
    }

    private void pollAll(final Party party)
    {
        int idle = 0;
        for (int i = 0; i < MAX_POLLS && idle < IDLE_POLLS && party.isOpen(); i++)
        {
            nowNs += 10_000;
            idle = party.poll(10) > 0 ? 0 : idle + 1;
        }
    }

    void pass(final long ns)
    {
        nowNs += ns;
    }

    SimulatedProcess[] running()
    {
        return running;
    }

    void as(final int thread)
    {
        current.as(thread);
    }

    /** As long as it may be with a priority. */
    int length(final Priority priority)
    {
        return priority == Priority.HIGH ? Math.min(length(), plan.maxHighLength()) : length();
    }

    int length()
    {
        return random.nextInt(3) == 0 ? Math.min(plan.maxLength, ONE_SLOT_LENGTH) :
            Letter.MIN_LENGTH + random.nextInt(plan.maxLength - Letter.MIN_LENGTH + 1);
    }

    Priority priority()
    {
        return plan.highSlots > 0 && random.nextInt(3) == 0 ? Priority.HIGH : Priority.LOW;
    }

    int batchSlots(final Priority priority)
    {
        return priority == Priority.HIGH ? plan.highSlots - 1 : plan.slotsPerSender - plan.creditSlots;
    }

    boolean echoes()
    {
        return plan.echoes && !isQuiet && random.nextInt(8) == 0;
    }

    boolean isRare(final Fault fault, final int oneIn)
    {
        final boolean happens = !isQuiet && plan.has(fault) && random.nextInt(oneIn) == 0;
        if (happens)
        {
            tally.add(fault.name(), 1);
        }
        return happens;
    }

    long delayNs()
    {
        return random.nextLong(plan.delayNs);
    }

    File directory(final int node)
    {
        return new File(directory, "node-" + node);
    }

    SimulatedProcess current()
    {
        return current;
    }

    long nowNs()
    {
        return nowNs;
    }

    long nanoTime()
    {
        return nowNs;
    }

    long currentTimeMillis()
    {
        return nowNs / 1_000_000 + wallMs[current.hostNode];
    }

    Thread thread()
    {
        return current.thread();
    }

    Object local(final ThreadLocal<?> local)
    {
        return current.local(local);
    }

    SplittableRandom random()
    {
        return random;
    }

    void nextBytes(final byte[] bytes)
    {
        random.nextBytes(bytes);
    }

    void checkRoom() throws IOException
    {
        if (isRare(Fault.NO_ROOM, 8))
        {
            current.noRoom();
            throw new IOException("No space left on device");
        }
    }

    ProcessIdentity identity()
    {
        return current.identity();
    }

    ProcessIdentity.Liveness probe(final ProcessIdentity identity)
    {
        if (identity.namespace() != current.identity().namespace())
        {
            return ProcessIdentity.Liveness.UNKNOWN;
        }
        for (final SimulatedProcess process : all)
        {
            if (process.identity().pid() == identity.pid())
            {
                return process.isDead() ? ProcessIdentity.Liveness.DEAD : ProcessIdentity.Liveness.ALIVE;
            }
        }
        return ProcessIdentity.Liveness.DEAD;
    }

    void enterLock()
    {
        locks++;
    }

    void leaveLock()
    {
        locks--;
    }
}
