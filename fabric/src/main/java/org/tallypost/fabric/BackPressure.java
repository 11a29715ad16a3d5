// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * Mailboxes that can be full, and nothing that sees to it that they are not. A packet that finds no slot stays in the card of
 * the node, and blocks it: nothing behind it gets in, for whichever process of the node it is. All nodes that have packets
 * under way to a blocked one are held up in turn: their processes stand still in the middle of a send, and do not even
 * retrieve. So all may end up waiting for one another for good.
 */
final class BackPressure
{
    private final Topology topology;
    private final int processes;
    private final int nodes;
    private final int capacity;
    private final State state;
    private final Mailboxes underWay;
    private final int[] stored;
    private final int[] between;
    private final boolean[] blocked;
    private final long[] blockedSince;
    private final int[] holders;
    private final boolean[] held;

    BackPressure(final State state, final Topology topology, final int processes, final int capacity)
    {
        this.topology = topology;
        this.processes = processes;
        this.capacity = capacity;
        this.state = state;
        nodes = topology.nodes();
        underWay = new Mailboxes(nodes);
        stored = new int[processes];
        between = new int[nodes * nodes];
        blocked = new boolean[nodes];
        blockedSince = new long[nodes];
        holders = new int[nodes];
        held = new boolean[processes];
    }

    /** Whether a process cannot send; then it stands still until it can. */
    boolean holds(final int process)
    {
        if (holders[topology.node(process)] > 0)
        {
            held[process] = true;
            return true;
        }
        return false;
    }

    boolean isHeld(final int process)
    {
        return held[process];
    }

    void letGo(final int process)
    {
        held[process] = false;
    }

    /** One packet is on its way; its value is to be the receiver. */
    int add(final int from, final int to, final long arrivalPs)
    {
        final int source = topology.node(from);
        final int target = topology.node(to);
        if (between[source * nodes + target]++ == 0 && blocked[target])
        {
            holders[source]++;
        }
        final int item = underWay.add(target, arrivalPs);
        if (!blocked[target])
        {
            state.queue.put(processes + target, underWay.headTime(target));
        }
        return item;
    }

    Mailboxes underWay()
    {
        return underWay;
    }

    /** Packets reach a node, or a blocked node may have room. */
    void arrive(final int node, final long nowPs)
    {
        boolean isFull = false;
        while (!isFull && underWay.headTime(node) <= nowPs)
        {
            final int item = underWay.head(node);
            final int to = underWay.value(item);
            isFull = stored[to] == capacity;
            if (!isFull)
            {
                store(node, item, to, nowPs);
            }
        }
        if (isFull != blocked[node])
        {
            turn(node, isFull, nowPs);
        }
        final long next = underWay.headTime(node);
        if (isFull || next == Long.MAX_VALUE)
        {
            state.queue.remove(processes + node);
        }
        else
        {
            state.queue.put(processes + node, next);
        }
    }

    private void store(final int node, final int item, final int to, final long nowPs)
    {
        final int from = underWay.from(item);
        final int source = topology.node(from);
        stored[to]++;
        final int copy = state.mailboxes.add(to, nowPs);
        state.mailboxes.setData(copy, from, 1, 0, underWay.completes(item), 0, 0, underWay.posted(item));
        underWay.pop(node);
        if (--between[source * nodes + node] == 0 && blocked[node])
        {
            letGoOfNode(source, nowPs);
        }
        state.tell(to, nowPs);
    }

    private void turn(final int node, final boolean isFull, final long nowPs)
    {
        blocked[node] = isFull;
        if (isFull)
        {
            blockedSince[node] = nowPs;
        }
        else
        {
            state.tally.overflowPs += nowPs - blockedSince[node];
        }
        for (int source = 0; source < nodes; source++)
        {
            if (between[source * nodes + node] > 0)
            {
                if (isFull)
                {
                    holders[source]++;
                }
                else
                {
                    letGoOfNode(source, nowPs);
                }
            }
        }
    }

    private void letGoOfNode(final int source, final long nowPs)
    {
        if (--holders[source] > 0)
        {
            return;
        }
        for (int process = 0; process < processes; process++)
        {
            if (held[process] && topology.node(process) == source)
            {
                state.queue.put(process, Math.max(nowPs, state.asleepSince[process]));
            }
        }
    }

    /** A process has freed a slot. */
    void freed(final int process, final long atPs)
    {
        stored[process]--;
        final int node = topology.node(process);
        if (blocked[node])
        {
            final int id = processes + node;
            state.queue.put(id, state.queue.contains(id) ? Math.min(state.queue.time(id), atPs) : atPs);
        }
    }

    /** Adds the time of those that are still blocked when nothing moves any more. */
    void end(final long nowPs)
    {
        for (int node = 0; node < nodes; node++)
        {
            if (blocked[node])
            {
                state.tally.overflowPs += nowPs - blockedSince[node];
            }
        }
    }
}
