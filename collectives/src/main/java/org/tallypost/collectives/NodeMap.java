// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Which member of a team is on which node. Nodes are numbered in the order of their first members, which speak for them; members
 * of a node are its locals, numbered in the order of the members.
 */
final class NodeMap
{
    private final int self;
    private final int[] nodeOf;
    private final int[] localOf;
    private final int[][] members;
    private final int[] before;
    private final boolean isConsecutive;
    private final int mostLocals;

    /**
     * For members of which each is somewhere.
     *
     * @param size  number of members.
     * @param self  this member.
     * @param place of a member: any number that is the same for those of one node.
     */
    NodeMap(final int size, final int self, final IntUnaryOperator place)
    {
        this.self = self;
        nodeOf = new int[size];
        localOf = new int[size];
        final int[] places = new int[size];
        final int[] counts = new int[size];
        int nodes = 0;
        boolean isInOrder = true;
        for (int i = 0; i < size; i++)
        {
            final int at = place.applyAsInt(i);
            int node = 0;
            while (node < nodes && places[node] != at)
            {
                node++;
            }
            if (node == nodes)
            {
                places[nodes++] = at;
            }
            isInOrder &= node == nodes - 1;
            nodeOf[i] = node;
            localOf[i] = counts[node]++;
        }
        isConsecutive = isInOrder;
        members = new int[nodes][];
        before = new int[nodes + 1];
        for (int node = 0; node < nodes; node++)
        {
            members[node] = new int[counts[node]];
            before[node + 1] = before[node] + counts[node];
        }
        for (int i = 0; i < size; i++)
        {
            members[nodeOf[i]][localOf[i]] = i;
        }
        mostLocals = Arrays.stream(counts).max().orElse(0);
    }

    int size()
    {
        return nodeOf.length;
    }

    /** This member. */
    int self()
    {
        return self;
    }

    int nodes()
    {
        return members.length;
    }

    /** The node of this member. */
    int node()
    {
        return nodeOf[self];
    }

    int nodeOf(final int member)
    {
        return nodeOf[member];
    }

    /** Number of a member among those of its node. */
    int localOf(final int member)
    {
        return localOf[member];
    }

    /** Members of this node. */
    int[] locals()
    {
        return members[node()];
    }

    /** How many members a node has. */
    int count(final int node)
    {
        return members[node].length;
    }

    /** Most members of a node. */
    int mostLocals()
    {
        return mostLocals;
    }

    /** Members of all nodes before one. */
    int before(final int node)
    {
        return before[node];
    }

    /** A member by its place when those of one node stand behind each other. */
    int member(final int node, final int local)
    {
        return members[node][local];
    }

    /** The place of a member when those of one node stand behind each other. */
    int placeOf(final int member)
    {
        return before[nodeOf[member]] + localOf[member];
    }

    /** The member that speaks for a node. */
    int leader(final int node)
    {
        return members[node][0];
    }

    /** Whether this member speaks for its node. */
    boolean isLeader()
    {
        return localOf[self] == 0;
    }

    boolean isHere(final int member)
    {
        return nodeOf[member] == node();
    }

    /** How a member of the team is called in the arena of this node: those of other nodes are behind its own; so is none. */
    int inArena(final int member)
    {
        return member < 0 ? locals().length + size() : isHere(member) ? localOf(member) : locals().length + member;
    }

    /** The member of the team that is called so in the arena of this node. */
    int ofArena(final int found)
    {
        final int locals = locals().length;
        return found < 0 || found >= locals + size() ? Window.NOBODY : found < locals ? locals()[found] : found - locals;
    }

    /** Whether the numbers of the members of each node are consecutive. */
    boolean isConsecutive()
    {
        return isConsecutive;
    }
}
