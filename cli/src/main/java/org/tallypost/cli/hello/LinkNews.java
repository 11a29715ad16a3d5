// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.hello;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.Topology;

/**
 * What a transport told of the links to the other nodes, for a diagnosis: the last event of each, and each error once. Any
 * thread.
 */
final class LinkNews
{
    private static final int MAX_ERRORS = 8;

    private final Topology topology;
    private final int ownNode;
    private final Map<Integer, TransportEvent> last = new TreeMap<>();
    private final Set<String> errors = new LinkedHashSet<>();

    LinkNews(final Topology topology, final int ownNode)
    {
        this.topology = topology;
        this.ownNode = ownNode;
    }

    synchronized void onEvent(final TransportEvent event)
    {
        last.put(event.node(), event);
    }

    synchronized void onError(final Throwable error)
    {
        if (errors.size() < MAX_ERRORS)
        {
            errors.add(firstLine(error));
        }
    }

    /** An error in one line: its message, or its class if it has none. */
    static String firstLine(final Throwable error)
    {
        final String message = error.getMessage();
        return message == null || message.isBlank() ? error.getClass().getName() : message.strip().split("\\R", 2)[0];
    }

    /**
     * Why there is no link to some of the other nodes.
     *
     * @return a line for each node without a link, then one for each error.
     */
    synchronized List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        for (int node = 0; node < topology.nodeCount(); node++)
        {
            final TransportEvent event = last.get(node);
            if (node != ownNode && (event == null || event.kind() != TransportEvent.Kind.LINK_UP))
            {
                lines.add("node " + node + " at " + topology.address(node) + ": " + (event == null ?
                    "it has not proved itself: does it run, with the same secret and the same list of nodes, and does the " +
                    "network let UDP through?" : event.text() + (event.kind() == TransportEvent.Kind.STRANGER ?
                    "; does it have the same secret and the same list of nodes?" : "")));
            }
        }
        lines.addAll(errors);
        return lines;
    }
}
