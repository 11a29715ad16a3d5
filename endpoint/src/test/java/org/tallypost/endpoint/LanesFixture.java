// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** What tests of express lanes share: nodes with lanes, the holder of one, how to come by one. */
public abstract class LanesFixture
{
    /** A sender that has sent so many messages by the ring and has no lane never gets one. */
    static final int MOST_BEFORE_A_LANE = 1_000_000;

    @TempDir
    public Path directory;

    final long seed = Fixtures.seed();
    public final AtomicReference<Throwable> failure = new AtomicReference<>();
    public final UnsafeBuffer message = new UnsafeBuffer(new byte[4096]);
    public volatile boolean isRunning = true;

    public final Node node(final Flow flow, final int ranks, final int slots, final int laneSlots)
    {
        return Node.launch(Fixtures.context(directory, flow, CreditReturn.DIRECT, ranks, slots).checkInvariants(true)
            .laneSlots(laneSlots));
    }

    public final Thread guarded(final String name, final Runnable body)
    {
        return Fixtures.start(name, body, failure);
    }

    public final void join(final Thread thread)
    {
        Watchdog.awaitEnds(List.of(thread), failure);
    }

    public static LaneSender lane(final Endpoint from, final int dest)
    {
        final Peer peer = local(from).outbox().peers()[dest];
        return peer == null ? null : peer.lane;
    }

    static long laneWord(final Endpoint receiver, final int source)
    {
        return local(receiver).mailbox().buffer().getLongVolatile(MailboxDescriptor.sourceLineOffset(source) + LaneWord.OFFSET);
    }

    /** Sends until the calling thread holds a lane. */
    final void earnLane(final Endpoint from, final Endpoint receiver)
    {
        final int[] sent = new int[1];
        Fixtures.pollUntil("a lane from " + receiver.rank() + " for " + from.rank(), Fixtures.NOTHING, () ->
        {
            sent[0] += from.offer(receiver.rank(), 1, message, 0, 40) >= 0 ? 1 : 0;
            // it comes forward with each message, so nothing else ends this
            assertTrue(sent[0] < MOST_BEFORE_A_LANE, () -> "no lane after messages=" + sent[0]);
            return lane(from, receiver.rank()) != null && lane(from, receiver.rank()).holder.thread == Thread.currentThread();
        }, receiver);
    }

    /** Sends until the calling thread has sent by its lane, and all of it is read. */
    public final LaneSender useLane(final Endpoint from, final Endpoint receiver)
    {
        earnLane(from, receiver);
        final LaneSender lane = lane(from, 0);
        Fixtures.pollUntil("use of the lane", Fixtures.NOTHING, () ->
        {
            from.offer(0, 1, message, 0, 40);
            return lane.sentSlots() > 0;
        }, receiver);
        drain(receiver);
        return lane;
    }

    public static void drain(final Endpoint receiver)
    {
        Fixtures.pollUntil("the rest", Fixtures.NOTHING, () -> receiver.backlogSlots() == 0, receiver);
    }

    public static void assertBalanced(final Endpoint receiver)
    {
        Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
        Fixtures.assertConserved(receiver);
        assertEquals(0, receiver.counters().refused(), "refused");
        assertEquals(0, receiver.counters().repairedCredits(), "repaired");
    }
}
