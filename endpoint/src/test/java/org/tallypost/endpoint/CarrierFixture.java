// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A node with ranks 0 and 1, and a transport that hands on what a test says, and the thread that does its work. */
public abstract class CarrierFixture
{
    public static final int LENGTH = 40;
    public static final int EGRESS_SLOTS = 2048;
    /** So many credits that the ring is the smaller. */
    static final int SLOTS = 2048;
    public static final int CREDITS = EGRESS_SLOTS + 64;

    /** Takes messages, and does in a duty cycle what a test says. */
    public static class TakingTransport extends IdleTransport
    {
        public final List<Integer> direct = new ArrayList<>();
        public final List<Integer> byRing = new ArrayList<>();
        public volatile Runnable duty = () -> {};
        public boolean isRefusing;
        /** Messages that are taken before all are refused. */
        public int taking = Integer.MAX_VALUE;

        @Override
        public int doWork()
        {
            duty.run();
            return 1;
        }

        public int drain()
        {
            return port().drain(1, this, EGRESS_SLOTS);
        }

        @Override
        public boolean onMessage(
            final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(FAR, receiver);
            if (isRefusing || taking == 0)
            {
                return false;
            }
            taking--;
            assertEquals(buffer.getLong(offset), tag);
            direct.add(tag);
            return true;
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
    Path directory;

    @SuppressWarnings("this-escape")
    public final TakingTransport transport = newTransport();
    public final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    public volatile Node node;
    public Endpoint from;

    public TakingTransport newTransport()
    {
        return new TakingTransport();
    }

    /** The node is as {@link #launch} says. */
    public void launched()
    {
        assertEquals(List.of(0), transport.byRing);
        transport.byRing.clear();
    }

    /** A node that this thread has given a first duty cycle, with credits for the rank of the other node. */
    public final void launch()
    {
        node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, IdleTransport.RANKS, SLOTS)
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
        launched();
    }

    @AfterEach
    void close()
    {
        node.close();
        assertEquals(List.of(), errors);
    }

    public final long offer(final int tag)
    {
        message.putLong(0, tag);
        return from.offer(IdleTransport.FAR, tag, message, 0, LENGTH);
    }

    /** What others may take. */
    public final int inWord()
    {
        final RemoteNodes remote = local(node).runtime().remote();
        return CreditWord.credits(remote.buffer().getLongVolatile(remote.lineOffset(0, IdleTransport.FAR)));
    }

    /** All that there are: what is in hand is given back in a duty cycle. */
    public final int credits()
    {
        final Runnable duty = transport.duty;
        transport.duty = () -> {};
        node.transportWork();
        transport.duty = duty;
        return inWord();
    }

    public static <T> T inThread(final java.util.concurrent.Callable<T> task)
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
}
