// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.node.Node;

/** Messages that are lent: read in place, released once, taken back from borrowers that are gone. */
@Tag("once")
class LoanTest
{
    private static final int MAX_BYTES = 1_024;
    /** A quarter: there are four such tests. */
    private static final int KILLS = Integer.getInteger("tallypost.kills", 12) / 4;
    private static final int MAX_LOANS = 5;

    @TempDir
    private Path directory;

    private Node node;
    private Endpoint endpoint;
    private RegionMemory memory;
    private final Loan loan = new Loan();
    private final LoanedMessage message = new LoanedMessage();
    private final RegionKey key = new RegionKey();

    @BeforeEach
    void launch()
    {
        node = Node.launch(RegionFixture.context(directory, 3));
        endpoint = node.open(0);
        memory = RegionMemory.open(node, endpoint, 1 << 20, 64, MAX_LOANS);
    }

    @AfterEach
    void close()
    {
        memory.close();
        endpoint.close();
        node.close();
        assertFalse(new File(directory.toFile(), "node").exists(), "something is left behind");
    }

    private RegionKey lend(final int dest, final int length, final int value)
    {
        assertEquals(length, memory.tryLoan(length, loan));
        loan.buffer().setMemory(0, length, (byte)value);
        assertEquals(0, loan.lend(dest));
        return loan.key(key);
    }

    @Test
    void shouldLendReadAndRelease()
    {
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other))
        {
            assertEquals(3_000, message.attach(own, lend(1, 3_000, 7)));
            assertEquals(0, loan.buffer().capacity(), "the owner can write into what is lent");
            assertEquals(3_000, message.buffer().capacity());
            assertEquals(7, message.buffer().getByte(2_999));
            assertTrue(LoanProcess.isWhole(message.buffer()));
            assertEquals(1, memory.loanCount(1));
            assertEquals(0, memory.collect());
            assertEquals(4_096, memory.usedLength());
            assertEquals(0, message.release());
            assertEquals(0, message.buffer().capacity());
            assertEquals(1, memory.collect());
            assertEquals(0, memory.loanCount(1));
            assertEquals(0, memory.usedLength());
            assertEquals(0, memory.takenBackCount());
        }
    }

    @Test
    void shouldRefuseASecondRelease()
    {
        final LoanedMessage twin = new LoanedMessage();
        assertEquals(RegionResult.NOT_ATTACHED, message.release());
        final RegionKey first = lend(0, 10, 1);
        assertEquals(10, message.attach(memory, first));
        assertEquals(0, message.release());
        assertEquals(RegionResult.RELEASED, message.release());
        assertEquals(RegionResult.RELEASED, twin.attach(memory, first));
        assertEquals(RegionResult.NOT_ATTACHED, twin.release());
        assertEquals(RegionResult.RELEASED, message.attach(memory, first));
        assertEquals(0, message.buffer().capacity());
        assertEquals(3, memory.refusedCount(RegionResult.RELEASED));
        assertEquals(1, memory.collect());
        assertEquals(RegionResult.STALE, message.attach(memory, first));
        final RegionKey next = lend(0, 10, 2);
        assertEquals(10, message.attach(memory, next));
        assertThrows(IllegalStateException.class, () -> message.attach(memory, next));
        assertEquals(RegionResult.NOT_ATTACHED, twin.release());
        assertEquals(0, message.release());
    }

    /** A second view would read what the owner writes next, once the first one is released. */
    @Test
    void shouldLetOneHandleAttachToALoan()
    {
        final LoanedMessage twin = new LoanedMessage();
        final RegionKey first = lend(0, 10, 1);
        assertEquals(10, message.attach(memory, first));
        assertEquals(RegionResult.ALREADY_ATTACHED, twin.attach(memory, first));
        assertEquals(0, twin.buffer().capacity());
        assertEquals(RegionResult.NOT_ATTACHED, twin.release());
        assertEquals(1, memory.refusedCount(RegionResult.ALREADY_ATTACHED));
        assertEquals(0, memory.collect(), "what is read came back");
        assertEquals(0, message.release());
        assertEquals(1, memory.collect());
        assertEquals(10, twin.attach(memory, lend(0, 10, 2)));
        assertEquals(2, twin.buffer().getByte(9));
        assertEquals(0, twin.release());
    }

    @Test
    void shouldLendNothingOfAClosedMemory()
    {
        assertEquals(10, memory.tryLoan(10, loan));
        memory.close();
        assertEquals(Endpoint.CLOSED, loan.lend(0));
        assertEquals(0, memory.loanCount(0));
        assertThrows(IllegalStateException.class, () -> loan.key(key));
        loan.cancel();
        assertEquals(Endpoint.CLOSED, memory.tryLoan(10, loan));
    }

    /** Entries and chunks of loans that were released are free for regions. */
    @Test
    void shouldCollectWhenARegionHasNoRoom()
    {
        try (Endpoint other = node.open(1); RegionMemory small = RegionMemory.open(node, other, 2_048, 1, 1))
        {
            assertEquals(2_000, small.tryLoan(2_000, loan));
            assertEquals(0, loan.lend(1));
            assertEquals(2_000, message.attach(small, loan.key(key)));
            assertThrows(IllegalStateException.class, () -> small.register(1, 0), "the only entry is lent");
            assertEquals(0, message.release());
            small.register(1, 0).close();
        }
        assertEquals(1 << 20, message.attach(memory, lend(0, 1 << 20, 1)));
        assertThrows(IllegalStateException.class, () -> memory.register(1, 0), "all of the memory is lent");
        assertEquals(0, message.release());
        memory.register(1, 0).close();
    }

    @Test
    void shouldRefuseWhatIsNotLentToTheRank()
    {
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other);
            Region region = memory.register(100, Region.ALL))
        {
            assertEquals(RegionResult.NOT_BORROWER, message.attach(own, lend(0, 10, 1)));
            final int generation = key.generation();
            assertEquals(RegionResult.UNKNOWN_KEY, message.attach(own, region.key(key)));
            assertEquals(10, memory.tryLoan(10, loan));
            assertEquals(RegionResult.STALE, message.attach(own, new RegionKey().set(0, 1, 2, generation)), "not lent yet");
            assertEquals(RegionResult.UNKNOWN_KEY, new RemoteRegion().attach(own, new RegionKey().set(0, 1, 2, generation)));
            assertEquals(Endpoint.NOT_CONNECTED, loan.lend(2));
            assertThrows(IllegalArgumentException.class, () -> loan.lend(3));
            assertThrows(IllegalStateException.class, () -> memory.tryLoan(10, loan));
            assertThrows(IllegalStateException.class, () -> loan.key(key));
            loan.cancel();
            assertThrows(IllegalStateException.class, () -> loan.lend(1));
            assertThrows(IllegalArgumentException.class, () -> memory.tryLoan(0, loan));
        }
    }

    @Test
    void shouldTakeALoanBackThatCouldNotBeSent()
    {
        lend(0, 10, 1);
        loan.cancel();
        loan.cancel();
        assertEquals(RegionResult.STALE, message.attach(memory, key));
        assertEquals(0, memory.usedLength());
        assertEquals(10, message.attach(memory, lend(0, 10, 2)));
        assertEquals(0, message.release());
        assertEquals(1, memory.collect());
        assertEquals(20, message.attach(memory, new Lender(20).key));
        // of a loan that is over, while another one has its entry
        loan.cancel();
        assertEquals(0, message.release());
    }

    /** Another handle that lends to the own rank. */
    private final class Lender
    {
        private final RegionKey key = new RegionKey();

        Lender(final int length)
        {
            final Loan other = new Loan();
            assertEquals(length, memory.tryLoan(length, other));
            assertEquals(0, other.lend(0));
            other.key(key);
        }
    }

    @Test
    void shouldLendNoMoreThanABorrowerMayHave()
    {
        try (Endpoint other = node.open(1))
        {
            assertFalse(other.isClosed());
            for (int i = 0; i < MAX_LOANS; i++)
            {
                lend(1, 10, i);
            }
            assertEquals(10, memory.tryLoan(10, loan));
            assertEquals(RegionResult.TOO_MANY_LOANS, loan.lend(1));
            assertEquals(0, loan.lend(0), "to another borrower");
            assertEquals(10, message.attach(memory, loan.key(key)));
            assertEquals(0, message.release());
            assertEquals(MAX_LOANS, memory.loanCount(1));
        }
        assertEquals(MAX_LOANS + 1, memory.collect());
        assertEquals(MAX_LOANS, memory.takenBackCount());
        assertEquals(0, memory.usedLength());
    }

    @Test
    void shouldCollectWhenThereIsNoRoomLeft()
    {
        assertEquals(RegionResult.NO_ROOM, memory.tryLoan((1 << 20) + 1, loan));
        for (int i = 0; i < 3; i++)
        {
            // all of the memory each time
            assertEquals(1 << 20, message.attach(memory, lend(0, 1 << 20, i)));
            assertEquals(RegionResult.NO_ROOM, memory.tryLoan(1, new Loan()));
            assertEquals(0, message.release());
        }
        assertEquals(4, memory.refusedCount(RegionResult.NO_ROOM));
    }

    /** A borrower that was taken for gone, and goes on, harms nobody: its release finds another generation. */
    @Test
    void shouldRefuseTheReleaseOfAFormerBorrower()
    {
        final Endpoint other = node.open(1);
        try (RegionMemory own = RegionMemory.open(node, other))
        {
            assertEquals(10, message.attach(own, lend(1, 10, 1)));
            other.close();
            assertEquals(1, memory.collect());
            final LoanedMessage next = new LoanedMessage();
            assertEquals(10, next.attach(memory, lend(0, 10, 2)));
            assertEquals(RegionResult.STALE, message.release());
            assertEquals(1, own.refusedCount(RegionResult.STALE));
            assertEquals(0, memory.collect());
            assertEquals(2, next.buffer().getByte(9));
            assertEquals(0, next.release());
            assertEquals(1, memory.collect());
        }
    }

    @Test
    void shouldPassAMessageToAnotherHandle()
    {
        final LoanedMessage other = new LoanedMessage();
        assertThrows(IllegalStateException.class, () -> other.takeFrom(message));
        assertEquals(100, message.attach(memory, lend(0, 100, 1)));
        other.takeFrom(message);
        assertFalse(message.isHeld());
        assertEquals(0, message.buffer().capacity());
        assertEquals(RegionResult.NOT_ATTACHED, message.release());
        assertEquals(1, other.buffer().getByte(99));
        assertEquals(100, message.attach(memory, lend(0, 100, 2)));
        assertThrows(IllegalStateException.class, () -> other.takeFrom(message));
        assertEquals(0, other.release());
        assertEquals(RegionResult.RELEASED, other.release());
        assertEquals(2, message.buffer().getByte(99));
        assertEquals(0, message.release());
        assertEquals(2, memory.collect());
        assertEquals(0, memory.usedLength());
    }

    /** The borrower reads what was lent until it releases, whatever the owner does with its handle. */
    @Test
    void shouldLeaveACancelledLoanToTheBorrowerThatReadsIt()
    {
        assertEquals(100, message.attach(memory, lend(0, 100, 1)));
        loan.cancel();
        assertEquals(0, memory.collect(), "what is read came back");
        assertEquals(RegionMemory.MIN_LENGTH, memory.usedLength());
        final LoanedMessage other = new LoanedMessage();
        assertEquals(100, other.attach(memory, lend(0, 100, 2)));
        assertEquals(1, message.buffer().getByte(99));
        assertEquals(2, memory.loanCount(0));
        assertEquals(0, message.release());
        assertEquals(1, memory.collect());
        assertEquals(2, other.buffer().getByte(99));
        assertEquals(0, other.release());
        loan.cancel();
        assertEquals(0, memory.usedLength(), "released, and then cancelled");
        assertEquals(0, memory.loanCount(0));
    }

    /** A release in one thread while the loan is cancelled in another: the memory comes back once, and nothing else changes. */
    @Test
    void shouldEndALoanOnceWhenItIsReleasedAndCancelledAtOnce() throws InterruptedException
    {
        final int rounds = 20_000;
        final AtomicLong turn = new AtomicLong();
        final AtomicInteger released = new AtomicInteger();
        final Thread borrower = new Thread(() ->
        {
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a loan");
            for (int round = 0; round < rounds; round++)
            {
                while (turn.get() != 2L * round + 1)
                {
                    watchdog.check();
                    Thread.onSpinWait();
                }
                watchdog.progress();
                released.addAndGet(message.release() == 0 ? 1 : 0);
                turn.set(2L * round + 2);
            }
        });
        borrower.start();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a release");
        for (int round = 0; round < rounds; round++)
        {
            assertEquals(100, message.attach(memory, lend(0, 100, round)));
            turn.set(2L * round + 1);
            if (round % 2 == 0)
            {
                loan.cancel();
                // the same entry is lent again at once, if the release came first
                final Lender next = new Lender(100);
                final LoanedMessage other = new LoanedMessage();
                assertEquals(100, other.attach(memory, next.key), "the former borrower has ended another loan");
                assertEquals(0, other.release());
            }
            while (turn.get() != 2L * round + 2)
            {
                watchdog.check();
                Thread.onSpinWait();
            }
            watchdog.progress();
            final int over = memory.collect();
            assertTrue(over == 1 || round % 2 == 0 && over == 2, "over=" + over);
            assertEquals(0, memory.usedLength());
            assertEquals(0, memory.loanCount(0));
        }
        borrower.join();
        assertEquals(rounds, released.get(), "a loan was taken from the borrower that reads it");
    }

    @Test
    void shouldAllocateNothing()
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        operate(20_000);
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5 && allocated >= MAX_BYTES; round++)
        {
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            operate(20_000);
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
        assertTrue(allocated < MAX_BYTES, "allocated " + allocated);
    }

    private void operate(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            message.attach(memory, lend(0, 2_000, i));
            message.release();
            message.release();
            memory.collect();
        }
    }

    /** Any words in the table: no refusal is an exception, and the owner's books are its own. */
    @Test
    void shouldStandATableThatIsDamaged()
    {
        final Random random = new Random(RegionFixture.seed("LoanTest"));
        final UnsafeBuffer raw = node.attachShared("region-0-1").buffer();
        for (int i = 0; i < 20_000; i++)
        {
            lend(0, 1 + random.nextInt(5_000), i);
            final int entry = RegionDescriptor.entryOffset(key.id());
            for (int harm = random.nextInt(3); harm >= 0; harm--)
            {
                final int at = entry + 8 * random.nextInt(RegionDescriptor.ENTRY_LENGTH / 8);
                raw.putLong(at, random.nextBoolean() ? random.nextLong() : raw.getLong(at) ^ 1L << random.nextInt(64));
            }
            if (message.attach(memory, key) >= 0)
            {
                message.buffer().getByte(message.buffer().capacity() - 1);
                message.release();
            }
            memory.collect();
            loan.cancel();
            if (memory.usedLength() > 0)
            {
                // the table says that it is read: it comes back with its release
                final int word = entry + RegionDescriptor.LOAN_OFFSET;
                assertEquals(RegionDescriptor.loanWord(key.generation(), RegionDescriptor.LOAN_READ), raw.getLong(word));
                raw.putLong(word, RegionDescriptor.loanWord(key.generation(), RegionDescriptor.LOAN_RELEASED));
                assertEquals(1, memory.collect());
            }
            assertEquals(0, memory.usedLength());
        }
        assertEquals(0, memory.loanCount(0));
    }

    /** Borrowers are killed while they read, release and keep loans: all of them come back. */
    @Test
    void shouldTakeBackWhatKilledBorrowersHad()
    {
        final Random random = new Random(RegionFixture.seed("LoanTest"));
        for (int kill = 0; kill < KILLS; kill++)
        {
            try (ForkedJvm child = LoanProcess.start(directory))
            {
                final int most = random.nextInt(300);
                final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a loan for the child");
                int count = 0;
                while (count < most)
                {
                    if (memory.tryLoan(1 + random.nextInt(10_000), loan) >= 0)
                    {
                        loan.buffer().setMemory(0, loan.buffer().capacity(), (byte)count);
                        if (loan.lend(1) == 0)
                        {
                            child.writeLine("loan " + RegionProcess.hex(loan.key(key)));
                            count++;
                            watchdog.progress();
                        }
                        else
                        {
                            loan.cancel();
                            watchdog.idle();
                        }
                    }
                    for (String line = child.pollLine(); line != null; line = child.pollLine())
                    {
                        assertEquals("whole", line);
                    }
                }
                child.kill();
            }
            Watchdog.await("loans of a dead borrower", () ->
            {
                memory.collect();
                return memory.loanCount(1) == 0;
            });
            assertEquals(0, memory.usedLength());
        }
    }

    /** Owners are killed while this process reads what they have lent. */
    @Test
    void shouldReadOnWhatAKilledOwnerHasLent()
    {
        for (int kill = 0; kill < KILLS; kill++)
        {
            try (ForkedJvm child = LoanProcess.start(directory))
            {
                child.writeLine("lend 5000");
                final RegionKey lent = RegionProcess.key(child.readLine());
                assertEquals(5_000, message.attach(memory, lent));
                child.kill();
                Watchdog.await("the end of the owner", () -> new RemoteRegion().attach(memory, lent) == Endpoint.PEER_GONE);
                assertEquals(9, message.buffer().getByte(4_999));
                assertTrue(LoanProcess.isWhole(message.buffer()));
                assertEquals(0, message.release());
            }
        }
    }
}
