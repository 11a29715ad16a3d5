// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.tallypost.cli.console.JsonText;
import org.tallypost.collectives.TeamStat;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.node.LinkStat;

/**
 * Samples of a node as one line of JSON.
 */
public final class StatFormat
{
    /** Of the JSON: what is there keeps its name and meaning as long as this is the same. */
    private static final int SCHEMA = 1;

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
     * A line for each member of a team that keeps others waiting.
     *
     * @param late members.
     * @return several lines, or none.
     */
    static String late(final List<TeamStat.Late> late)
    {
        final StringBuilder lines = new StringBuilder();
        for (final TeamStat.Late member : late)
        {
            lines.append(String.format(Locale.ROOT,
                "late: rank %d has not come to %s %d of team %x, view %d; there are ranks %s%n",
                member.rank(), member.kind(), member.operation(), member.team(), member.view(), member.waiting()));
        }
        return lines.toString();
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
