// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;

/** Ranks come to one arena, although some go before all have come. All in one thread. */
class TeamArenaTest
{
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final TeamArena[] arenas = new TeamArena[RANKS];
    private final Channel[] channels = new Channel[RANKS];
    private Node node;

    @BeforeEach
    void launch()
    {
        node = Node.launch(CollectivesTest.context(directory, RANKS));
        for (int rank = 0; rank < RANKS; rank++)
        {
            open(rank);
        }
    }

    private void open(final int rank)
    {
        endpoints[rank] = node.open(rank);
        channels[rank] = endpoints[rank].channel(CollectivesContext.DEFAULT_CHANNEL, (source, tag, buffer, offset, length) -> {});
        comeAnew(rank);
    }

    @AfterEach
    void close()
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            arenas[rank].close();
            endpoints[rank].close();
        }
        node.close();
    }

    private void comeAnew(final int rank)
    {
        arenas[rank] = teams(rank).arena(1, 1, new int[]{0, 1, 2}, rank);
    }

    private Teams teams(final int rank)
    {
        final Meeting meeting = new NodeMeeting(node, endpoints[rank], channels[rank]);
        return new Teams(meeting, new CollectivesContext().blockLength(1_024), null);
    }

    private boolean tryJoin(final int rank)
    {
        return arenas[rank].tryJoinAnew();
    }

    /** Ranks 0 and 1 are in an arena, and wait for rank 2. */
    private void enterFirst()
    {
        assertFalse(tryJoin(1));
        assertEquals("[0]", arenas[1].missing().toString(), "without rank 0 there is no arena");
        assertFalse(tryJoin(0));
        assertFalse(tryJoin(1));
        assertEquals("[2]", arenas[0].missing().toString());
        assertEquals("[2]", arenas[1].missing().toString());
    }

    private void shouldAllJoin()
    {
        final boolean[] isIn = new boolean[RANKS];
        Watchdog.await("all in one arena", () ->
        {
            int count = 0;
            for (int rank = 0; rank < RANKS; rank++)
            {
                isIn[rank] |= tryJoin(rank);
                count += isIn[rank] ? 1 : 0;
            }
            return count == RANKS;
        });
        for (int rank = 0; rank < RANKS; rank++)
        {
            // what one writes all others see
            arenas[rank].arena().consume(rank, 7 + rank);
            for (int other = 0; other < RANKS; other++)
            {
                assertEquals(7 + rank, arenas[other].arena().consumed(rank));
            }
        }
    }

    @Test
    void shouldJoin()
    {
        enterFirst();
        shouldAllJoin();
    }

    @Test
    void shouldFollowWhenRankZeroGivesUpAndComesAnew()
    {
        enterFirst();
        arenas[0].close();
        comeAnew(0);
        shouldAllJoin();
    }

    /** The ranks that wait name the one that they wait for, and that is not a rank that has not come either. */
    @Test
    void shouldNameRankZeroWhenItHasGivenUp()
    {
        enterFirst();
        arenas[0].close();
        assertFalse(tryJoin(1));
        assertEquals("[0]", arenas[1].missing().toString());
        assertFalse(tryJoin(2));
        assertEquals("[0]", arenas[2].missing().toString());
        comeAnew(0);
        shouldAllJoin();
    }

    @Test
    void shouldFollowWhenRankZeroIsOpenedAgain()
    {
        enterFirst();
        arenas[0].close();
        reopen(0);
        shouldAllJoin();
    }

    @Test
    void shouldMakeAnotherArenaWhenAnotherRankGivesUp()
    {
        enterFirst();
        final Arena first = arenas[0].arena();
        arenas[1].close();
        assertFalse(tryJoin(2));
        assertEquals("[1]", arenas[2].missing().toString());
        comeAnew(1);
        shouldAllJoin();
        assertNotSame(first, arenas[0].arena());
    }

    @Test
    void shouldMakeAnotherArenaWhenAnotherRankIsOpenedAgain()
    {
        enterFirst();
        reopen(1);
        shouldAllJoin();
    }

    /** Its process died: nobody has said anything in the arena. */
    private void reopen(final int rank)
    {
        endpoints[rank].close();
        open(rank);
    }

    /** The arena is complete for those that come to look later, though one has done its part and has left its team. */
    @Test
    void shouldStayInACompleteArenaWhenARankHasLeftItsTeam()
    {
        enterFirst();
        assertTrue(tryJoin(2));
        final Arena first = arenas[0].arena();
        arenas[2].arena().leave(2, ArenaDescriptor.LEFT);
        arenas[2].close();
        assertTrue(tryJoin(0));
        assertTrue(tryJoin(1));
        assertSame(first, arenas[0].arena());
    }

    /** A node with room for files of a length only. */
    private TeamArena withRoom(final int rank, final long length, final CollectivesContext context)
    {
        final Meeting meeting = new NodeMeeting(node, endpoints[rank], channels[rank]);
        final Meeting limited = (Meeting)Proxy.newProxyInstance(
            Meeting.class.getClassLoader(), new Class<?>[]{Meeting.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("create") && (long)arguments[1] > length)
                {
                    throw new NoRoomException("no room", null, (long)arguments[1]);
                }
                return method.invoke(meeting, arguments);
            });
        return new Teams(limited, context, null).arena(7, 1, new int[]{0, 1, 2}, rank);
    }

    @Test
    void shouldHaveFewBlocksIfThereIsNoRoomForMany()
    {
        final long least = ArenaDescriptor.length(RANKS, ArenaDescriptor.MIN_WINDOW, 1_024);
        final TeamArena first = withRoom(0, least, new CollectivesContext().blockLength(1_024));
        final TeamArena second = withRoom(1, least, new CollectivesContext().blockLength(1_024));
        assertTrue(first.tryEnter());
        assertTrue(second.tryEnter());
        assertEquals(ArenaDescriptor.MIN_WINDOW, first.arena().window());
        assertEquals(ArenaDescriptor.MIN_WINDOW, second.arena().window());
        first.close();
        second.close();
    }

    /** What is set holds; the error names it. */
    @Test
    void shouldSayWhatTakesRoom()
    {
        final long least = ArenaDescriptor.length(RANKS, ArenaDescriptor.MIN_WINDOW, 1_024);
        final TeamArena set = withRoom(0, least, new CollectivesContext().blockLength(1_024).window(8));
        final NoRoomException ex = assertThrows(NoRoomException.class, set::tryEnter);
        assertTrue(ex.getMessage().contains("window=8"), ex.getMessage());
        assertTrue(ex.getMessage().contains("CollectivesContext.window"), ex.getMessage());
        assertThrows(NoRoomException.class, withRoom(0, 1, new CollectivesContext())::tryEnter);
    }
}
