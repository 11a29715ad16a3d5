// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/** The words that a part of a window is locked by, step by step: holders and waiters that are gone, and what cannot be. */
@Tag("once")
class WindowLockTest
{
    private static final int RANKS = 3;
    /** The part that is locked. */
    private static final int PART = 0;

    @TempDir
    private File directory;
    private Node node;
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final RegionMemory[] memories = new RegionMemory[RANKS];
    private final WindowLock[] locks = new WindowLock[RANKS];
    private Region words;

    @BeforeEach
    void launch()
    {
        node = Node.launch(new NodeContext().directory(new File(directory, "node")).rankCount(RANKS).deleteOnClose(true));
        for (int rank = 0; rank < RANKS; rank++)
        {
            open(rank);
        }
        words = memories[PART].register(WindowLock.lengthFor(RANKS), Region.ALL);
        for (int rank = 0; rank < RANKS; rank++)
        {
            final WindowRegion region = WindowRegion.tryAttach(
                memories[rank], words.key(new RegionKey()), PART, 0, WindowLock.lengthFor(RANKS));
            locks[rank] = new WindowLock(region, new WindowRanks(endpoints[rank], 0, 1, 2), PART, rank);
        }
    }

    @AfterEach
    void close()
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            closeRank(rank);
        }
        node.close();
    }

    private void open(final int rank)
    {
        endpoints[rank] = node.open(rank);
        memories[rank] = RegionMemory.open(node, endpoints[rank]);
    }

    private void closeRank(final int rank)
    {
        memories[rank].close();
        endpoints[rank].close();
    }

    private static void fails(final String text, final Executable call)
    {
        final MPIException ex = assertThrows(MPIException.class, call);
        assertTrue(ex.getMessage().contains(text), ex::getMessage);
    }

    private void checkFree() throws MPIException
    {
        assertTrue(locks[2].tryTake(true));
        locks[2].giveBack(true);
        assertTrue(locks[2].tryTake(false));
        locks[2].giveBack(false);
        assertEquals(0, words.buffer().getLong(0));
        assertEquals(0, words.buffer().getLong(Long.BYTES));
    }

    /** One of those that wait fails, and it says of what; the next one has the lock. */
    @Test
    void shouldTakeTheLockFromOneThatIsGone() throws MPIException
    {
        assertTrue(locks[1].tryTake(true));
        assertFalse(locks[2].tryTake(true));
        assertFalse(locks[2].tryTake(false));
        closeRank(1);
        fails("rank 1 of the window's communicator had the lock of the part of rank 0", () -> locks[2].tryTake(false));
        assertTrue(locks[2].tryTake(false));
        locks[2].giveBack(false);
        checkFree();
    }

    /** A rank that was opened again is not the one that has the lock. */
    @Test
    void shouldTakeTheLockFromAFormerIncarnation() throws MPIException
    {
        assertTrue(locks[1].tryTake(true));
        closeRank(1);
        open(1);
        fails("rank 1 of the window's communicator had the lock", () -> locks[2].tryTake(true));
        checkFree();
    }

    @Test
    void shouldTakeSharesFromThoseThatAreGone() throws MPIException
    {
        assertTrue(locks[0].tryTake(false));
        assertTrue(locks[1].tryTake(false));
        assertFalse(locks[2].tryTake(true));
        closeRank(1);
        assertFalse(locks[2].tryTake(true), "another one shares it");
        locks[0].giveBack(false);
        assertTrue(locks[2].tryTake(true));
        locks[2].giveBack(true);
        checkFree();
    }

    /** It is next, and ends before it has the lock. */
    @Test
    void shouldNotWaitBehindOneThatWaitedAndIsGone() throws MPIException
    {
        assertTrue(locks[0].tryTake(false));
        assertFalse(locks[1].tryTake(true));
        assertFalse(locks[2].tryTake(false), "behind the one that is next");
        closeRank(1);
        fails("rank 1 of the window's communicator had the lock", () -> locks[2].tryTake(false));
        assertTrue(locks[2].tryTake(false));
        locks[2].giveBack(false);
        locks[0].giveBack(false);
        checkFree();
    }

    /** A rank that waits and fails half way holds up none. */
    @Test
    void shouldKeepNothingOfOneThatWaitsNoMore() throws MPIException
    {
        assertTrue(locks[0].tryTake(false));
        assertFalse(locks[1].tryTake(true));
        locks[1].leave(true);
        assertTrue(locks[2].tryTake(false));
        locks[2].giveBack(false);
        locks[0].giveBack(false);
        assertTrue(locks[0].tryTake(true));
        assertFalse(locks[1].tryTake(false));
        locks[1].leave(false);
        locks[0].giveBack(true);
        checkFree();
    }

    /** What a rank has not got it cannot give back: the one that has it keeps it. */
    @Test
    void shouldRefuseToGiveBackTheLockOfAnother() throws MPIException
    {
        fails("was taken from this rank", () -> locks[1].giveBack(true));
        assertTrue(locks[2].tryTake(true));
        fails("was taken from this rank", () -> locks[1].giveBack(true));
        locks[1].giveBack(false);
        locks[1].leave(true);
        assertFalse(locks[1].tryTake(false));
        locks[2].giveBack(true);
        checkFree();
    }

    @Test
    void shouldNameWordsThatCannotBe() throws MPIException
    {
        for (final long owner : new long[]{RANKS + 1, -1, Long.MIN_VALUE, 1L << 32})
        {
            words.buffer().putLong(0, owner);
            fails("is damaged", () -> locks[1].tryTake(true));
            fails("is damaged", () -> locks[1].tryTake(false));
            assertEquals(owner, words.buffer().getLong(0));
        }
        words.buffer().putLong(0, 0);
        words.buffer().putLong(Long.BYTES, 1L << RANKS);
        fails("is damaged", () -> locks[1].tryTake(true));
        locks[1].leave(true);
        words.buffer().putLong(Long.BYTES, 0);
        checkFree();
    }

    /** The rank that has the part is gone. So is the lock, for the rank that holds it and for those that want it. */
    @Test
    void shouldNameAPartThatIsGone() throws MPIException
    {
        assertTrue(locks[1].tryTake(true));
        closeRank(PART);
        fails("the other rank is gone", () -> locks[1].giveBack(true));
        fails("the other rank is gone", () -> locks[2].tryTake(true));
        fails("the other rank is gone", () -> locks[2].tryTake(false));
        locks[1].leave(true);
        locks[2].leave(true);
    }

    /** Locks by messages: in the order of the questions, and past ranks that are gone, of which one had the lock for itself. */
    @Test
    void shouldGiveLocksByMessagesPastRanksThatAreGone() throws MPIException
    {
        final List<String> replies = new ArrayList<>();
        final MessageLocks asked = new MessageLocks(new WindowRanks(endpoints[0], 0, 1, 2), (rank, tag, status) ->
            replies.add(rank + ":" + tag + (status == MPI.SUCCESS ? "" : " fails")));
        asked.ask(1, 10, true);
        asked.ask(2, 20, false);
        asked.ask(0, 1, false);
        asked.takeFromThoseThatAreGone();
        assertEquals(List.of("1:10"), replies);
        closeRank(1);
        asked.takeFromThoseThatAreGone();
        assertEquals(List.of("1:10", "2:20 fails", "0:1"), replies);
        asked.ask(2, 21, false);
        asked.giveBack(0, 2);
        asked.ask(0, 3, true);
        asked.ask(2, 22, false);
        assertEquals(List.of("2:21", "0:2"), replies.subList(3, replies.size()));
        // it gives back what it has, and waits no more
        asked.giveBack(2, 23);
        assertEquals(List.of("2:22", "2:23", "0:3"), replies.subList(5, replies.size()));
        asked.giveBack(0, 4);
        asked.ask(2, 24, false);
        asked.ask(0, 5, true);
        closeRank(2);
        asked.takeFromThoseThatAreGone();
        assertEquals(List.of("0:4", "2:24", "0:5"), replies.subList(8, replies.size()), "a share ends with its rank");
    }

    /** One that waits, and is gone, gets no lock. */
    @Test
    void shouldGiveNoLockToARankThatIsGone() throws MPIException
    {
        final List<Integer> replies = new ArrayList<>();
        final MessageLocks asked = new MessageLocks(
            new WindowRanks(endpoints[0], 0, 1, 2), (rank, tag, status) -> replies.add(rank));
        asked.ask(0, 1, true);
        asked.ask(1, 1, true);
        asked.ask(2, 1, true);
        closeRank(1);
        asked.takeFromThoseThatAreGone();
        asked.giveBack(0, 2);
        assertEquals(List.of(0, 0, 2), replies);
    }

    /** A window is not freed by a rank with locks: others may wait for these, and not for the end of the window. */
    @Test
    void shouldNameLocksThatAreHeldAtTheEnd() throws MPIException
    {
        final WindowEpoch epoch = new WindowEpoch(RANKS);
        epoch.checkNotLocked();
        epoch.lock(2, false);
        fails("the part of rank 2 is locked by this rank: call unlock first", epoch::checkNotLocked);
        fails("the part of rank 2 is locked by this rank already", () -> epoch.lock(2, true));
        fails("the part of rank 1 is not locked", () -> epoch.unlock(1));
        assertFalse(epoch.unlock(2));
        epoch.checkNotLocked();
        fails("the part of rank 2 is not locked", () -> epoch.unlock(2));
    }
}
