// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tallypost.benchmarks.compare.CompareTable;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import org.tallypost.transportaeron.NetworkMemory;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost study network-memory}.
 * <p>
 * Exit codes: 0, or 1 if the streams that were counted are not those that were computed, 2 for options that cannot be.
 */
@Command(
    name = "network-memory",
    description = "Streams and memory of the network between nodes: one stream for each pair of nodes, as ours, against one " +
        "for each pair of ranks. Computed for a large group, and for a small one measured: all its nodes run in this process.",
    mixinStandardHelpOptions = true)
final class NetworkMemoryCommand extends StudyOptions
{
    private static final int MAX_NODES = 1024;
    private static final int MAX_PAIRS = 1024;
    private static final int MIN_SLOTS = 12;
    private static final double MEBIBYTE = 1 << 20;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "64",
        description = "Nodes of the group that is computed; default ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "16",
        description = "Ranks of each of its nodes; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--measured-nodes", paramLabel = "N", defaultValue = "4",
        description = "Nodes of the group that is measured; default ${DEFAULT-VALUE}.")
    private int measuredNodes;

    @Option(names = "--measured-ranks", paramLabel = "N", defaultValue = "4",
        description = "Ranks of each of its nodes; default ${DEFAULT-VALUE}.")
    private int measuredRanks;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "16",
        description = "Slots per sender; default ${DEFAULT-VALUE}.")
    private int slots;

    @Option(names = "--flow", paramLabel = "FLOW", defaultValue = "dynamic",
        description = "Flow control of the ranks: static or dynamic; default ${DEFAULT-VALUE}.")
    private String flow;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "1024",
        description = "Messages of 512 bytes that each rank sends to each rank of other nodes; default ${DEFAULT-VALUE}.")
    private int messages;

    /**
     * A line of the table, for one node.
     *
     * @param layout    nodes or ranks.
     * @param how       computed or measured.
     * @param nodes     of the group.
     * @param ranks     of each of its nodes.
     * @param out       streams that leave the node.
     * @param in        streams that come in.
     * @param term      of a log in bytes.
     * @param logs      bytes of the logs' files.
     * @param linked    bytes that the logs take when all are linked, -1 if unknown.
     * @param used      bytes that they take after the messages, -1 if unknown.
     * @param others    bytes of rings and words beside the logs.
     */
    record Line(String layout, String how, int nodes, int ranks, int out, int in, int term, long logs, long linked, long used,
        long others)
    {
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        check();
        final File parent = parent();
        final Flow chosen = flow.equals("static") ? Flow.STATIC : Flow.DYNAMIC;
        final NetworkMemory.Group small = new NetworkMemory.Group(chosen, slots, creditSlots(), measuredNodes, measuredRanks);
        final NetworkMemory.Group large = new NetworkMemory.Group(chosen, slots, creditSlots(), nodes, ranks);
        final List<Line> lines = new ArrayList<>();
        try (TemporaryDirectory place = TemporaryDirectory.create(parent, "tallypost-memory-"))
        {
            compute(small, lines);
            try (StreamLayout layout = new NodeStreams(small, new File(place.file(), "nodes")))
            {
                lines.add(measure("nodes", layout, NetworkMemory.ofNodes(small)));
            }
            final NetworkMemory ofRanks = NetworkMemory.ofRanks(small);
            try (StreamLayout layout = new RankStreams(small, ofRanks.termLength(), new File(place.file(), "ranks")))
            {
                lines.add(measure("ranks", layout, ofRanks));
            }
            compute(large, lines);
        }
        report(lines);
        return lines.stream().allMatch(NetworkMemoryCommand::isAsComputed) ? 0 : 1;
    }

    private int creditSlots()
    {
        return Math.max(1, Math.min(2, slots / 4));
    }

    private static boolean isAsComputed(final Line line)
    {
        final int apart = line.layout.equals("nodes") ? 1 : line.ranks * line.ranks;
        return line.out == (line.nodes - 1) * apart && line.in == line.out;
    }

    private static void compute(final NetworkMemory.Group group, final List<Line> lines)
    {
        final List<NodeAddress> addresses = new ArrayList<>();
        final int[] counts = new int[group.nodes()];
        for (int node = 0; node < counts.length; node++)
        {
            addresses.add(new NodeAddress("127.0.0.1", 1 + node));
            counts[node] = group.ranksPerNode();
        }
        final long others = new TransportSettings().fileBytes(Topology.blocks(addresses, counts).map(), 0);
        lines.add(computed("nodes", group, NetworkMemory.ofNodes(group), others));
        lines.add(computed("ranks", group, NetworkMemory.ofRanks(group), 0));
    }

    private static Line computed(
        final String layout, final NetworkMemory.Group group, final NetworkMemory memory, final long others)
    {
        return new Line(layout, "computed", group.nodes(), group.ranksPerNode(), memory.streams(), memory.streams(),
            memory.termLength(), memory.bytes(), -1, -1, others);
    }

    /** Bytes are the mean over the nodes; streams those of the first, and if others have other numbers -1. */
    private Line measure(final String layout, final StreamLayout streams, final NetworkMemory memory)
        throws IOException, InterruptedException
    {
        final int count = streams.group.nodes();
        streams.connect();
        final DiskBytes linked = streams.logs();
        streams.send(messages);
        final DiskBytes used = streams.logs();
        final int[] first = streams.streams(0);
        for (int node = 1; node < count; node++)
        {
            final int[] found = streams.streams(node);
            first[0] = found[0] == first[0] ? first[0] : -1;
            first[1] = found[1] == first[1] ? first[1] : -1;
        }
        return new Line(layout, "measured", count, streams.group.ranksPerNode(), first[0], first[1], memory.termLength(),
            used.apparent() / count, linked.allocated() / count, used.allocated() / count, streams.others().apparent() / count);
    }

    private void report(final List<Line> lines) throws IOException
    {
        final Environment environment = Environment.current(List.of());
        if (json != null)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode root = mapper.createObjectNode();
            root.set("rows", mapper.valueToTree(lines));
            root.put("flow", flow).put("slots", slots).put("creditSlots", creditSlots()).put("messages", messages);
            root.set("environment", mapper.valueToTree(environment));
            JsonFile.write(json, root);
        }
        final TextTable table = new TextTable(3, "stream for each pair of", "group", "", "streams out", "in", "term, KiB",
            "logs, MiB", "taken when linked", "taken after traffic", "rings and words, MiB");
        for (final Line line : lines)
        {
            table.add(line.layout, line.nodes + " x " + line.ranks, line.how, Integer.toString(line.out),
                Integer.toString(line.in), Integer.toString(line.term >> 10), mebibytes(line.logs), mebibytes(line.linked),
                mebibytes(line.used), mebibytes(line.others));
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.println("Of one node; " + flow + " credits, " + slots + " slots per sender, " + creditSlots() + " of them credit " +
            "slots; logs of both directions, as long as the files are, and what they take of the disk; traffic: " + messages +
            " messages of " + StreamLayout.MESSAGE_LENGTH + " bytes for each pair of ranks on different nodes.");
        out.print(table);
        out.print(CompareTable.environment(environment));
        out.flush();
    }

    private static String mebibytes(final long bytes)
    {
        return bytes < 0 ? "-" : String.format(Locale.ROOT, "%,.1f", bytes / MEBIBYTE);
    }

    private void check()
    {
        require(nodes >= 2 && nodes <= MAX_NODES, "--nodes", nodes, "2 to " + MAX_NODES);
        require(ranks >= 1 && ranks <= MAX_NODES, "--ranks", ranks, "1 to " + MAX_NODES);
        require(measuredNodes >= 2 && measuredRanks >= 1 && measuredNodes * measuredRanks * measuredRanks <= MAX_PAIRS,
            "--measured-nodes", measuredNodes + " of " + measuredRanks,
            "at least 2 nodes, and not more streams than " + MAX_PAIRS);
        require(slots >= MIN_SLOTS, "--slots", slots, "at least " + MIN_SLOTS);
        require(List.of("static", "dynamic").contains(flow), "--flow", "'" + flow + "'", "static, dynamic");
        require(messages >= 1, "--messages", messages, "at least 1");
        requireParent("--json", json);
    }
}
