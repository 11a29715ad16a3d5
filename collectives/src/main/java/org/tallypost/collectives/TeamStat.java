// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.node.NodeStat;

/**
 * Reads from outside which members of a node's teams keep others waiting. It joins nothing and changes nothing. What it reads
 * changes meanwhile, so a member that is named may have come by now; one that is named again and again is late.
 */
public final class TeamStat
{
    private TeamStat()
    {
    }

    /**
     * A member that has not come to an operation that others have begun.
     *
     * @param team      number of the team.
     * @param view      of the team.
     * @param rank      of the member.
     * @param operation number of the operation, in the members' arena on this node.
     * @param kind      of the operation, in lower case.
     * @param waiting   ranks that have begun it.
     */
    public record Late(long team, int view, int rank, long operation, String kind, List<Integer> waiting)
    {
    }

    /**
     * The members of all teams of a node that keep others waiting.
     *
     * @param node to look at.
     * @return those that are behind the others of their team; none of a team that has ended, or where all are equally far.
     */
    public static List<Late> read(final NodeStat node)
    {
        final List<Late> all = new ArrayList<>();
        node.readShared(TeamArena.PREFIX, ArenaDescriptor.SLEEPING_OFFSET, TeamStat::lengthOf, (arena) -> addLate(arena, all));
        return all;
    }

    /** How much of an arena tells of its members, in bytes, without their blocks; 0 for what is no arena of this version. */
    static int lengthOf(final DirectBuffer arena)
    {
        if (arena.capacity() < ArenaDescriptor.SLEEPING_OFFSET ||
            arena.getLong(ArenaDescriptor.MAGIC_OFFSET) != ArenaDescriptor.MAGIC ||
            arena.getInt(ArenaDescriptor.VERSION_OFFSET) != ArenaDescriptor.VERSION)
        {
            return 0;
        }
        final int members = arena.getInt(ArenaDescriptor.MEMBERS_OFFSET);
        final int window = arena.getInt(ArenaDescriptor.WINDOW_OFFSET);
        return ArenaDescriptor.isValid(members, window, arena.getInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET)) ?
            ArenaDescriptor.proposalsOffset(members, window) : 0;
    }

    /** None are added of what is no arena of this version, is damaged, or awaits members still. */
    static void addLate(final DirectBuffer arena, final List<Late> all)
    {
        final int length = lengthOf(arena);
        if (length == 0 || arena.capacity() < length || arena.getLong(ArenaDescriptor.DECISION_OFFSET) != 0 ||
            arena.getLong(ArenaDescriptor.MEETING_OFFSET) != ArenaDescriptor.COMPLETE)
        {
            return;
        }
        final int members = arena.getInt(ArenaDescriptor.MEMBERS_OFFSET);
        final int window = arena.getInt(ArenaDescriptor.WINDOW_OFFSET);
        long last = 0;
        for (int i = 0; i < members; i++)
        {
            last = Math.max(last, begun(arena, i, members, window));
        }
        final List<Integer> waiting = new ArrayList<>();
        final List<Integer> late = new ArrayList<>();
        for (int i = 0; i < members; i++)
        {
            final int line = lastLine(i, members, window);
            final boolean hasCome = ArenaDescriptor.begunOperation(begun(arena, i, members, window)) ==
                ArenaDescriptor.begunOperation(last);
            if (arena.getInt(line + ArenaDescriptor.LEFT_OFFSET) == 0)
            {
                (hasCome ? waiting : late).add(arena.getInt(line + ArenaDescriptor.RANK_OFFSET));
            }
        }
        final Kind[] kinds = Kind.values();
        final int kind = ArenaDescriptor.begunKind(last);
        for (final int rank : late)
        {
            all.add(new Late(arena.getLong(ArenaDescriptor.TEAM_OFFSET), arena.getInt(ArenaDescriptor.VIEW_OFFSET), rank,
                ArenaDescriptor.begunOperation(last), kind >= 0 && kind < kinds.length ?
                    kinds[kind].name().toLowerCase(Locale.ROOT).replace('_', ' ') : "unknown", List.copyOf(waiting)));
        }
    }

    private static int lastLine(final int member, final int members, final int window)
    {
        return ArenaDescriptor.membersOffset(members) + member * ArenaDescriptor.memberLength(window) +
            window * ArenaDescriptor.LINE_LENGTH;
    }

    private static long begun(final DirectBuffer arena, final int member, final int members, final int window)
    {
        return arena.getLong(lastLine(member, members, window) + ArenaDescriptor.BEGUN_OFFSET);
    }
}
