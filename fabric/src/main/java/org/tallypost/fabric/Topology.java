// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * Nodes in a mesh, each with one network card, and the node of each process. A packet crosses the cards of all nodes on its
 * way, first along the first dimension, then along the next.
 */
public final class Topology
{
    private final String name;
    private final int nodes;
    /** Node of each process. */
    private final int[] placement;
    /** Where the route of a pair of nodes begins in {@link #cards}; one more at the end. */
    private final int[] starts;
    private final int[] cards;

    /** A mesh; without dimensions, nodes of which each is a hop from each other. */
    private Topology(final String name, final int[] placement, final int nodes, final int... dimensions)
    {
        this.name = name;
        this.placement = placement;
        this.nodes = nodes;
        starts = new int[Math.multiplyExact(nodes, nodes) + 1];
        for (int pair = 0; pair < nodes * nodes; pair++)
        {
            starts[pair + 1] = starts[pair] + hops(pair / nodes, pair % nodes, dimensions) + 1;
        }
        cards = new int[starts[nodes * nodes]];
        for (int pair = 0; pair < nodes * nodes; pair++)
        {
            walk(pair / nodes, pair % nodes, starts[pair], dimensions);
        }
    }

    /**
     * A mesh of nodes with as many processes each: ranks go node by node, nodes along the first dimension first.
     *
     * @param processesPerNode that share a card.
     * @param dimensions       nodes along each dimension.
     * @return the mesh.
     * @throws IllegalArgumentException if one of them is less than 1.
     */
    public static Topology mesh(final int processesPerNode, final int... dimensions)
    {
        if (processesPerNode < 1 || dimensions.length == 0 || Arrays.stream(dimensions).anyMatch((length) -> length < 1))
        {
            throw new IllegalArgumentException("mesh out of range: found processesPerNode=" + processesPerNode +
                ", dimensions=" + Arrays.toString(dimensions) + ", expected each at least 1");
        }
        final int[] placement = new int[Math.multiplyExact(processesPerNode, nodes(dimensions))];
        Arrays.setAll(placement, (process) -> process / processesPerNode);
        final StringBuilder name = new StringBuilder("mesh ");
        for (int i = 0; i < dimensions.length; i++)
        {
            name.append(i == 0 ? "" : "x").append(dimensions[i]);
        }
        return new Topology(name.append(", ").append(processesPerNode).append(" processes per node").toString(), placement,
            nodes(dimensions), dimensions);
    }

    /**
     * Two nodes with processes, and a row of nodes without any between them.
     *
     * @param processesPerNode of the two nodes.
     * @param hops             links between them, at least 1.
     * @return the row; the first half of the ranks is at one end, the second half at the other.
     */
    public static Topology pair(final int processesPerNode, final int hops)
    {
        if (processesPerNode < 1 || hops < 1)
        {
            throw new IllegalArgumentException("pair out of range: found processesPerNode=" + processesPerNode + ", hops=" +
                hops + ", expected each at least 1");
        }
        final int[] placement = new int[2 * processesPerNode];
        Arrays.setAll(placement, (process) -> process < processesPerNode ? 0 : hops);
        return new Topology("two nodes " + hops + " hops apart, " + processesPerNode + " processes per node", placement,
            hops + 1, hops + 1);
    }

    /**
     * Processes with a card each, one hop from each other: no network to fight for.
     *
     * @param processes number of them, at least 1.
     * @return the topology.
     */
    public static Topology apart(final int processes)
    {
        if (processes < 1)
        {
            throw new IllegalArgumentException("processes out of range: found=" + processes + ", expected at least 1");
        }
        final int[] placement = new int[processes];
        Arrays.setAll(placement, (process) -> process);
        return new Topology(processes + " processes one hop apart", placement, processes);
    }

    private static int nodes(final int... dimensions)
    {
        return Arrays.stream(dimensions).reduce(1, Math::multiplyExact);
    }

    private static int hops(final int from, final int to, final int... dimensions)
    {
        int hops = dimensions.length == 0 && from != to ? 1 : 0;
        int step = 1;
        for (final int length : dimensions)
        {
            hops += Math.abs(from / step % length - to / step % length);
            step *= length;
        }
        return hops;
    }

    private void walk(final int from, final int to, final int start, final int... dimensions)
    {
        int at = from;
        int index = start;
        cards[index++] = at;
        if (dimensions.length == 0 && from != to)
        {
            cards[index] = to;
        }
        int step = 1;
        for (final int length : dimensions)
        {
            final int target = to / step % length;
            while (at / step % length != target)
            {
                at += at / step % length < target ? step : -step;
                cards[index++] = at;
            }
            step *= length;
        }
    }

    /**
     * Links between two nodes.
     *
     * @param from one node.
     * @param to   the other.
     * @return their number, 0 within a node.
     */
    public int hops(final int from, final int to)
    {
        return routeEnd(from, to) - routeStart(from, to) - 1;
    }

    /**
     * Where a process runs.
     *
     * @param process its rank.
     * @return the node.
     */
    public int node(final int process)
    {
        return placement[process];
    }

    /**
     * Number of processes that there is room for.
     *
     * @return their number.
     */
    public int processes()
    {
        return placement.length;
    }

    /**
     * Number of nodes.
     *
     * @return their number, those without processes included.
     */
    public int nodes()
    {
        return nodes;
    }

    /** Index of the first card of a route. */
    int routeStart(final int fromNode, final int toNode)
    {
        return starts[fromNode * nodes + toNode];
    }

    /** Index after the last card of a route. */
    int routeEnd(final int fromNode, final int toNode)
    {
        return starts[fromNode * nodes + toNode + 1];
    }

    /** The card at an index: the number of its node. */
    int card(final int index)
    {
        return cards[index];
    }

    @Override
    public String toString()
    {
        return name;
    }
}
