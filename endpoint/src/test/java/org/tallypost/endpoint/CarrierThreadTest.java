// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;

/** What the thread that does the transport's work sends itself, and what becomes of it when another thread does the work. */
@Timeout(120)
class CarrierThreadTest
{
    private static final int LENGTH = 40;
    private static final int EGRESS_SLOTS = 2048;
    /** So many credits that the ring is the smaller. */
    private static final int SLOTS = 2048;
    private static final int CREDITS = EGRESS_SLOTS + 64;
    private static final int HAND_OVERS = 200;

    /** Takes messages, and does in a duty cycle what a test says. */
    private static final class TakingTransport extends IdleTransport
    {
        final List<Integer> direct = new ArrayList<>();
        final List<Integer> byRing = new ArrayList<>();
        Runnable duty = () -> {};
        boolean isRefusing;

        @Override
        public int doWork()
        {
            duty.run();
            return 1;
        }

        int drain()
        {
            return port().drain(1, this, EGRESS_SLOTS);
        }

        @Override
        public boolean onMessage(
            final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(FAR, receiver);
            if (!isRefusing)
            {
                assertEquals(buffer.getLong(offset), tag);
                direct.add(tag);
            }
            return !isRefusing;
        }

        @Override
        public void onRun(
            final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
            final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(FAR, receiver);
            byRing.add(value);
        }
    }

    @TempDir
    private Path directory;

    private final TakingTransport transport = new TakingTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private Node node;
    private Endpoint from;
    private int expected;
    private int directly;

    /** A node that this thread has given a first duty cycle, with credits for the rank of the other node. */
    private void launch()
    {
        node = Node.launch(Fixtures.context(directory, Flow.STATIC, Carrier.DIRECT, IdleTransport.RANKS, SLOTS)
            .transport(transport).expressLanes(0).errorHandler(errors::add)
            .transportSettings(new TransportSettings().egressSlots(EGRESS_SLOTS).thread(false)));
        from = node.open(0);
        transport.port().pollRanks(transport);
        transport.port().openPeer(IdleTransport.FAR, 1, transport);
        transport.port().addCredits(0, IdleTransport.FAR, CREDITS + 1);
        node.transportWork();
        // the first message connects, and goes by the ring
        assertTrue(offer(0) >= 0);
        assertEquals(1, transport.drain());
        assertEquals(List.of(0), transport.byRing);
        transport.byRing.clear();
    }

    @AfterEach
    void close()
    {
        node.close();
        assertEquals(List.of(), errors);
    }

    private long offer(final int tag)
    {
        message.putLong(0, tag);
        return from.offer(IdleTransport.FAR, tag, message, 0, LENGTH);
    }

    /** What others may take. */
    private int inWord()
    {
        final RemoteNodes remote = node.remote();
        return PacketDescriptor.credits(remote.buffer().getLongVolatile(remote.lineOffset(0, IdleTransport.FAR)));
    }

    /** All that there are: what is in hand is given back in a duty cycle. */
    private int credits()
    {
        final Runnable duty = transport.duty;
        transport.duty = () -> {};
        node.transportWork();
        transport.duty = duty;
        return inWord();
    }

    private static <T> T inThread(final java.util.concurrent.Callable<T> task)
    {
        final FutureTask<T> future = new FutureTask<>(task);
        new Thread(future, "carrier-test").start();
        Watchdog.await("another thread", future::isDone);
        try
        {
            return future.get();
        }
        catch (final InterruptedException | java.util.concurrent.ExecutionException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldHandOnWhatTheCarrierSendsAtOnce()
    {
        launch();
        final long first = offer(7);
        final long second = offer(8);
        assertTrue(0 <= first && first < second, () -> first + ", " + second);
        assertEquals(List.of(7, 8), transport.direct);
        assertEquals(CREDITS - 2, credits());
        assertEquals(0, transport.drain());
        assertEquals(3, from.counters().sent());
        assertEquals(3 * LENGTH, from.counters().bytesSent());
        assertEquals(3, transport.port().unacknowledged(1));
    }

    @Test
    void shouldSendByTheRingBehindWhatItHasSentThere()
    {
        launch();
        final Send send = from.newSend();
        message.putLong(0, 1);
        assertTrue(send.start(IdleTransport.FAR, 1, message, 0, LENGTH) >= 0);
        assertTrue(offer(2) >= 0);
        assertEquals(List.of(), transport.direct);
        assertEquals(2, transport.drain());
        assertTrue(offer(3) >= 0);
        assertEquals(List.of(1, 2), transport.byRing);
        assertEquals(List.of(3), transport.direct);
        assertEquals(CREDITS - 3, credits());
        assertEquals(4, transport.port().unacknowledged(1));
    }

    @Test
    void shouldSendByTheRingBehindWhatItHasSentBeforeItTookOver()
    {
        launch();
        assertTrue(offer(1) >= 0);
        assertEquals(1, inThread(node::transportWork));
        assertTrue(offer(2) >= 0);
        assertEquals(1, node.transportWork());
        assertTrue(offer(3) >= 0);
        assertEquals(2, transport.drain());
        assertTrue(offer(4) >= 0);
        assertEquals(List.of(1, 4), transport.direct);
        assertEquals(List.of(2, 3), transport.byRing);
    }

    @Test
    void shouldNotWaitForWhatOthersHaveSentByTheRing()
    {
        launch();
        assertTrue(inThread(() -> offer(1)) >= 0);
        assertTrue(offer(2) >= 0, "looks whether the ring is empty, once");
        assertEquals(2, transport.drain());
        assertTrue(offer(3) >= 0);
        assertTrue(inThread(() -> offer(4)) >= 0);
        final long last = offer(5);
        assertTrue(last >= 0);
        assertEquals(List.of(3, 5), transport.direct);
        assertEquals(1, transport.drain());
        assertTrue(offer(6) > last);
    }

    @Test
    void shouldTakeCreditsTogetherAndGiveThemBackInADutyCycle()
    {
        launch();
        assertTrue(offer(1) >= 0);
        assertEquals(CREDITS - RemotePeer.MAX_IN_HAND, inWord());
        transport.duty = () -> assertEquals(CREDITS - 1, inWord(), "before anybody asks for them");
        node.transportWork();
        // nothing else of this thread goes without them
        transport.port().takeExcess(0, IdleTransport.FAR, 1);
        transport.port().addCredits(0, IdleTransport.FAR, 2);
        final int left = inWord();
        assertTrue(offer(2) >= 0);
        assertEquals(0, inWord());
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 3, LENGTH, claim) >= 0);
        assertEquals(left - 2, inWord());
        claim.abort();
        assertEquals(left - 1, inWord());
        // a thread that takes over finds them too
        assertTrue(offer(4) >= 0);
        assertEquals(0, inWord());
        transport.duty = () -> assertEquals(left - 2, inWord());
        assertEquals(1, inThread(node::transportWork));
    }

    @Test
    void shouldSendByTheRingWhatTheTransportDoesNotTake()
    {
        launch();
        transport.isRefusing = true;
        assertTrue(offer(1) >= 0);
        assertEquals(CREDITS - 1, credits(), "taken once");
        transport.isRefusing = false;
        assertTrue(offer(2) >= 0);
        transport.drain();
        assertEquals(List.of(1, 2), transport.byRing);
        assertEquals(List.of(), transport.direct);
    }

    @Test
    void shouldSendByTheRingWithinADutyCycle()
    {
        launch();
        transport.duty = () -> assertTrue(offer(1) >= 0);
        node.transportWork();
        transport.duty = transport::drain;
        node.transportWork();
        assertEquals(List.of(1), transport.byRing);
        assertEquals(List.of(), transport.direct);
    }

    @Test
    void shouldNotBeginADutyCycleWithinOne()
    {
        launch();
        transport.duty = () -> assertEquals(0, node.transportWork());
        assertEquals(1, node.transportWork());
    }

    @Test
    void shouldGiveCreditsBackForABufferThatThrows()
    {
        launch();
        final RuntimeException fault = new IllegalStateException("a buffer that throws");
        final UnsafeBuffer broken = new UnsafeBuffer(new byte[LENGTH])
        {
            @Override
            public long getLong(final int index)
            {
                throw fault;
            }
        };
        assertSame(fault, assertThrows(IllegalStateException.class, () -> from.offer(IdleTransport.FAR, 1, broken, 0, LENGTH)));
        assertEquals(CREDITS, credits());
        assertTrue(offer(2) >= 0);
        assertEquals(List.of(2), transport.direct);
        assertEquals(2, transport.port().unacknowledged(1));
    }

    @Test
    void shouldSayWhenThereAreNoCredits()
    {
        launch();
        for (int i = 0; i < CREDITS; i++)
        {
            assertTrue(offer(i) >= 0);
        }
        assertEquals(Endpoint.NO_CREDIT, offer(CREDITS));
        assertEquals(CREDITS, transport.direct.size());
        assertEquals(0, credits());
        transport.port().addCredits(0, IdleTransport.FAR, 1);
        assertTrue(offer(CREDITS) >= 0);
        assertEquals(CREDITS + 1, transport.direct.size());
    }

    private int fillTheRing()
    {
        return inThread(() ->
        {
            int count = 0;
            while (offer(count) >= 0)
            {
                count++;
            }
            return count;
        });
    }

    /** Its room can only be made by the thread that waits for it. */
    @Test
    void shouldMakeRoomForACommitOfTheCarrier()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 1_000_000, LENGTH, claim) >= 0);
        final int count = fillTheRing();
        assertEquals(EGRESS_SLOTS, count);
        transport.duty = transport::drain;
        claim.commit();
        node.transportWork();
        assertEquals(count + 1, transport.byRing.size());
        assertEquals(1_000_000, transport.byRing.get(count));
    }

    @Test
    void shouldRefuseACommitWithinADutyCycleThatFindsNoRoom()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 1, LENGTH, claim) >= 0);
        fillTheRing();
        transport.duty = () ->
        {
            final IllegalStateException refused = assertThrows(IllegalStateException.class, claim::commit);
            assertTrue(refused.getMessage().contains("egressSlots=" + EGRESS_SLOTS), refused::getMessage);
        };
        node.transportWork();
        assertTrue(claim.isOpen());
        transport.duty = () ->
        {
            transport.drain();
            claim.commit();
        };
        node.transportWork();
        assertFalse(claim.isOpen());
        assertEquals(EGRESS_SLOTS, transport.byRing.size());
        assertEquals(1, transport.drain());
    }

    @Test
    void shouldSendAClaimOfTheCarrierAtOnce()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 5, LENGTH, claim) >= 0);
        assertTrue(offer(4) >= 0);
        claim.buffer().putLong(0, 5);
        claim.commit();
        assertEquals(List.of(4, 5), transport.direct);
        assertEquals(CREDITS - 2, credits());
    }

    private CarrierThread carrier()
    {
        return node.transportHost().invokedBy(Thread.currentThread());
    }

    private boolean isSent(final CarrierThread by)
    {
        if (!by.isIn())
        {
            return false;
        }
        try
        {
            return by.send(0, RemoteDescriptor.destWord(IdleTransport.FAR, 1, from.epoch()), message, 0, LENGTH);
        }
        finally
        {
            by.out();
        }
    }

    @Test
    void shouldRefuseToCloseTheNodeWithinADutyCycle()
    {
        launch();
        transport.duty = () ->
        {
            final IllegalStateException refused = assertThrows(IllegalStateException.class, node::close);
            assertTrue(refused.getMessage().startsWith("close() within the transport's duty cycle"), refused::getMessage);
            assertEquals(0, node.checkLiveness());
        };
        assertEquals(1, node.transportWork());
        assertTrue(offer(1) >= 0);
    }

    /** A handler that opens a rank while another thread closes the node, and waits for the handler's end. */
    @Test
    void shouldLetADutyCycleEndThatMeetsTheNodesClose()
    {
        launch();
        final Thread closer = new Thread(node::close, "carrier-test");
        transport.duty = () ->
        {
            transport.duty = () -> {};
            closer.start();
            Watchdog.await("the node that is being closed", () ->
            {
                try
                {
                    node.open(1).close();
                    return false;
                }
                catch (final IllegalStateException ex)
                {
                    return true;
                }
            });
        };
        assertEquals(1, node.transportWork());
        Watchdog.await("the end of the other thread", () -> !closer.isAlive());
        assertEquals(0, node.transportWork());
    }

    /** A buffer that sends, and works for the transport, while it is read. */
    @Test
    void shouldNotBeEnteredTwice()
    {
        launch();
        final UnsafeBuffer calling = new UnsafeBuffer(new byte[LENGTH])
        {
            private boolean isCalled;

            @Override
            public long getLong(final int index)
            {
                if (!isCalled)
                {
                    isCalled = true;
                    assertEquals(0, node.transportWork());
                    assertTrue(offer(2) >= 0);
                }
                return super.getLong(index);
            }
        };
        calling.putLong(0, 1);
        assertTrue(from.offer(IdleTransport.FAR, 1, calling, 0, LENGTH) >= 0);
        assertEquals(List.of(1), transport.direct);
        assertEquals(1, transport.drain());
        assertEquals(List.of(2), transport.byRing);
    }

    @Test
    void shouldDoNothingOnceAnotherThreadHasTakenOver() throws Exception
    {
        launch();
        final CarrierThread mine = carrier();
        assertTrue(isSent(mine));
        assertEquals(1, mine.work());
        assertEquals(1, inThread(node::transportWork));
        assertFalse(isSent(mine));
        assertEquals(0, mine.work());
        assertEquals(1, node.transportWork(), "taken over again");
        assertFalse(isSent(mine));
        assertTrue(isSent(carrier()));
    }

    @Test
    void shouldDoNothingOnceTheNodeIsClosed() throws Exception
    {
        launch();
        final CarrierThread mine = carrier();
        inThread(() ->
        {
            node.close();
            return null;
        });
        assertFalse(isSent(mine));
        assertEquals(0, mine.work());
        assertEquals(0, node.transportWork());
        assertEquals(Endpoint.CLOSED, offer(1));
    }

    /** One thread sends, two take the work from each other: what the transport has belongs to one of them at a time. */
    @Test
    void shouldHandTheWorkOverWhileItSends() throws InterruptedException
    {
        launch();
        final AtomicInteger state = new AtomicInteger();
        final AtomicInteger sentTags = new AtomicInteger();
        final Thread sender = new Thread(() ->
        {
            int tag = 0;
            while (state.get() < 2)
            {
                // takes the work over now and then, and goes on sending when it has lost it
                if (state.compareAndSet(1, 0))
                {
                    node.transportWork();
                }
                tag += offer(tag) >= 0 ? 1 : 0;
            }
            sentTags.set(tag);
        }, "carrier-test");
        // messages that one thread hands on while the other is at it would be lost, or out of order
        transport.duty = () ->
        {
            final int direct = transport.direct.size();
            directly += direct;
            for (int i = 0; i < direct; i++)
            {
                expect(transport.direct.get(i));
            }
            transport.drain();
            transport.byRing.forEach(this::expect);
            assertEquals(direct, transport.direct.size());
            transport.port().addCredits(0, IdleTransport.FAR, direct + transport.byRing.size());
            transport.direct.clear();
            transport.byRing.clear();
        };
        sender.start();
        for (int i = 0; i < HAND_OVERS; i++)
        {
            state.set(1);
            Watchdog.await("the sender that does the work", () -> state.get() == 0);
            node.transportWork();
        }
        state.set(2);
        Watchdog.await("the sender's end", () -> !sender.isAlive());
        node.transportWork();
        assertEquals(sentTags.get(), expected);
        assertTrue(directly > 0);
    }

    private void expect(final int tag)
    {
        assertEquals(expected, tag);
        expected++;
    }
}
