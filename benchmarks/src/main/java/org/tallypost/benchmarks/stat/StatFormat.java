// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.stat;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.report.TextTable;

/**
 * Samples of a node as a table for people, or as one line of JSON.
 */
public final class StatFormat
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double NS_PER_MS = 1e6;

    private StatFormat()
    {
    }

    /**
     * The table, and the laggard below it.
     *
     * @param node    that was read.
     * @param before  sample before it for rates, or null.
     * @param laggard of the node.
     * @return several lines.
     */
    public static String table(final NodeSample node, final NodeSample before, final Optional<Laggard.Finding> laggard)
    {
        final TextTable table = new TextTable(
            "rank", "pid", "state", "sent", "received", "received/s", "bytes sent", "bytes received", "stalls", "stall ms",
            "credit packets", "stolen", "requests", "responses", "unread slots", "high water", "mailbox bytes");
        for (final EndpointSample sample : node.endpoints())
        {
            table.add(
                Integer.toString(sample.rank()),
                Long.toString(sample.pid()),
                sample.open() ? "open" : "closed",
                count(sample.sent()),
                count(sample.received()),
                rate(node, before, sample),
                count(sample.bytesSent()),
                count(sample.bytesReceived()),
                count(sample.stalls()),
                String.format(Locale.ROOT, "%,.1f", sample.stallTimeNs() / NS_PER_MS),
                count(sample.creditPackets()),
                count(sample.creditsStolen()),
                count(sample.requests()),
                count(sample.responses()),
                count(sample.backlogSlots()),
                count(sample.highWaterSlots()),
                count(sample.mailboxBytes()));
        }
        return table + "laggard: " + laggard.map(StatFormat::sentence).orElse("nobody has anything to read") +
            System.lineSeparator();
    }

    private static String sentence(final Laggard.Finding finding)
    {
        final String still = finding.stillNs() == 0 ? "" :
            String.format(Locale.ROOT, ", and no poll seen for %,.1f s", finding.stillNs() / 1e9);
        return String.format(
            Locale.ROOT, "rank %d (pid %d): %,d slots unread%s",
            finding.sample().rank(), finding.sample().pid(), finding.sample().backlogSlots(), still);
    }

    private static String rate(final NodeSample node, final NodeSample before, final EndpointSample sample)
    {
        if (before == null || node.timeNs() == before.timeNs())
        {
            return "-";
        }
        final List<EndpointSample> matching = before.endpoints().stream()
            .filter(old -> old.rank() == sample.rank() && old.epoch() == sample.epoch()).toList();
        final long receivedBefore = matching.isEmpty() ? 0 : matching.get(0).received();
        final double seconds = (node.timeNs() - before.timeNs()) / 1e9;
        return count(Math.round((sample.received() - receivedBefore) / seconds));
    }

    private static String count(final long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /**
     * One line of JSON: endpoints and laggard.
     *
     * @param node    that was read.
     * @param laggard of the node.
     * @return the line without its end.
     */
    public static String json(final NodeSample node, final Optional<Laggard.Finding> laggard)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        final ArrayNode endpoints = root.putArray("endpoints");
        node.endpoints().forEach(sample -> endpoints.add(MAPPER.<ObjectNode>valueToTree(sample)));
        if (laggard.isPresent())
        {
            root.putObject("laggard")
                .put("rank", laggard.get().sample().rank())
                .put("pid", laggard.get().sample().pid())
                .put("backlogSlots", laggard.get().sample().backlogSlots())
                .put("stillNs", laggard.get().stillNs());
        }
        else
        {
            root.putNull("laggard");
        }
        return root.toString();
    }
}
