// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.remote.CarrierThread;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** What becomes of the thread that does the transport's work when another one does it, or the node is closed. */
@Timeout(1800)
class CarrierHandOverTest extends CarrierFixture
{
    private static final int HAND_OVERS = 200;

    private int expected;
    private int directly;

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
    void shouldNotBeginADutyCycleWithinOne()
    {
        launch();
        transport.duty = () -> assertEquals(0, node.transportWork());
        assertEquals(1, node.transportWork());
    }

    /** As one that a debugger has stopped: what it does in its duty cycle is neither taken over nor ended. */
    @Test
    void shouldLeaveTheTransportToAThreadInTheMidstOfItsDutyCycle() throws InterruptedException
    {
        launch();
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        transport.duty = () ->
        {
            reached.countDown();
            Watchdog.await("permission to go on", () -> released.getCount() == 0);
        };
        final Thread worker = new Thread(node::transportWork, "stopped");
        worker.start();
        Watchdog.await("a duty cycle", () -> reached.getCount() == 0);

        final MailboxException refused = assertThrows(MailboxException.class, node::transportWork);
        assertTrue(refused.getMessage().contains("thread=stopped"), refused::getMessage);
        local(node).cycleLimitNs = TimeUnit.MILLISECONDS.toNanos(20);
        node.close();
        assertEquals(1, errors.size(), errors::toString);
        final String told = errors.remove(0).getMessage();
        assertTrue(told.contains("duty cycle=stopped"), told);
        assertTrue(local(node).runtime().isMember());

        released.countDown();
        Watchdog.await("end of the duty cycle", () -> !worker.isAlive());
        node.close();
        assertFalse(local(node).runtime().isMember());
    }

    private CarrierThread carrier()
    {
        return local(node).transportHost().invokedBy(Thread.currentThread());
    }

    private boolean isSent(final CarrierThread by)
    {
        if (!by.tryEnter())
        {
            return false;
        }
        try
        {
            return by.send(0, RemoteDescriptor.destWord(IdleTransport.FAR, 1, from.epoch()), message, 0, LENGTH, false);
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

    /** Its thread would wait for itself. */
    @Test
    void shouldRefuseToCloseTheNodeByTheTransportsThread()
    {
        final AtomicInteger refused = new AtomicInteger();
        node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, IdleTransport.RANKS, SLOTS)
            .transport(transport).transportSettings(new TransportSettings().egressSlots(EGRESS_SLOTS))
            .errorHandler((failed) ->
            {
                assertThrows(IllegalStateException.class, node::close);
                refused.incrementAndGet();
            }));
        // an error is told once in a while: the first one has to find the node
        transport.duty = () ->
        {
            throw new IllegalStateException("a duty cycle that fails");
        };
        Watchdog.await("an attempt to close the node", () -> refused.get() > 0);
        transport.duty = () -> {};
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
        final Watchdog watchdog = new Watchdog(
            Watchdog.DEFAULT_LIMIT, () -> "a message that went directly, expected=" + expected);
        for (int i = 0; i < HAND_OVERS || directly == 0; i++)
        {
            // until the sender had a processor between two of these steps, however late
            watchdog.check();
            state.set(1);
            Watchdog.await("the sender that does the work", () -> state.get() == 0);
            node.transportWork();
        }
        state.set(2);
        Watchdog.await("the sender's end", () -> !sender.isAlive());
        node.transportWork();
        assertEquals(sentTags.get(), expected);
    }

    private void expect(final int tag)
    {
        assertEquals(expected, tag);
        expected++;
    }
}
