// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.tallypost.cli.console.JsonText;
import org.tallypost.collectives.TeamStat;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.node.LinkStat;

/**
 * Samples of a node as one line of JSON, and late members of its teams as lines of text.
 */
public final class StatFormat
{
    /** Of the JSON: what is there keeps its name and meaning as long as this is the same. */
    private static final int SCHEMA = 1;
    /** Ranks by number in a line of text, which has 80 columns. */
    private static final int MOST_WAITING = 3;

    private StatFormat()
    {
    }

    /**
     * One line of JSON: schema version, time, directory, group, node, number of nodes, endpoints, links, laggard and late
     * members.
     *
     * @param node    that was read.
     * @param laggard of the node.
     * @param late    members of teams that keep others waiting.
     * @return the line without its end.
     */
    public static String json(
        final NodeSample node, final Optional<Laggard.Finding> laggard, final List<TeamStat.Late> late)
    {
        final Map<String, Object> root = new LinkedHashMap<>();
        root.put("schema", SCHEMA);
        root.put("time", Instant.ofEpochMilli(node.epochMs()).toString());
        root.put("directory", node.directory());
        root.put("group", node.group());
        root.put("node", node.node());
        root.put("nodes", node.nodes());
        root.put("endpoints", node.endpoints());
        root.put("links", node.links().stream().map(StatFormat::members).toList());
        root.put("laggard", laggard.map(StatFormat::members).orElse(null));
        root.put("late", late);
        return JsonText.of(root);
    }

    /**
     * Two lines for each member of a team that keeps others waiting, and one line for those that are not shown.
     *
     * @param late members.
     * @param most members to be shown, at least 1.
     * @return several lines of at most 80 columns, or none.
     */
    static String late(final List<TeamStat.Late> late, final int most)
    {
        final StringBuilder lines = new StringBuilder();
        for (final TeamStat.Late member : late.subList(0, Math.min(late.size(), most)))
        {
            lines.append(String.format(Locale.ROOT,
                "late: rank %d has not come to %s %d%n      of team %x, view %d; waiting: %s%n",
                member.rank(), member.kind(), member.operation(), member.team(), member.view(), waiting(member.waiting())));
        }
        final int hidden = late.size() - Math.min(late.size(), most);
        return lines + (hidden == 0 ? "" : String.format(Locale.ROOT, "and %d more late members%n", hidden));
    }

    /** The first ranks, and how many more there are. */
    private static String waiting(final List<Integer> ranks)
    {
        final String first = ranks.stream().limit(MOST_WAITING).map(String::valueOf).collect(Collectors.joining(", "));
        return ranks.size() <= MOST_WAITING ? first : first + " and " + (ranks.size() - MOST_WAITING) + " more";
    }

    private static Map<String, Object> members(final LinkStat link)
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        members.put("peer", link.peer());
        link.forEach((name, unit, kind, value) ->
        {
            if (unit == Unit.FLAG)
            {
                members.put(name, value != 0);
            }
            else
            {
                members.put(name, value);
            }
        });
        return members;
    }

    private static Map<String, Object> members(final Laggard.Finding laggard)
    {
        final Map<String, Object> members = new LinkedHashMap<>();
        members.put("rank", laggard.sample().rank());
        members.put("pid", laggard.sample().pid());
        members.put("backlogSlots", laggard.sample().backlogSlots());
        members.put("stillNs", laggard.stillNs());
        return members;
    }
}
