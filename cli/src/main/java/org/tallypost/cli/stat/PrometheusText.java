// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.tallypost.cli.console.PrintableText;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.node.LinkStat;

/**
 * Counters of a node in the text format of Prometheus, version 0.0.4. The names are made of those of the counters: words in small
 * letters, the unit at the end, and "total" behind it for what only grows.
 */
final class PrometheusText
{
    private static final String PREFIX = "tallypost_";
    private static final double NS_PER_S = 1e9;
    /** What the name of a counter does not say. */
    private static final Map<String, String> HELP = Map.ofEntries(
        Map.entry("sent", "Messages sent."),
        Map.entry("bytesSent", "Payload sent."),
        Map.entry("received", "Messages received."),
        Map.entry("bytesReceived", "Payload received."),
        Map.entry("stalls", "Messages that did not go at once for want of credits."),
        Map.entry("stallTimeNs", "Time that such messages waited."),
        Map.entry("nudges", "Empty packets sent to be given credits back."),
        Map.entry("creditPackets", "Returns of credits to senders."),
        Map.entry("creditsStolen", "Credits moved from one sender to another."),
        Map.entry("creditsRevoked", "Credits taken back from senders that did not use them."),
        Map.entry("requests", "Compulsory requests for credits."),
        Map.entry("responses", "Answers to compulsory requests."),
        Map.entry("highWaterSlots", "Most unread slots of the ring seen at a time."),
        Map.entry("refused", "Packets refused: malformed, without credit, or from a source that is gone."),
        Map.entry("skippedSlots", "Slots skipped because their sender died or they were damaged."),
        Map.entry("repairedCredits", "Credits found missing after damage, and put right."),
        Map.entry("lanes", "Express lanes granted to senders."),
        Map.entry("owningLanes", "Lanes in which the receiver writes into what it has read."),
        Map.entry("trailingLanes", "Lanes in which the receiver stays behind a flow for a moment."),
        Map.entry("pollsWaiting", "Whether a poll that finds nothing waits for a moment."),
        Map.entry("bulkOperations", "Operations on memory of ranks of other nodes."),
        Map.entry("bulkBytes", "Bytes that puts have written into memory of other nodes, and gets have read there."),
        Map.entry("bulkRefused", "Operations on memory of other nodes that were refused, or lost with a link."),
        Map.entry("bulkPending", "Operations on memory of other nodes that are under way."),
        Map.entry("highSent", "Messages sent with high priority."),
        Map.entry("highReceived", "Messages received with high priority."),
        Map.entry("highStalls", "Messages of high priority that did not go at once for want of credits."),
        Map.entry("highRefused", "Packets of high priority refused: malformed, without credit, or from a source that is gone."),
        Map.entry("highSkippedSlots", "Slots of the high ring skipped because their sender died or they were damaged."),
        Map.entry("polls", "Polls, counted now and then."),
        Map.entry("linkUp", "Whether the link to the other node is up."),
        Map.entry("linkUps", "How many times the link came up."),
        Map.entry("linkStateTimeNs", "Time since the link came up, or went down."),
        Map.entry("linkUpTimeNs", "Time in which the link was up."),
        Map.entry("linkDownTimeNs", "Time in which the link was down."),
        Map.entry("linkMessagesSent", "Messages sent to the other node."),
        Map.entry("linkMessagesReceived", "Messages received from the other node."),
        Map.entry("linkFramesSent", "Frames sent to the other node: runs of messages, and what links and pairs tell."),
        Map.entry("linkFramesReceived", "Frames received from the other node."),
        Map.entry("linkBatchesSent", "Batches of frames sent to the other node."),
        Map.entry("linkBatchesReceived", "Batches of frames received from the other node."),
        Map.entry("linkBytesSent", "Bytes of batches sent to the other node."),
        Map.entry("linkBytesReceived", "Bytes of batches received from the other node."),
        Map.entry("linkBulkBytesSent", "Bytes sent to the other node by the bulk stream."),
        Map.entry("linkBulkBytesReceived", "Bytes received from the other node by the bulk stream."),
        Map.entry("linkStalls", "Times when the stream to the other node took nothing."),
        Map.entry("linkStallTimeNs", "Time for which the stream to the other node took nothing."),
        Map.entry("linkRepairsAsked", "How often this node asked for what had not come."),
        Map.entry("linkRepairsGiven", "How often the other node asked for what had not come."),
        Map.entry("linkDropped", "What came from the network and was not handed on."),
        Map.entry("mailboxBytes", "Length of the mailbox file, 0 if it is not open."));

    private final StringBuilder text = new StringBuilder();
    private final NodeSample node;

    private PrometheusText(final NodeSample node)
    {
        this.node = node;
    }

    /**
     * Writes all counters.
     *
     * @param node  that they are of.
     * @param ranks of the node.
     * @return the text, with the end of its last line.
     */
    static String of(final NodeSample node, final List<RankCounters> ranks)
    {
        final PrometheusText all = new PrometheusText(node);
        all.gauge("rank_open", "Whether the rank is open in a living process.", ranks,
            (rank) -> rank.state().equals("open") ? 1 : 0);
        all.gauge("rank_dead", "Whether the process of the rank ended without closing it.", ranks,
            (rank) -> rank.state().equals("dead") ? 1 : 0);
        all.gauge("rank_epoch", "How many times the rank was opened.", ranks, RankCounters::epoch);
        all.gauge("unread_slots", "Unread slots now.", ranks, RankCounters::backlogSlots);
        all.counters("rank", ranks.stream().map((rank) -> new Series(rank.rank(), rank.counters())).toList());
        all.counters("peer", node.links().stream().map(PrometheusText::series).toList());
        return all.text.toString();
    }

    /** Counters of a rank, or of the link to a peer. */
    private record Series(int index, List<RankCounters.Counter> counters)
    {
    }

    private static Series series(final LinkStat link)
    {
        final List<RankCounters.Counter> counters = new ArrayList<>();
        link.forEach((name, unit, kind, value) -> counters.add(new RankCounters.Counter(
            "link" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), unit, kind, value)));
        return new Series(link.peer(), counters);
    }

    private void gauge(
        final String name, final String help, final List<RankCounters> ranks, final ToLongFunction<RankCounters> value)
    {
        head(PREFIX + name, help, "gauge");
        ranks.forEach((rank) -> sample(PREFIX + name, "rank", rank.rank(), Long.toString(value.applyAsLong(rank))));
    }

    /** All samples of one name stand together. */
    private void counters(final String label, final List<Series> all)
    {
        final Map<String, RankCounters.Counter> known = new LinkedHashMap<>();
        all.forEach((series) -> series.counters().forEach((counter) -> known.putIfAbsent(counter.name(), counter)));
        for (final RankCounters.Counter each : known.values())
        {
            final String name = name(each);
            head(name, HELP.getOrDefault(each.name(), "The counter " + each.name() + "."),
                each.kind() == Kind.COUNTER ? "counter" : "gauge");
            for (final Series series : all)
            {
                series.counters().stream().filter((counter) -> counter.name().equals(each.name()))
                    .forEach((counter) -> sample(name, label, series.index(), value(counter)));
            }
        }
    }

    private void head(final String name, final String help, final String type)
    {
        text.append("# HELP ").append(name).append(' ').append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(final String name, final String label, final int index, final String value)
    {
        text.append(name).append("{directory=\"").append(escaped(node.directory())).append("\",group=\"")
            .append(escaped(node.group())).append("\",node=\"").append(node.node()).append("\",").append(label).append("=\"")
            .append(index).append("\"} ").append(value).append('\n');
    }

    private static String escaped(final String label)
    {
        return PrintableText.of(label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
    }

    private static String value(final RankCounters.Counter counter)
    {
        return counter.unit() == Unit.NANOSECONDS ? String.format(Locale.ROOT, "%.9f", counter.value() / NS_PER_S) :
            Long.toString(counter.value());
    }

    private static String name(final RankCounters.Counter counter)
    {
        final String unit = counter.unit() == Unit.NANOSECONDS ? "seconds" :
            counter.unit() == Unit.EVENTS || counter.unit() == Unit.FLAG ? "" : counter.unit().name().toLowerCase(Locale.ROOT);
        final List<String> words = new ArrayList<>(Arrays.asList(
            counter.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT).split("_")));
        words.remove(unit);
        words.remove("ns");
        if (!unit.isEmpty())
        {
            words.add(unit);
        }
        if (counter.kind() == Kind.COUNTER)
        {
            words.add("total");
        }
        return PREFIX + String.join("_", words);
    }
}
