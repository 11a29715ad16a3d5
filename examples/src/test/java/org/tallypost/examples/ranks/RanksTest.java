// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;

/** Each program of the guide's page, with a process for each rank, prints what the page says. */
@Tag("once")
class RanksTest
{
    private static final int MAX_LINES = 150;

    @TempDir
    private File temporary;

    private File node()
    {
        return new File(temporary, "node");
    }

    @AfterEach
    void leavesNothing()
    {
        assertEquals(List.of(), List.of(temporary.list()));
    }

    private ForkedJvm start(final Class<?> program, final int rank)
    {
        return ForkedJvm.start(program, node(), rank);
    }

    private static void assertPrints(final ForkedJvm rank, final String... lines)
    {
        for (final String line : lines)
        {
            assertEquals(line, rank.readLine());
        }
    }

    private static void assertEnds(final ForkedJvm rank, final String... lines)
    {
        assertPrints(rank, lines);
        assertEquals(0, rank.waitFor());
        assertNull(rank.pollLine());
    }

    @Test
    void shouldTellAllSubscribersThePrices()
    {
        try (ForkedJvm publisher = start(PriceFeed.class, 0);
            ForkedJvm one = start(PriceFeed.class, 1);
            ForkedJvm other = start(PriceFeed.class, 2))
        {
            assertEnds(publisher, "published 999 prices");
            for (final ForkedJvm subscriber : List.of(one, other))
            {
                assertEnds(subscriber, "heard 999 prices, lost 0, CLOSED", "copper 80996", "tin 80997", "zinc 80998");
            }
        }
    }

    @Test
    void shouldAnswerOrdersOrEndThemByTheirDeadline()
    {
        try (ForkedJvm client = start(OrderGateway.class, 1); ForkedJvm gateway = start(OrderGateway.class, 0))
        {
            assertEnds(client, "order 1: accepted", "order 2: rejected, at most 1000", "order 3: no answer, TIMED_OUT");
            assertEnds(gateway, "order 1 of rank 1: accepted", "order 2 of rank 1: rejected, at most 1000",
                "order 3 of rank 1: held", "the client is gone, orders held: 1");
        }
    }

    @Test
    void shouldAddUpMetricsByRank()
    {
        try (ForkedJvm one = start(MetricsFanIn.class, 1);
            ForkedJvm other = start(MetricsFanIn.class, 2);
            ForkedJvm collector = start(MetricsFanIn.class, 0))
        {
            assertEnds(one, "sent 1000 values of each metric");
            assertEnds(other, "sent 1000 values of each metric");
            assertEnds(collector, "rank 1: requests 1000", "rank 1: bytes 499500",
                "rank 2: requests 1000", "rank 2: bytes 999000");
        }
    }

    @Test
    void shouldPrintWhoComesAndGoes()
    {
        try (ForkedJvm watcher = start(Presence.class, 0))
        {
            try (ForkedJvm killed = start(Presence.class, 1))
            {
                assertPrints(watcher, "rank 1 is up, incarnation 1");
                assertPrints(killed, "rank 0 is up, incarnation 1");
                killed.kill();
                assertPrints(watcher, "rank 1 is gone, incarnation 1");
            }
            try (ForkedJvm again = start(Presence.class, 1))
            {
                assertPrints(watcher, "rank 1 is up, incarnation 2");
                assertPrints(again, "rank 0 is up, incarnation 1");
                again.writeLine("");
                assertEnds(again);
                assertPrints(watcher, "rank 1 is gone, incarnation 2");
            }
            watcher.writeLine("");
            assertEnds(watcher);
        }
    }

    /** At SIGTERM it closes all, and the directory goes. */
    @Test
    void shouldEndInOrderWhenItIsToldToEnd() throws IOException, InterruptedException
    {
        try (ForkedJvm rank = start(LongRunning.class, 0))
        {
            assertPrints(rank, "running");
            assertEquals(0, new ProcessBuilder("kill", "-TERM", Long.toString(rank.pid())).inheritIO().start().waitFor());
            assertPrints(rank, "received 0 messages", "closed");
            assertEquals(128 + 15, rank.waitFor());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Endpoint.PEER_GONE, Endpoint.CLOSED, Endpoint.TOO_LONG})
    void shouldNotTryAgainWhatWillNotBeSent(final long result)
    {
        final IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> Loop.isSent(result));
        assertEquals(Endpoint.errorString(result), thrown.getMessage());
    }

    /** The page has each program and the lines that it prints; the programs are short. */
    @Test
    void shouldBeInTheGuide() throws IOException
    {
        final Path root = Files.exists(Path.of("examples")) ? Path.of("") : Path.of("..");
        final String page = Files.readString(root.resolve("docs/guide/examples.md"));
        for (final Class<?> program : List.of(PriceFeed.class, OrderGateway.class, MetricsFanIn.class, Presence.class,
            LongRunning.class))
        {
            final String file = "examples/src/main/java/" + program.getName().replace('.', '/') + ".java";
            assertTrue(page.contains("(../../" + file + ")"), () -> "the page has no link to " + file);
            assertTrue(page.contains(program.getName() + " "), () -> "the page has no command of " + program.getName());
            final int lines = Files.readAllLines(root.resolve(file)).size();
            assertTrue(lines <= MAX_LINES, () -> file + ": found=" + lines + " lines, expected at most " + MAX_LINES);
        }
    }
}
