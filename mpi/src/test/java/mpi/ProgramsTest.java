// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mpi.programs.AmidCalls;
import mpi.programs.BadInput;
import mpi.programs.CollectiveOperations;
import mpi.programs.Communicators;
import mpi.programs.EndingRank;
import mpi.programs.MpiJavaMembers;
import mpi.programs.MpiJavaMessages;
import mpi.programs.OpenMpiCollectives;
import mpi.programs.OpenMpiMembers;
import mpi.programs.OpenMpiMessages;
import mpi.programs.StoppedRank;
import mpi.programs.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Programs in both dialects, as jobs of real processes that "tallypost run" starts. They check what they get. */
class ProgramsTest extends ProgramRuns
{
    @Test
    void shouldSendAsOpenMpiDoes() throws IOException, InterruptedException
    {
        shouldComplete(2, OpenMpiMessages.class);
        shouldComplete(3, OpenMpiMessages.class);
    }

    @Tag("once")
    @Test
    void shouldSendAsMpiJavaDoes() throws IOException, InterruptedException
    {
        shouldComplete(3, MpiJavaMessages.class);
    }

    @Tag("once")
    @Test
    void shouldHaveWhatProgramsOfMpiJavaCall() throws IOException, InterruptedException
    {
        shouldComplete(4, MpiJavaMembers.class);
    }

    @Tag("once")
    @Test
    void shouldHaveWhatProgramsOfOpenMpiCall() throws IOException, InterruptedException
    {
        shouldComplete(4, OpenMpiMembers.class);
    }

    @Tag("once")
    @Test
    void shouldDoEachFormOfTheCollectiveOperations() throws IOException, InterruptedException
    {
        shouldComplete(3, OpenMpiCollectives.class);
    }

    @Test
    void shouldDoCollectiveOperations() throws IOException, InterruptedException
    {
        shouldComplete(3, CollectiveOperations.class);
    }

    @Tag("once")
    @Test
    void shouldGiveTheSameResultsByTeamsAndByMessages() throws IOException, InterruptedException
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ProgramsTest: seed=" + seed);
        assertEquals(0, run(3, TeamOperations.class, seed), this::text);
        assertTrue(text().contains(COMPLETE), this::text);
    }

    @Tag("once")
    @Test
    void shouldGoOnWithOperationsOfTeamsThatWereStarted() throws IOException, InterruptedException
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ProgramsTest: seed=" + seed);
        shouldComplete(3, TeamRequests.class, "order", seed);
        options = List.of("-Dtallypost.mpi.teams=0");
        shouldComplete(3, TeamRequests.class, "messages", seed);
    }

    @Tag("once")
    @Test
    void shouldFailOperationsOfTeamsThatWereStarted() throws IOException, InterruptedException
    {
        for (final String why : List.of("gone", "mismatch"))
        {
            assertEquals(0, run(3, TeamRequests.class, why), this::text);
            for (int rank = 0; rank < ("gone".equals(why) ? 2 : 3); rank++)
            {
                final String line = "rank " + rank + " got an error each time";
                assertTrue(text().contains(line), this::text);
            }
        }
    }

    @Tag("once")
    @Test
    void shouldMakeCommunicators() throws IOException, InterruptedException
    {
        shouldComplete(4, Communicators.class);
    }

    @Tag("once")
    @Test
    void shouldUseContextsAgain() throws IOException, InterruptedException
    {
        shouldComplete(3, ManyCommunicators.class, Integer.getInteger("tallypost.mpi.communicators", 200));
    }

    @Tag("once")
    @Test
    void shouldSendLongMessagesEitherWay() throws IOException, InterruptedException
    {
        shouldComplete(2, LongMessages.class, "auto");
        shouldComplete(2, LongMessages.class, "false");
        assertEquals(1, run(1, LongMessages.class, "perhaps"), this::text);
        assertTrue(text().contains("found=perhaps, expected=true, false or auto"), this::text);
    }

    @Tag("once")
    @Test
    void shouldRefuseBadInput() throws IOException, InterruptedException
    {
        shouldComplete(1, BadInput.class);
    }

    @Test
    void shouldBeOneRankWithoutALauncher() throws IOException, InterruptedException
    {
        launcher = new ProcessBuilder(ForkedJvm.command(EndingRank.class, List.of(), "alone"))
            .redirectOutput(new File(outputs, "output")).redirectError(new File(outputs, "errors")).start();
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of a rank alone" + text());
        assertEquals(0, launcher.exitValue(), this::text);
        assertTrue(text().contains(COMPLETE), this::text);
    }

    @Test
    void shouldNameTheFlagThatIsMissing() throws IOException, InterruptedException
    {
        final List<String> command = ForkedJvm.command(EndingRank.class, List.of(), "alone");
        command.removeAll(ForkedJvm.ADD_OPENS);
        launcher = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(new File(outputs, "output")).start();
        Files.writeString(new File(outputs, "errors").toPath(), "");
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of a rank alone" + text());
        assertEquals(1, launcher.exitValue(), this::text);
        assertTrue(text().contains("or by java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED"), this::text);
    }

    @Test
    void shouldLetSeveralThreadsMakeCalls() throws IOException, InterruptedException
    {
        shouldComplete(2, Threads.class);
    }

    @Test
    void shouldRunOnTwoNodes() throws IOException, InterruptedException
    {
        assertEquals(0, run(onTwoNodes(2), Communicators.class, "nodes"), this::text);
        assertTrue(text().contains(COMPLETE), this::text);
    }

    /** A process that gets no processor for some seconds is there still. */
    @Tag("once")
    @Test
    void shouldWaitForARankOfAnotherNodeThatStandsStill() throws IOException, InterruptedException
    {
        assertEquals(0, run(onTwoNodes(1), StoppedRank.class), this::text);
        assertTrue(text().contains(COMPLETE), this::text);
    }

    /** Two addresses of this host are two nodes. */
    private static List<Object> onTwoNodes(final int ranks) throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1")))
        {
            final String end = ":" + socket.getLocalPort() + "*" + ranks;
            return List.of("--nodes", "127.0.0.1" + end + ",127.0.0.2" + end, "--agent", "env NODE={} sh -c");
        }
    }

    @Tag("once")
    @Test
    void shouldEndAllRanksWhenOneAborts() throws IOException, InterruptedException
    {
        assertEquals(7, run(2, EndingRank.class, "abort"), this::text);
        assertTrue(text().contains("rank 1 aborts with code 7"), this::text);
        assertEquals(8, run(2, EndingRank.class, "Abort"), this::text);
        assertTrue(text().contains("rank 1 aborts with code 8"), this::text);
    }

    /** Each rank says in one line that it ends, whatever it waits for: that others are gone, or itself, is no news. */
    @Tag("once")
    @Test
    void shouldPrintOneLineForEachRankWhenOneAborts() throws IOException, InterruptedException
    {
        final int ranks = 6;
        final long limitMs = Watchdog.DEFAULT_LIMIT.toMillis();
        // a rank is ended for certain, and has its time to say so, however late
        options = List.of("-Dtallypost.mpi.endLimitMs=" + limitMs);
        assertEquals(7, run(List.of("-n", ranks, "--grace", limitMs + "ms"), AmidCalls.class), this::text);
        final List<String> lines = text().strip().lines().filter((line) -> !line.startsWith("tallypost run: ")).sorted()
            .collect(Collectors.toList());
        final List<String> expected = IntStream.range(0, ranks).mapToObj((rank) -> "rank " + rank +
            (rank == ranks - 1 ? " aborts with code 7" : " ends before Finalize, as its process is ended"))
            .collect(Collectors.toList());
        assertEquals(expected, lines, this::text);
    }

    @Tag("once")
    @Test
    void shouldEndAllRanksWhenOneCatchesNoError() throws IOException, InterruptedException
    {
        assertEquals(1, run(2, EndingRank.class, "error"), this::text);
        assertTrue(text().contains("no such rank: found=5, expected=0 to 1"), this::text);
    }
}
