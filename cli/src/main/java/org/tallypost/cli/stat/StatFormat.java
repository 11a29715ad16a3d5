// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.tallypost.cli.console.JsonText;

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
     * One line of JSON: schema version, time, directory, group, node, number of nodes, endpoints and laggard.
     *
     * @param node    that was read.
     * @param laggard of the node.
     * @return the line without its end.
     */
    public static String json(final NodeSample node, final Optional<Laggard.Finding> laggard)
    {
        final Map<String, Object> root = new LinkedHashMap<>();
        root.put("schema", SCHEMA);
        root.put("time", Instant.ofEpochMilli(node.epochMs()).toString());
        root.put("directory", node.directory());
        root.put("group", node.group());
        root.put("node", node.node());
        root.put("nodes", node.nodes());
        root.put("endpoints", node.endpoints());
        root.put("laggard", laggard.map(StatFormat::members).orElse(null));
        return JsonText.of(root);
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
