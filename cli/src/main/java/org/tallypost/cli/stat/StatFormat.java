// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.tallypost.cli.console.JsonText;
import org.tallypost.cli.console.TextTable;

/**
 * Samples of a node as a table for people, or as one line of JSON.
 */
public final class StatFormat
{
    /** Of the JSON: what is there keeps its name and meaning as long as this is the same. */
    private static final int SCHEMA = 1;
    private static final double NS_PER_S = 1e9;
    private static final double THOUSAND = 1e3;
    /** What is more is a thousand if rounded to a tenth. */
    private static final double LARGEST = 999.95;
    /** From here on a count is shown in thousands, millions and so on. */
    private static final long MOST_DIGITS = 100_000;
    private static final String UNITS = "kMGTPE";

    private StatFormat()
    {
    }

    /**
     * Two tables, of traffic and of credits, of at most 100 columns; below them what lanes do, and the laggard.
     *
     * @param node    that was read.
     * @param before  sample before it for rates, or null.
     * @param laggard of the node.
     * @return several lines.
     */
    public static String table(final NodeSample node, final NodeSample before, final Optional<Laggard.Finding> laggard)
    {
        return traffic(node, before) + System.lineSeparator() + credits(node) + lanes(node) + "laggard: " +
            laggard.map(StatFormat::sentence).orElse("no open rank has anything to read") + System.lineSeparator();
    }

    private static TextTable traffic(final NodeSample node, final NodeSample before)
    {
        final TextTable table = new TextTable("rank", "pid", "state", "sent", "received", "received/s", "B sent",
            "B received", "unread", "most unread");
        for (final EndpointSample sample : node.endpoints())
        {
            table.add(
                Integer.toString(sample.rank()),
                sample.pid() == 0 ? "-" : Long.toString(sample.pid()),
                sample.state(),
                count(sample.sent()),
                count(sample.received()),
                before == null || node.timeNs() == before.timeNs() ? "-" : count(rate(node, before, sample)),
                count(sample.bytesSent()),
                count(sample.bytesReceived()),
                count(sample.backlogSlots()),
                count(sample.highWaterSlots()));
        }
        table.add(
            "all",
            "-",
            node.endpoints().stream().filter(EndpointSample::open).count() + " open",
            sum(node, EndpointSample::sent),
            sum(node, EndpointSample::received),
            before == null || node.timeNs() == before.timeNs() ? "-" : sum(node, (sample) -> rate(node, before, sample)),
            sum(node, EndpointSample::bytesSent),
            sum(node, EndpointSample::bytesReceived),
            sum(node, EndpointSample::backlogSlots),
            count(node.endpoints().stream().mapToLong(EndpointSample::highWaterSlots).max().orElse(0)));
        return table;
    }

    /** A line for each rank that has lanes: how many, and what trials have chosen for them. */
    private static String lanes(final NodeSample node)
    {
        return node.endpoints().stream().filter((sample) -> sample.open() && sample.lanes() > 0)
            .map((sample) -> String.format(Locale.ROOT, "lanes of rank %d: %d, of these %d own lines, %d stay behind; polls %s%n",
                sample.rank(), sample.lanes(), sample.owningLanes(), sample.trailingLanes(),
                sample.pollsWait() ? "wait" : "do not wait")).collect(Collectors.joining());
    }

    private static TextTable credits(final NodeSample node)
    {
        final TextTable table = new TextTable("rank", "stalls", "stall s", "returns", "nudges", "stolen", "revoked",
            "asked", "answers", "refused", "skipped", "repaired");
        for (final EndpointSample sample : node.endpoints())
        {
            table.add(
                Integer.toString(sample.rank()),
                count(sample.stalls()),
                seconds(sample.stallTimeNs()),
                count(sample.creditPackets()),
                count(sample.nudges()),
                count(sample.creditsStolen()),
                count(sample.creditsRevoked()),
                count(sample.requests()),
                count(sample.responses()),
                count(sample.refused()),
                count(sample.skippedSlots()),
                count(sample.repairedCredits()));
        }
        table.add(
            "all",
            sum(node, EndpointSample::stalls),
            seconds(node.endpoints().stream().mapToLong(EndpointSample::stallTimeNs).sum()),
            sum(node, EndpointSample::creditPackets),
            sum(node, EndpointSample::nudges),
            sum(node, EndpointSample::creditsStolen),
            sum(node, EndpointSample::creditsRevoked),
            sum(node, EndpointSample::requests),
            sum(node, EndpointSample::responses),
            sum(node, EndpointSample::refused),
            sum(node, EndpointSample::skippedSlots),
            sum(node, EndpointSample::repairedCredits));
        return table;
    }

    private static String sum(final NodeSample node, final ToLongFunction<EndpointSample> part)
    {
        return count(node.endpoints().stream().mapToLong(part).sum());
    }

    private static String sentence(final Laggard.Finding finding)
    {
        final String still = finding.stillNs() == 0 ? "" :
            String.format(Locale.ROOT, ", and no poll seen for %,.1f s", finding.stillNs() / 1e9);
        return String.format(
            Locale.ROOT, "rank %d (pid %d): %,d slots unread%s",
            finding.sample().rank(), finding.sample().pid(), finding.sample().backlogSlots(), still);
    }

    /** Messages received per second since the sample before. */
    private static long rate(final NodeSample node, final NodeSample before, final EndpointSample sample)
    {
        final long receivedBefore = before.endpoints().stream()
            .filter((old) -> old.rank() == sample.rank() && old.epoch() == sample.epoch())
            .mapToLong(EndpointSample::received).findFirst().orElse(0);
        return Math.round((sample.received() - receivedBefore) / ((node.timeNs() - before.timeNs()) / NS_PER_S));
    }

    private static String seconds(final long ns)
    {
        final double seconds = ns / NS_PER_S;
        return seconds < THOUSAND ? String.format(Locale.ROOT, "%.1f", seconds) : count(Math.round(seconds));
    }

    /** A large one is rounded, so that the column stays narrow: the JSON has all digits. */
    private static String count(final long value)
    {
        if (Math.abs(value) < MOST_DIGITS)
        {
            return Long.toString(value);
        }
        double scaled = value;
        int unit = -1;
        while (Math.abs(scaled) >= LARGEST && unit < UNITS.length() - 1)
        {
            scaled /= THOUSAND;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f%s", scaled, UNITS.charAt(unit));
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
