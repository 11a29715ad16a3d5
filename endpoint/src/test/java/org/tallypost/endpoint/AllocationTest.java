// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.node.Node;

/** After start, sending and polling allocate nothing. */
class AllocationTest
{
    private static final int MESSAGES = 100_000;
    private static final int WARM_UP = 50_000;
    /** What is done for the first time, as after a pause of the thread, allocates once. What messages allocate shows always. */
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 1_024;

    @TempDir
    private Path directory;

    private long bytes;
    private int shown;

    @ParameterizedTest
    @CsvSource({"NONE,DIRECT", "STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldAllocateNothing(final Flow flow, final CreditReturn creditReturn)
    {
        final MessageListener handler = this::onMessage;
        measure(flow, creditReturn, 0, (endpoint) -> endpoint.poll(handler, 10));
    }

    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT", "DYNAMIC,DIRECT", "DYNAMIC,PACKET"})
    void shouldAllocateNothingWithChannelsAndFragments(final Flow flow, final CreditReturn creditReturn)
    {
        final MessageListener handler = this::onMessage;
        measure(flow, creditReturn, 3, (endpoint) -> endpoint.poll(handler, 10));
    }

    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT", "DYNAMIC,DIRECT", "DYNAMIC,PACKET"})
    void shouldAllocateNothingInControlledPolls(final Flow flow, final CreditReturn creditReturn)
    {
        final ControlledMessageListener listener = this::onControlled;
        measure(flow, creditReturn, 0, (endpoint) -> endpoint.controlledPoll(listener, 10));
    }

    /** Every fifth message is left once. */
    private ControlledMessageListener.Action onControlled(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        shown++;
        if (shown % 5 == 0)
        {
            return ControlledMessageListener.Action.ABORT;
        }
        bytes += length;
        return ControlledMessageListener.Action.CONTINUE;
    }

    private void onFragment(
        final int source, final int number, final int tag, final int totalLength, final int position, final DirectBuffer buffer,
        final int offset, final int length)
    {
        bytes += length;
    }

    private void measure(
        final Flow flow, final CreditReturn creditReturn, final int channel, final ToIntFunction<Endpoint> poll)
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, 64)
            .piggyback(creditReturn == CreditReturn.PACKET)); Endpoint a = node.open(0); Endpoint b = node.open(1))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[3_000]);
            final MessageClaim claim = new MessageClaim();
            final LongSend send = a.newSend();
            if (channel > 0)
            {
                b.channel(channel, this::onMessage, this::onFragment);
                b.onFragments(this::onFragment);
                a.channel(channel, this::onMessage);
            }
            final int tags = Channel.tag(channel, 0);
            exchange(a, b, message, claim, send, poll, tags, WARM_UP);
            final long thread = Thread.currentThread().getId();
            long allocated = Long.MAX_VALUE;
            for (int round = 1; round <= MAX_ROUNDS && allocated >= MAX_BYTES; round++)
            {
                final long before = threads.getThreadAllocatedBytes(thread);
                exchange(a, b, message, claim, send, poll, tags, MESSAGES);
                allocated = threads.getThreadAllocatedBytes(thread) - before;
            }
            System.out.println("AllocationTest " + flow + " " + creditReturn + ": " + allocated + " bytes for " + MESSAGES +
                " messages there and back, delivered bytes " + bytes + ", slots sent by lanes " + byLanes(a, 1) + " and " +
                byLanes(b, 0));
            // offers, claims and long messages by turns on the way there; short ones alone on the way back
            assertTrue(creditReturn == CreditReturn.PACKET || byLanes(b, 0) > MESSAGES / 2, "by the lane: " + byLanes(b, 0));
            assertTrue(allocated < MAX_BYTES, "allocated " + allocated + " bytes in the last round");
        }
    }

    private static long byLanes(final Endpoint from, final int dest)
    {
        final Peer peer = local(from).outbox().peers()[dest];
        return peer.laneSlots + (peer.lane == null ? 0 : peer.lane.sentSlots());
    }

    private void onMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        bytes += length;
    }

    /** One of five ways each, from a to b, and an offer back, of one part or two. */
    private static void exchange(
        final Endpoint a, final Endpoint b, final UnsafeBuffer message, final MessageClaim claim, final LongSend send,
        final ToIntFunction<Endpoint> poll, final int tags, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            // every other one has the channel, if there is one
            final int tag = (i & 1) == 0 ? i : tags + i;
            boolean isSent = false;
            while (!isSent)
            {
                switch (i % 5)
                {
                    case 0:
                        isSent = a.offer(1, tag, message, 0, 100) >= 0;
                        break;
                    case 1:
                        isSent = a.tryClaim(1, tag, 100, claim) >= 0;
                        if (isSent)
                        {
                            claim.putBytes(message, 0);
                            claim.commit();
                        }
                        break;
                    case 2:
                        isSent = a.offer(1, tag, message, 0, 16, message, 100, i % 100) >= 0;
                        break;
                    case 3:
                        isSent = (send.isActive() ? send.progress() :
                            send.start(1, tag, message, 0, 16, message, 100, 2_500)) >= 0;
                        break;
                    default:
                        isSent = (send.isActive() ? send.progress() : send.start(1, tag, message, 0, 3_000)) >= 0;
                        break;
                }
                poll.applyAsInt(b);
                poll.applyAsInt(a);
            }
            if (i % 2 == 0)
            {
                b.offer(0, tag, message, 0, 50);
            }
            else
            {
                b.offer(0, tag, message, 0, 16, message, 100, 30);
            }
        }
    }
}
