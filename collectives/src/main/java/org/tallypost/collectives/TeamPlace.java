// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;

/**
 * Where the members of a new team come together, before they are one: those of a node in an arena, and if the team is on several
 * nodes its leaders by their links.
 */
final class TeamPlace
{
    private final Teams teams;
    private final TeamArena arena;
    /** Which member is on which node; null if all are on one. */
    private final NodeMap map;
    private final NodeLinks links;

    private TeamPlace(final Teams teams, final TeamArena arena, final NodeMap map, final NodeLinks links)
    {
        this.teams = teams;
        this.arena = arena;
        this.map = map;
        this.links = links;
    }

    /**
     * For members of a team.
     *
     * @param old    the team.
     * @param id     of the new one.
     * @param view   of the new one.
     * @param chosen members of the old team, in the order of the new one.
     * @param member this one's place among them.
     */
    static TeamPlace of(final Team old, final long id, final int view, final int[] chosen, final int member)
    {
        final Teams teams = old.teams();
        final int[] ranks = Arrays.stream(chosen).map(old::rankOf).toArray();
        final NodesPath nodes = old.nodes();
        final NodeMap map =
            nodes == null ? null : new NodeMap(chosen.length, member, (i) -> nodes.map().nodeOf(chosen[i]));
        if (map == null || map.nodes() == 1)
        {
            return new TeamPlace(teams, teams.arena(id, view, ranks, member), null, null);
        }
        final NodeLinks links = teams.link(map, ranks, id, view);
        links.votes().links().follow(nodes.votes().links(), chosen);
        final int[] local = Arrays.stream(map.locals()).map((i) -> ranks[i]).toArray();
        return new TeamPlace(teams, teams.arena(id, view, local, map.localOf(member)), map, links);
    }

    /** Whether all that this member has to meet are there. */
    boolean tryJoin()
    {
        return arena.tryJoin() & (links == null || links.tryConnect());
    }

    /** Whether this member is in the arena. */
    boolean isEntered()
    {
        return arena.arena() != null;
    }

    /** Ranks that this member waits for. */
    RankSet missing()
    {
        return links == null ? arena.missing() : arena.missing().union(links.missing());
    }

    /** All have come: the team begins. */
    Team open()
    {
        final Team inner = teams.open(arena);
        return links == null ? inner : teams.open(inner, arena, map, links);
    }

    /** This member does not come any more. */
    void close()
    {
        arena.close();
        if (links != null)
        {
            teams.unlink(links);
        }
    }
}
