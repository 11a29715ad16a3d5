// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.node.Node;

class PrometheusTextTest
{
    private static final Pattern COMMENT = Pattern.compile("# (HELP [a-z_]+ \\S.*\\.|TYPE [a-z_]+ (counter|gauge))");
    private static final Pattern SAMPLE = Pattern.compile(
        "[a-z_]+\\{directory=\"[^\"]+\",group=\"[^\"]+\",node=\"\\d+\",(rank|peer)=\"\\d+\"\\} -?\\d+(\\.\\d+)?");

    @Test
    void shouldWriteFixedCounters()
    {
        final NodeSample node = new NodeSample("/dev/shm/a \"b\" \\c\n", "group", 1, 2, 0, 0, List.of(), List.of());
        final List<RankCounters> ranks = List.of(
            new RankCounters(0, 3, "open", 5, List.of(
                new RankCounters.Counter("bytesSent", Unit.BYTES, Kind.COUNTER, 17),
                new RankCounters.Counter("stallTimeNs", Unit.NANOSECONDS, Kind.COUNTER, 2_500_000_001L),
                new RankCounters.Counter("newOnes", Unit.EVENTS, Kind.COUNTER, 4))),
            new RankCounters(1, 1, "dead", 0, List.of(
                new RankCounters.Counter("bytesSent", Unit.BYTES, Kind.COUNTER, 18))));
        final String at = "{directory=\"/dev/shm/a \\\"b\\\" \\\\c\\n\",group=\"group\",node=\"1\",rank=\"";
        assertEquals(
            "# HELP tallypost_rank_open Whether the rank is open in a living process.\n# TYPE tallypost_rank_open gauge\n" +
            "tallypost_rank_open" + at + "0\"} 1\n" +
            "tallypost_rank_open" + at + "1\"} 0\n" +
            "# HELP tallypost_rank_dead Whether the process of the rank ended without closing it.\n" +
            "# TYPE tallypost_rank_dead gauge\n" +
            "tallypost_rank_dead" + at + "0\"} 0\n" +
            "tallypost_rank_dead" + at + "1\"} 1\n" +
            "# HELP tallypost_rank_epoch How many times the rank was opened.\n# TYPE tallypost_rank_epoch gauge\n" +
            "tallypost_rank_epoch" + at + "0\"} 3\n" +
            "tallypost_rank_epoch" + at + "1\"} 1\n" +
            "# HELP tallypost_unread_slots Unread slots now.\n# TYPE tallypost_unread_slots gauge\n" +
            "tallypost_unread_slots" + at + "0\"} 5\n" +
            "tallypost_unread_slots" + at + "1\"} 0\n" +
            "# HELP tallypost_sent_bytes_total Payload sent.\n# TYPE tallypost_sent_bytes_total counter\n" +
            "tallypost_sent_bytes_total" + at + "0\"} 17\n" +
            "tallypost_sent_bytes_total" + at + "1\"} 18\n" +
            "# HELP tallypost_stall_time_seconds_total Time that such messages waited.\n" +
            "# TYPE tallypost_stall_time_seconds_total counter\n" +
            "tallypost_stall_time_seconds_total" + at + "0\"} 2.500000001\n" +
            "# HELP tallypost_new_ones_total The counter newOnes.\n# TYPE tallypost_new_ones_total counter\n" +
            "tallypost_new_ones_total" + at + "0\"} 4\n",
            PrometheusText.of(node, ranks));
    }

    @Test
    void shouldWriteEachCounterOfARunningNodeOnceForEachRank(@TempDir final Path directory)
    {
        final Set<String> types = new TreeSet<>();
        try (Node node = Node.launch(HeldNode.context(directory.toFile())); Endpoint a = node.open(0); Endpoint b = node.open(2))
        {
            final int[] counters = new int[1];
            a.counters().forEach((name, unit, kind, value) -> counters[0]++);
            assertEquals(2, b.rank());
            final CommandRun run = CommandRun.of("stat", directory.toString(), "--prometheus");
            assertEquals(0, run.exitCode(), run::toString);
            assertTrue(run.output().endsWith("\n"), run::toString);
            final Set<String> samples = new HashSet<>();
            for (final String line : run.output().split("\n"))
            {
                assertTrue(COMMENT.matcher(line).matches() || SAMPLE.matcher(line).matches(), line);
                if (line.startsWith("# TYPE "))
                {
                    assertTrue(types.add(line.split(" ")[2]), line);
                }
                else if (!line.startsWith("#"))
                {
                    assertTrue(types.contains(line.substring(0, line.indexOf('{'))), line);
                    assertTrue(samples.add(line.substring(0, line.lastIndexOf(' '))), line);
                }
                else
                {
                    assertTrue(!line.contains(" The counter "), "a text for " + line);
                }
            }
            assertEquals(counters[0] + 4, types.size(), types::toString);
            assertEquals(2 * types.size(), samples.size(), run::toString);
        }
        assertEquals(1, CommandRun.of("stat", directory.resolve("none").toString(), "--prometheus").exitCode());
        assertEquals(2, CommandRun.of("stat", directory.toString(), "--prometheus", "--json").exitCode());
    }
}
