// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** Ranks that become a team without another one: three ranks of one thread, none of which waits. */
class TeamMeetingTest
{
    @TempDir
    private Path directory;

    private final Collectives[] ranks = new Collectives[3];
    private Node node;
    private int polls;

    @BeforeEach
    void attach()
    {
        node = Node.launch(CollectivesTest.context(directory, ranks.length));
        for (int rank = 0; rank < ranks.length; rank++)
        {
            final Endpoint endpoint = node.open(rank);
            final CollectivesContext context = new CollectivesContext().maxLooks(0).poller(() ->
            {
                polls++;
                return endpoint.poll(TeamMeetingTest::ignore, 16);
            });
            ranks[rank] = Collectives.attach(node, endpoint, context);
        }
    }

    @AfterEach
    void close()
    {
        for (final Collectives each : ranks)
        {
            each.close();
        }
        node.close();
        assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
    }

    private static void ignore(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        // no rank sends any
    }

    private TeamMeeting[] meet(final int number, final int first, final int second)
    {
        final TeamMeeting[] meetings = {
            ranks[first].meeting(number, first, second), ranks[second].meeting(number, first, second) };
        assertFalse(meetings[1].tryEnter(), "before the first rank");
        assertTrue(meetings[0].tryEnter());
        assertFalse(meetings[0].isComplete());
        assertThrows(IllegalStateException.class, meetings[0]::team);
        assertTrue(meetings[1].tryEnter());
        return meetings;
    }

    /** The sum of 1 at the first member and 2 at the second one. */
    private static void shouldSum(final Team... teams)
    {
        final UnsafeBuffer[] numbers = new UnsafeBuffer[teams.length];
        final AllReduce[] sums = new AllReduce[teams.length];
        for (int i = 0; i < teams.length; i++)
        {
            numbers[i] = new UnsafeBuffer(new byte[Integer.BYTES]);
            numbers[i].putInt(0, i + 1);
            sums[i] = teams[i].newAllReduce(ElementType.INT, Reducers.SUM);
            sums[i].startInPlace(numbers[i], 0, 1);
        }
        Watchdog.await("sum", () -> sums[0].progress() >= 0 & sums[1].progress() >= 0);
        assertEquals(3, numbers[0].getInt(0));
        assertEquals(3, numbers[1].getInt(0));
    }

    /** Another program has made the arena shorter. A rank that comes refuses it by its name, and joins when it is whole. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 4_096, 70_000})
    void shouldRefuseAnArenaThatIsTooShort(final int length) throws IOException
    {
        final TeamMeeting[] meetings = {ranks[0].meeting(1, 0, 1), ranks[1].meeting(1, 0, 1)};
        assertTrue(meetings[0].tryEnter());
        final File[] arenas = directory.resolve("node").toFile().listFiles((place, name) -> name.startsWith("shared-team-"));
        assertEquals(1, arenas.length);
        final byte[] whole = Files.readAllBytes(arenas[0].toPath());
        try (RandomAccessFile file = new RandomAccessFile(arenas[0], "rw"))
        {
            // nobody touches the mapping meanwhile
            file.setLength(length);
            final String message = assertThrows(MailboxException.class, meetings[1]::tryEnter).getMessage();
            assertTrue(message.contains(arenas[0].getName()) && message.contains("truncated"), message);
            file.setLength(whole.length);
            file.seek(0);
            file.write(whole);
        }
        assertTrue(meetings[1].tryEnter());
        shouldSum(meetings[0].team(), meetings[1].team());
    }

    @Test
    void shouldMakeTeamsInAnyOrderOfRanks()
    {
        final TeamMeeting[] down = meet(1, 2, 0);
        final TeamMeeting[] up = meet(1, 0, 2);
        final Team first = down[0].team();
        assertSame(first, down[0].team());
        assertEquals(2, first.rankOf(0));
        assertEquals(first.id(), down[1].team().id());
        shouldSum(first, down[1].team());
        down[0].close();
        shouldSum(up[0].team(), up[1].team());
        shouldSum(first, down[1].team());
        first.close();
        final TeamMeeting[] next = meet(2, 2, 0);
        shouldSum(next[0].team(), next[1].team());
    }

    @Test
    void shouldNotBeCompleteWhenOneGivesUp()
    {
        final TeamMeeting[] meetings = { ranks[0].meeting(7, 0, 1), ranks[1].meeting(7, 0, 1) };
        Watchdog.await("both", () -> meetings[0].tryEnter() && meetings[1].tryEnter());
        meetings[1].close();
        meetings[1].close();
        assertFalse(meetings[0].isComplete());
        assertThrows(IllegalStateException.class, meetings[0]::team);
        assertThrows(IllegalStateException.class, meetings[1]::tryEnter);
        meetings[0].close();
    }

    /** From then on the others count on it: it leaves their team. */
    @Test
    void shouldStayCompleteWhenOneGoesThen()
    {
        final TeamMeeting[] meetings = meet(8, 0, 1);
        assertTrue(meetings[0].isComplete());
        meetings[1].close();
        assertTrue(meetings[0].isComplete());
        assertEquals(Team.MEMBER_GONE, meetings[0].team().barrier());
    }

    @Test
    void shouldRefuseRanksThatAreNoTeam()
    {
        for (final int[] wrong : new int[][]{ {}, { 1, 2 }, { 0, 0 }, { 0, 3 }, { -1, 0 } })
        {
            assertThrows(IllegalArgumentException.class, () -> ranks[0].meeting(1, wrong));
        }
        ranks[0].close();
        assertThrows(IllegalStateException.class, () -> ranks[0].meeting(1, 0, 1));
    }

    @Test
    void shouldPollAsTheProgramSays()
    {
        final TeamMeeting[] meetings = meet(3, 0, 1);
        final Barrier barrier = meetings[0].team().newBarrier();
        barrier.start();
        assertEquals(0, polls);
        // a thread that has no turn for long finds that its deadline has passed, and does not poll
        Watchdog.await("polls while it waits", () ->
        {
            assertEquals(Team.TIMED_OUT, barrier.await(System.nanoTime() + 1_000_000));
            return polls > 0;
        });
        assertArrayEquals(new int[]{ 0, 1 }, new int[]{ meetings[1].team().rankOf(0), meetings[1].team().rankOf(1) });
    }
}
