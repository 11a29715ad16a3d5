// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/** After the start nothing is allocated for a message, whichever way it goes. */
class MessengerAllocationTest extends MessengerFixture
{
    private static final int MESSAGES = 20_000;
    /** Of long messages so many that they have this length together. */
    private static final int ROUND_LENGTH = 100_000_000;
    private static final int LEAST_MESSAGES = 8;
    /** More than the longest message of an endpoint: it goes in two parts. */
    private static final int MAX_LENGTH = 17_000_000;
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 1_024;

    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final Envelope envelope = new Envelope();
    private final MatchedMessage held = new MatchedMessage();
    private UnsafeBuffer message;
    private UnsafeBuffer room = room(10_000);
    private final RegionMemory[] memories = new RegionMemory[2];
    private final Loan loan = new Loan();
    private final LoanedMessage loaned = new LoanedMessage();
    private UnsafeBuffer region;
    private long heard;

    private void exchange(final int to, final int length, final SendMode mode, final boolean isReceiveFirst)
    {
        final Messenger receiver = messengers[to];
        if (isReceiveFirst)
        {
            receiver.receive(receive, receiver.world(), ANY, 3, room, 0, length);
        }
        send.prepare(mode, messengers[0].world(), to, 3, message, 0, length);
        messengers[0].start(send);
        if (!isReceiveFirst)
        {
            while (!receiver.probe(receiver.world(), 0, Communicator.ANY_TAG, envelope))
            {
                work();
            }
            receiver.matchedProbe(receiver.world(), 0, 3, held);
            receiver.receive(receive, held, room, 0, length);
        }
        while (send.isActive() || receive.isActive())
        {
            work();
        }
        work();
    }

    /** By a region, by a loan that is copied, and by a loan that is read in place. */
    private void exchangePlaced(final int to, final int way)
    {
        final Messenger receiver = messengers[to];
        if (way == 2)
        {
            receiver.receiveLoaned(receive, receiver.world(), 0, 3, loaned);
        }
        else
        {
            receiver.receive(receive, receiver.world(), 0, 3, room, 0, 10_000);
        }
        if (way == 0)
        {
            messengers[0].send(send, messengers[0].world(), to, 3, region, 0, 10_000);
        }
        else
        {
            memories[0].tryLoan(10_000, loan);
            messengers[0].send(send, messengers[0].world(), to, 3, loan);
        }
        while (send.isActive() || receive.isActive())
        {
            work();
        }
        if (way == 2)
        {
            loaned.release();
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "0"})
    void shouldAllocateNothingForWhatIsPlaced(final int to)
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.regionMemory(
            memories[context.endpoint().rank()] = RegionMemory.open(node, context.endpoint())));
        region = memories[0].register(10_000, Region.READ).buffer();
        allocatedBy(() ->
        {
            for (int i = 0; i < MESSAGES; i++)
            {
                exchangePlaced(to, i % 3);
            }
        });
        assertTrue(to == 0 || messengers[0].counters().sentFromRegion() > MESSAGES / 3);
        assertTrue(to == 0 || messengers[0].counters().sentAsLoan() > MESSAGES / 2);
    }

    /** Read out of the memory of its sender's process; a long one in several parts. */
    @ParameterizedTest
    @CsvSource({"65536", "1500000"})
    void shouldAllocateNothingForWhatIsReadFromMemory(final int length)
    {
        assumeTrue(CrossMemory.whyNot() == null, CrossMemory::whyNot);
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.crossMemory(true));
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        room = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        fill(message, 0, length, length);
        final int count = ROUND_LENGTH / length;
        allocatedBy(() -> exchangeMany(1, length, count));
        final MessengerCounters counters = messengers[0].counters();
        assertEquals(counters.sentAnnounced(), counters.sentFromMemory(), "each was read from memory");
        assertTrue(counters.sentFromMemory() >= 2 * count);
        assertEquals(0, messengers[1].counters().placesRefused());
        check(room, 0, length, length);
    }

    /** Through a staging area of the receiver, on one node: some have room in it as a whole. */
    @ParameterizedTest
    @CsvSource({"65536", "200000", "1500000", "" + MAX_LENGTH})
    void shouldAllocateNothingForWhatIsStaged(final int length)
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.copyRoom(1).stagingLength(1 << 20).regionMemory(
            memories[context.endpoint().rank()] = RegionMemory.open(node, context.endpoint())));
        message = bytes(length, 1);
        room = room(length);
        final int count = Math.max(LEAST_MESSAGES, ROUND_LENGTH / length);
        allocatedBy(() -> exchangeMany(1, length, count));
        assertTrue(messengers[1].counters().staged() >= 2 * count);
        assertEquals(messengers[0].counters().sentAnnounced(), messengers[1].counters().staged());
        check(room, 0, length, 1);
    }

    private void exchangeMany(final int to, final int length, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            exchange(to, length, (i & 1) == 0 ? SendMode.STANDARD : SendMode.SYNCHRONOUS, (i & 2) == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,8", "1,1000", "1,2048", "1,2049", "1,5000", "1,65536", "1,1048576", "1," + MAX_LENGTH, "0,8", "0,5000",
        "0,1048576"})
    void shouldAllocateNothing(final int to, final int length)
    {
        launch(2);
        message = bytes(length, 1);
        room = room(length);
        final int count = Math.max(LEAST_MESSAGES, Math.min(MESSAGES, ROUND_LENGTH / Math.max(1, length)));
        receive.listener((request) -> heard++);
        allocatedBy(() -> exchangeMany(to, length, count));
    }

    private void allocatedBy(final Runnable messages)
    {
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        messages.run();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages");
        long allocated = Long.MAX_VALUE;
        for (int round = 1; round <= MAX_ROUNDS && allocated >= MAX_BYTES; round++)
        {
            final long before = threads.getThreadAllocatedBytes(thread);
            messages.run();
            allocated = threads.getThreadAllocatedBytes(thread) - before;
            watchdog.check();
        }
        System.out.println("MessengerAllocationTest: " + allocated + " bytes in the last round, heard " + heard);
        assertTrue(allocated < MAX_BYTES, "allocated " + allocated + " bytes in the last round");
    }
}
