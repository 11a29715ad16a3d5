// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.node.Node;

/** What an option means is said once, at its setter, the getter stands beside it, and the guide has a row for each. */
class NodeContextTest
{
    /** Words of a lane before its slots. */
    private static final int LANE = 256;

    @Test
    void shouldSayOnceWhatAnOptionMeans() throws IOException, ReflectiveOperationException
    {
        final String source = Files.readString(Path.of("src/main/java/org/tallypost/endpoint/NodeContext.java"));
        final String guide = Files.readString(Path.of("../docs/guide/configure.md"));
        int options = 0;
        for (final Method setter : NodeContext.class.getDeclaredMethods())
        {
            if (setter.getReturnType() == NodeContext.class && setter.getParameterCount() == 1 && !setter.isSynthetic())
            {
                options++;
                final Class<?> type = setter.getParameterTypes()[0];
                final String option = setter.getName() + '(' + type.getSimpleName() + ')';
                assertEquals(type, NodeContext.class.getMethod(setter.getName()).getReturnType(), option);
                assertTrue(source.contains("        " + setter.getName() + " = value;\n        return this;\n    }\n\n" +
                    "    /**\n     * As set by {@link #" + option + "}.\n     *\n     * @return "), option);
                assertTrue(guide.contains("\n| `" + option + "` | "), () -> "configure.md has no row for " + option);
            }
        }
        assertTrue(options > 20, "options: " + options);
    }

    @Test
    void shouldNameTheOptionsOfAValueThatDoesNotFit(@TempDir final File directory)
    {
        assertRefused("slotsPerSender for creditSlots=60 out of range: found=64, expected at least 120",
            directory, (context) -> context.creditSlots(60));
        assertRefused("slotsPerSender out of range: found=-1, expected=2 to 16777216",
            directory, (context) -> context.slotsPerSender(-1));
        assertRefused("highSlots out of range: found=1, expected=2 to 16777216, or 0 for no priorities",
            directory, (context) -> context.highSlots(1));
        assertRefused("laneSlots out of range: found=4, expected=8 to 65536, or 0 for lanes that fit the ring",
            directory, (context) -> context.laneSlots(4));
        assertRefused(
            "ringSlots out of range: found=64, expected=128 to 16777216, or 0 for what rankCount and slotsPerSender need",
            directory, (context) -> context.ringSlots(64));
    }

    private static void assertRefused(final String message, final File directory, final Consumer<NodeContext> setting)
    {
        final NodeContext context = new NodeContext().directory(directory).rankCount(2);
        setting.accept(context);
        final String text = assertThrows(IllegalArgumentException.class, context::conclude).getMessage();
        assertTrue(text.startsWith(message), text);
    }

    @Test
    void shouldPrintTheSettingsThatHold(@TempDir final File directory)
    {
        final NodeContext context = new NodeContext().directory(directory).groupName("told").rankCount(3).slotsPerSender(100)
            .idle(new IdleSettings().maxSpins(7));
        final String before = context.toString();
        assertTrue(before.contains(", ringSlots=computed, highSlots=0, expressLanes=4, laneSlots=computed, "), before);
        assertTrue(before.endsWith(", not in use}"), before);
        final String text;
        try (Node node = Node.launch(context); Endpoint endpoint = node.open(0))
        {
            text = context.toString();
            assertTrue(text.contains(", mailboxLength=" + endpoint.counters().mailboxBytes() + ", in use}"), text);
        }
        assertTrue(text.startsWith("NodeContext{directory=" + directory + ", groupName=told, rankCount=3, "), text);
        assertTrue(
            text.contains(", ringSlots=512, highSlots=0, expressLanes=2, laneSlots=256, idle=IdleSettings{maxLooks="), text);
        assertTrue(text.contains(", maxSpins=7, ") && text.contains(", transport=none, "), text);
        for (final Method setter : NodeContext.class.getDeclaredMethods())
        {
            final boolean isSetter = setter.getReturnType() == NodeContext.class && !setter.isSynthetic();
            if (isSetter && !List.of("errorHandler", "transportSettings").contains(setter.getName()))
            {
                assertTrue(text.contains(setter.getName() + "="), () -> setter.getName() + " is missing: " + text);
            }
        }
    }

    /** The guide's formulas, with what its table shows for them. */
    @Test
    void shouldTakeAsMuchMemoryAsTheGuideSays(@TempDir final File directory) throws IOException
    {
        final String guide = Files.readString(Path.of("../docs/guide/configure.md"));
        final int[][] sizes = {{2, 64, 4}, {16, 64, 4}, {64, 64, 4}, {64, 8, 0}, {256, 16, 4}, {1024, 8, 4}};
        for (final int[] size : sizes)
        {
            final NodeContext context = new NodeContext().directory(new File(directory, size[0] + "-" + size[1]))
                .rankCount(size[0]).slotsPerSender(size[1]).expressLanes(size[2]).deleteOnClose(true);
            try (Node node = Node.launch(context); Endpoint endpoint = node.open(0))
            {
                final long length = mailboxLength(
                    size[0], context.ringSlots(), context.expressLanes(), context.laneSlots());
                assertEquals(endpoint.counters().mailboxBytes(), length, context::toString);
                final long other = bytesOf(context.directory()) - length;
                assertTrue(other > 0 && other <= (512 << 10) + (size[0] << 11), () -> other + " bytes beside the mailbox");
                final String row = String.format(Locale.ROOT, "| %,d | %d | %,d | %d of %,d | %,d KiB | %,d KiB |",
                    size[0], size[1], context.ringSlots(), context.expressLanes(), context.laneSlots(), length >> 10,
                    size[0] * length >> 10);
                assertTrue(guide.contains("\n" + row + "\n"), () -> "configure.md has no row " + row);
            }
        }
    }

    /** Also between nodes: rings exactly, and the words of pairs with their marks nearly. */
    @Test
    void shouldTakeAsMuchMemoryBetweenNodesAsTheGuideSays()
    {
        for (final int perNode : new int[]{1, 16, 100})
        {
            final int nodes = 5;
            final int ranks = nodes * perNode;
            final RankMap map = new RankMap(nodes, IntStream.range(0, ranks).map((rank) -> rank / perNode).toArray());
            final long ring = mailboxLength(ranks, 8192, 0, 0);
            final long pairs = new TransportSettings().fileBytes(map, 3) - (nodes - 1) * ring;
            final long told = 128L * perNode * ranks;
            assertTrue(pairs >= told && pairs <= told + 1024L * (perNode + 1), () -> pairs + " bytes, expected some " + told);
        }
    }

    private static long bytesOf(final File directory)
    {
        final File[] files = directory.listFiles();
        return Stream.of(files).mapToLong((file) -> file.isDirectory() ? bytesOf(file) : file.length()).sum();
    }

    private static long mailboxLength(final int ranks, final int ring, final int lanes, final int lane)
    {
        final long lines = roundedUp(384 + 128L * ranks);
        return roundedUp(lines + 64L * (ring + 32) + lanes * (LANE + 64L * (lane + Math.min(64, lane / 2))));
    }

    private static long roundedUp(final long bytes)
    {
        return (bytes + 4095) / 4096 * 4096;
    }

    @Test
    void shouldGiveFewRanksLongerRingsForMessagesOfSomeKiB()
    {
        final int[][] slotsOfRanks = { { 1, 64 }, { 2, 64 }, { 3, 512 }, { 4, 512 }, { 8, 256 }, { 32, 64 }, { 1_000, 64 } };
        for (final int[] each : slotsOfRanks)
        {
            final NodeContext context = LongRings.set(new NodeContext().rankCount(each[0]), 4);
            assertEquals(each[1], context.slotsPerSender(), each[0] + " ranks");
            assertEquals(each[0] > 4 ? 0 : 4, context.expressLanes(), each[0] + " ranks");
        }
    }
}
