// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.node.LinkStat;

/**
 * A node as tables for people, of at most 80 columns. The ranks that wait come first. Of a look that has one before it, the
 * tables have rates; otherwise they have what was counted since the ranks were opened.
 */
final class StatTable
{
    private static final double NS_PER_S = 1e9;
    private static final double PERCENT = 100;
    private static final double THOUSAND = 1e3;
    /** What is more is a thousand if rounded to a tenth. */
    private static final double LARGEST = 999.95;
    /** From here on a count is shown in thousands, millions and so on. */
    private static final long MOST_DIGITS = 100_000;
    private static final String UNITS = "kMGTPE";

    private final NodeSample node;
    private final NodeSample before;
    private final double seconds;
    private final int most;
    private final List<EndpointSample> shown;

    private StatTable(final NodeSample node, final NodeSample before, final int most)
    {
        this.node = node;
        this.before = before;
        this.most = most;
        seconds = before == null ? 0 : (node.timeNs() - before.timeNs()) / NS_PER_S;
        shown = node.endpoints().stream().sorted(Comparator
            .comparing((EndpointSample rank) -> !rank.open())
            .thenComparingLong((rank) -> -since(rank, EndpointSample::stallTimeNs))
            .thenComparingLong((rank) -> -since(rank, EndpointSample::stalls))
            .thenComparingLong((rank) -> -rank.backlogSlots())
            .thenComparingInt(EndpointSample::rank)).limit(most).toList();
    }

    /**
     * Traffic, credits, links, damage, lanes, bulk and the laggard.
     *
     * @param node    that was read.
     * @param before  look before it for rates, or null.
     * @param laggard of the node.
     * @param most    ranks to show.
     * @return several lines.
     */
    static String of(
        final NodeSample node, final NodeSample before, final Optional<Laggard.Finding> laggard, final int most)
    {
        // two looks at the same time have no rate
        final boolean isRate = before != null && node.timeNs() - before.timeNs() > 0;
        final StatTable table = new StatTable(node, isRate ? before : null, most);
        final String end = System.lineSeparator();
        final String span = isRate ? ", per second" : ", since the ranks were opened";
        return "traffic" + span + end + table.traffic() + "credits" + span + end + table.credits() + table.others() +
            table.links() + table.totals() + end + table.damage() + table.lanes() + table.bulk() + sentence(laggard) + end;
    }

    private TextTable traffic()
    {
        final TextTable table = new TextTable(
            "rank", "pid", "state", "sent", "received", "B sent", "B received", "unread", "most");
        for (final EndpointSample rank : shown)
        {
            table.add(
                Integer.toString(rank.rank()), rank.pid() == 0 ? "-" : Long.toString(rank.pid()), rank.state(),
                rate(rank, EndpointSample::sent), rate(rank, EndpointSample::received),
                rate(rank, EndpointSample::bytesSent), rate(rank, EndpointSample::bytesReceived),
                count(rank.backlogSlots()), count(rank.highWaterSlots()));
        }
        table.add(
            "all", "-", open() + " open", rate(EndpointSample::sent), rate(EndpointSample::received),
            rate(EndpointSample::bytesSent), rate(EndpointSample::bytesReceived),
            count(node.endpoints().stream().mapToLong(EndpointSample::backlogSlots).sum()),
            count(node.endpoints().stream().mapToLong(EndpointSample::highWaterSlots).max().orElse(0)));
        return table;
    }

    private long open()
    {
        return node.endpoints().stream().filter(EndpointSample::open).count();
    }

    private TextTable credits()
    {
        final TextTable table = new TextTable(
            "rank", "stalls", "waited", "returns", "nudges", "stolen", "revoked", "asked", "answers");
        for (final EndpointSample rank : shown)
        {
            table.add(
                Integer.toString(rank.rank()), rate(rank, EndpointSample::stalls),
                waited(since(rank, EndpointSample::stallTimeNs)), rate(rank, EndpointSample::creditPackets),
                rate(rank, EndpointSample::nudges), rate(rank, EndpointSample::creditsStolen),
                rate(rank, EndpointSample::creditsRevoked), rate(rank, EndpointSample::requests),
                rate(rank, EndpointSample::responses));
        }
        table.add(
            "all", rate(EndpointSample::stalls), waited(sum(EndpointSample::stallTimeNs)), rate(EndpointSample::creditPackets),
            rate(EndpointSample::nudges), rate(EndpointSample::creditsStolen), rate(EndpointSample::creditsRevoked),
            rate(EndpointSample::requests), rate(EndpointSample::responses));
        return table;
    }

    private String others()
    {
        final int hidden = node.endpoints().size() - shown.size();
        return hidden == 0 ? "" : String.format(Locale.ROOT, "and %d more ranks, which are in the rows 'all'%n", hidden);
    }

    /** Links that are down first, then those that stall longest; nothing if there is one node only. */
    private String links()
    {
        if (node.links().isEmpty())
        {
            return "";
        }
        final TextTable table = new TextTable(
            "node", "link", "for", "sent", "received", "B sent", "B received", "stalled", "repairs", "dropped");
        node.links().stream().sorted(Comparator
            .comparingLong((LinkStat link) -> link.value(LinkCounter.UP))
            .thenComparingLong((link) -> -since(link, LinkCounter.STALL_TIME))
            .thenComparingInt(LinkStat::peer)).limit(Math.max(most, 1)).forEach((link) -> table.add(
                Integer.toString(link.peer()), link.value(LinkCounter.UP) == 0 ? "down" : "up",
                duration(link.value(LinkCounter.STATE_TIME)) + "s",
                rate(link, LinkCounter.MESSAGES_SENT), rate(link, LinkCounter.MESSAGES_RECEIVED),
                rate(link, LinkCounter.BYTES_SENT, LinkCounter.BULK_BYTES_SENT),
                rate(link, LinkCounter.BYTES_RECEIVED, LinkCounter.BULK_BYTES_RECEIVED), stalled(link),
                rate(link, LinkCounter.REPAIRS_ASKED, LinkCounter.REPAIRS_GIVEN),
                count(link.value(LinkCounter.DROPPED))));
        final int hidden = node.links().size() - Math.min(node.links().size(), Math.max(most, 1));
        return String.format("links%s%n", before == null ? ", since the node was founded" : ", per second") + table +
            (hidden == 0 ? "" : String.format(Locale.ROOT, "and %d more links%n", hidden));
    }

    /** Since the look before, or since the node was founded. */
    private long since(final LinkStat link, final LinkCounter counter)
    {
        final long old = before == null ? 0 : before.links().stream().filter((each) -> each.peer() == link.peer())
            .mapToLong((each) -> each.value(counter)).findFirst().orElse(0);
        return link.value(counter) - old;
    }

    /** Counters of links are written some times a second: a rate is over the time between two of these moments. */
    private double linkSeconds(final LinkStat link)
    {
        return (since(link, LinkCounter.UP_TIME) + since(link, LinkCounter.DOWN_TIME)) / NS_PER_S;
    }

    private String rate(final LinkStat link, final LinkCounter... counters)
    {
        long sum = 0;
        for (final LinkCounter counter : counters)
        {
            sum += since(link, counter);
        }
        final double passed = linkSeconds(link);
        return before == null ? count(sum) : passed > 0 ? count(Math.round(sum / passed)) : "-";
    }

    private String stalled(final LinkStat link)
    {
        final long ns = since(link, LinkCounter.STALL_TIME);
        final double passed = linkSeconds(link);
        return before == null ? duration(ns) + "s" : passed > 0 ? count(Math.round(PERCENT * ns / NS_PER_S / passed)) + "%" : "-";
    }

    /** What rates do not say. */
    private String totals()
    {
        return before == null ? "" : String.format(
            Locale.ROOT, "since the ranks were opened: %s messages (%sB) sent, %s (%sB) received%n" +
            "                             %s stalls, waited %s s%n",
            total(EndpointSample::sent), total(EndpointSample::bytesSent), total(EndpointSample::received),
            total(EndpointSample::bytesReceived), total(EndpointSample::stalls),
            duration(node.endpoints().stream().mapToLong(EndpointSample::stallTimeNs).sum()));
    }

    private String total(final ToLongFunction<EndpointSample> part)
    {
        return count(node.endpoints().stream().mapToLong(part).sum());
    }

    /** A line for each rank with damage; totals, as one is worth knowing however old it is. */
    private String damage()
    {
        final List<EndpointSample> damaged = node.endpoints().stream()
            .filter((rank) -> rank.refused() + rank.skippedSlots() + rank.repairedCredits() > 0).toList();
        return damaged.isEmpty() ? String.format("damage: none%n") : damaged.stream().limit(Math.max(shown.size(), 1))
            .map((rank) -> String.format(
                Locale.ROOT, "damage, rank %d: %s refused, %s slots skipped, %s repaired%n",
                rank.rank(), count(rank.refused()), count(rank.skippedSlots()), count(rank.repairedCredits())))
            .collect(Collectors.joining());
    }

    /** A line for each rank that has lanes: how many, and what trials have chosen for them. */
    private String lanes()
    {
        return shown.stream().filter((rank) -> rank.open() && rank.lanes() > 0)
            .map((rank) -> String.format(Locale.ROOT, "lanes of rank %d: %d, of these %d own lines, %d stay behind; polls %s%n",
                rank.rank(), rank.lanes(), rank.owningLanes(), rank.trailingLanes(),
                rank.pollsWait() ? "wait" : "do not wait")).collect(Collectors.joining());
    }

    /** A line for each rank that has used memory of other nodes; totals, as those of damage. */
    private String bulk()
    {
        return shown.stream().filter((rank) -> rank.bulkOperations() > 0)
            .map((rank) -> String.format(Locale.ROOT, "bulk of rank %d: %s operations, %sB, %s refused, %s under way%n",
                rank.rank(), count(rank.bulkOperations()), count(rank.bulkBytes()), count(rank.bulkRefused()),
                count(rank.bulkPending()))).collect(Collectors.joining());
    }

    private static String sentence(final Optional<Laggard.Finding> laggard)
    {
        if (laggard.isEmpty())
        {
            return "laggard: no open rank has anything to read";
        }
        final EndpointSample rank = laggard.get().sample();
        final String still = laggard.get().stillNs() == 0 ? "" : String.format(
            Locale.ROOT, ",%n         and no poll seen for %s s", duration(laggard.get().stillNs()));
        return String.format(Locale.ROOT, "laggard: rank %d (pid %d): %s slots unread%s",
            rank.rank(), rank.pid(), count(rank.backlogSlots()), still);
    }

    /** Since the look before, or since the rank was opened. */
    private long since(final EndpointSample rank, final ToLongFunction<EndpointSample> part)
    {
        final long old = before == null ? 0 : before.endpoints().stream()
            .filter((each) -> each.rank() == rank.rank() && each.epoch() == rank.epoch())
            .mapToLong(part).findFirst().orElse(0);
        return part.applyAsLong(rank) - old;
    }

    private long sum(final ToLongFunction<EndpointSample> part)
    {
        return node.endpoints().stream().mapToLong((rank) -> since(rank, part)).sum();
    }

    private String rate(final EndpointSample rank, final ToLongFunction<EndpointSample> part)
    {
        return rate(since(rank, part));
    }

    private String rate(final ToLongFunction<EndpointSample> part)
    {
        return rate(sum(part));
    }

    private String rate(final long value)
    {
        return count(before == null ? value : Math.round(value / seconds));
    }

    /** A share of the time between two looks, beyond 100 % if several threads or ranks waited; else seconds. */
    private String waited(final long ns)
    {
        return before == null ? duration(ns) + "s" : count(Math.round(PERCENT * ns / NS_PER_S / seconds)) + "%";
    }

    private static String duration(final long ns)
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
}
