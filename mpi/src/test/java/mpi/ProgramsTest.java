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
import mpi.programs.Windows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Programs in both dialects, as jobs of real processes that "tallypost run" starts. They check what they get. */
class ProgramsTest extends ProgramRuns
{
    @Test
    void shouldSendAndLetSeveralThreadsMakeCalls() throws IOException, InterruptedException
    {
        // the last one returns before a thread of it has ended
        shouldComplete(3, 2, OpenMpiMessages.class, LongMessages.class, "auto", Threads.class);
    }

    @Test
    void shouldDoCollectiveOperationsUntilARankIsGone() throws IOException, InterruptedException
    {
        shouldComplete(2, 3, OpenMpiMessages.class, CollectiveOperations.class, TeamRequests.class, "gone");
        shouldHaveFailed(2);
    }

    @Tag("once")
    @Test
    void shouldCompleteProgramsOfThreeRanks() throws IOException, InterruptedException
    {
        final long seed = seed();
        shouldComplete(4, 3, MpiJavaMessages.class, OpenMpiCollectives.class,
            ManyCommunicators.class, Integer.getInteger("tallypost.mpi.communicators", 200),
            TeamRequests.class, "order", seed, TeamRequests.class, "mismatch");
        shouldHaveFailed(3);
    }

    /** That many ranks have come to the end of a program in which operations of teams fail. */
    private void shouldHaveFailed(final int ranks)
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            final String line = "rank " + rank + " got an error each time";
            assertTrue(text().contains(line), this::text);
        }
    }

    private static long seed()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ProgramsTest: seed=" + seed);
        return seed;
    }

    /** They call what programs of the two dialects call. */
    @Tag("once")
    @Test
    void shouldCompleteProgramsOfFourRanks() throws IOException, InterruptedException
    {
        shouldComplete(3, 4, MpiJavaMembers.class, OpenMpiMembers.class, Communicators.class);
    }

    @Tag("once")
    @Test
    void shouldGiveTheSameResultsByTeamsAndByMessages() throws IOException, InterruptedException
    {
        shouldComplete(1, 3, TeamOperations.class, seed());
    }

    @Tag("once")
    @Test
    void shouldGoOnWithoutTeamsAndMappedMemory() throws IOException, InterruptedException
    {
        options = List.of("-Dtallypost.mpi.teams=0", "-Dtallypost.mpi.regionMemory=0");
        shouldComplete(2, 3, TeamRequests.class, "messages", seed(), Windows.class);
    }

    @Tag("once")
    @Test
    void shouldSendLongMessagesWithoutReadingMemoryAndEndTheJobWhenAFreedRequestFails() throws IOException, InterruptedException
    {
        shouldEndWith(1, 1, 2, LongMessages.class, "false", WindowListener.class, "freed");
        assertTrue(text().contains("rank 0 ends, as a request that the program has freed has failed: "), this::text);
    }

    @Tag("once")
    @Test
    void shouldRefuseWhatIsNoWayOfLongMessages() throws IOException, InterruptedException
    {
        assertEquals(1, run(1, LongMessages.class, "perhaps"), this::text);
        assertTrue(text().contains("found=perhaps, expected=true, false or auto"), this::text);
    }

    @Test
    void shouldBeOneRankWithoutALauncherAndRefuseBadInput() throws IOException, InterruptedException
    {
        final Object[] programs = Programs.arguments(BadInput.class, EndingRank.class, "alone");
        launcher = new ProcessBuilder(ForkedJvm.command(Programs.class, List.of(), programs))
            .redirectOutput(new File(outputs, "output")).redirectError(new File(outputs, "errors")).start();
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of a rank alone" + text());
        assertEquals(0, launcher.exitValue(), this::text);
        assertEquals(2, completed(), this::text);
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
    void shouldRunOnTwoNodes() throws IOException, InterruptedException
    {
        assertEquals(0, run(onTwoNodes(2), Communicators.class, "nodes"), this::text);
        assertTrue(text().contains(COMPLETE), this::text);
    }

    @Test
    void shouldFailOnTwoNodesWithoutRoomForAPortionAndKeepNobodyWaiting() throws IOException, InterruptedException
    {
        assertEquals(0, run(onTwoNodes(2), ShortPortions.class, 10, 3_000), this::text);
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
