// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/** Messages that are read out of the memory of their sender's process, where that can be had. */
@Tag("once")
class MemoryMessagesTest extends MessengerFixture
{
    private static final int TAG = 3;

    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();

    private static UnsafeBuffer offHeap(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    private boolean isLaunched(final int ranks)
    {
        if (CrossMemory.whyNot() == null)
        {
            launch(Flow.DYNAMIC, ranks, 64, (context) -> context.crossMemory(true)
                .regionMemory(RegionMemory.open(node, context.endpoint())));
            return true;
        }
        launch(1);
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class,
            () -> new MessengerContext().endpoint(endpoints[0]).rankCount(1).crossMemory(true).conclude());
        assertTrue(ex.getMessage().contains(CrossMemory.whyNot()), ex.getMessage());
        return false;
    }

    @Test
    void shouldReadPrivateMemory()
    {
        if (!isLaunched(2))
        {
            return;
        }
        final LoanedMessage message = new LoanedMessage();
        int count = 0;
        for (final int length : new int[]{65_536, 600_000, 3_000_000})
        {
            final UnsafeBuffer from = offHeap(length + 100);
            fill(from, 100, length, length);
            final UnsafeBuffer to = offHeap(length + 100);
            messengers[1].receive(receive, messengers[1].world(), 0, TAG, to, 50, length);
            messengers[0].send(send, messengers[0].world(), 1, TAG, from, 100, length);
            await(send, receive);
            assertEquals(RequestResult.SUCCESS, receive.result());
            check(to, 50, length, length);
            messengers[0].send(send, messengers[0].world(), 1, TAG, from, 100, length);
            drive("unexpected", () -> messengers[1].counters().unexpected() > 0);
            messengers[1].receiveLoaned(receive, messengers[1].world(), 0, TAG, message);
            await(send, receive);
            check(message.buffer(), 0, length, length);
            message.release();
            count += 2;
        }
        assertEquals(count, messengers[0].counters().sentFromMemory());
        assertEquals(0, messengers[1].counters().placesRefused());
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, room(100_000), 0, 100_000);
        messengers[0].send(send, messengers[0].world(), 1, TAG, offHeap(100_000), 0, 100_000);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(1, messengers[1].counters().placesRefused(), "arrays move");
        messengers[0].send(send, messengers[0].world(), 1, TAG, offHeap(65_535), 0, 65_535);
        assertEquals(count + 1, messengers[0].counters().sentFromMemory(), "too short");
    }

    @Test
    void shouldAskForTheBytesIfTheirAddressIsForged()
    {
        if (!isLaunched(3))
        {
            return;
        }
        messengers[2].close();
        messengers[2] = null;
        final Endpoint forger = endpoints[2];
        final UnsafeBuffer secret = offHeap(8);
        secret.putLong(0, 5);
        final UnsafeBuffer head = room(HeadDescriptor.PLACED_LENGTH);
        head.putLong(HeadDescriptor.SESSION_OFFSET, 1);
        head.putLong(HeadDescriptor.VERSION_OFFSET, HeadDescriptor.VERSION);
        offer(forger, MessageKind.HELLO, head, HeadDescriptor.HELLO_LENGTH);
        int count = 0;
        for (final long address : new long[]{0, 8, -1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            for (final boolean isProven : new boolean[]{true, false})
            {
                head.setMemory(0, HeadDescriptor.PLACED_LENGTH, (byte)0);
                head.putInt(HeadDescriptor.TAG_OFFSET, TAG);
                head.putLong(HeadDescriptor.SEND_ID_OFFSET, 9);
                head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, 100_000);
                head.putLong(HeadDescriptor.PLACE_ADDRESS_OFFSET, address);
                head.putLong(HeadDescriptor.PROOF_ADDRESS_OFFSET, isProven ? secret.addressOffset() : address);
                head.putLong(HeadDescriptor.PROOF_OFFSET, 5);
                final ReceiveRequest forged = new ReceiveRequest();
                final UnsafeBuffer to = offHeap(100_200);
                messengers[0].receive(forged, messengers[0].world(), 2, TAG, to, 100, 100_000);
                offer(forger, MessageKind.RTS_MEMORY, head, HeadDescriptor.PLACED_LENGTH);
                count++;
                final int expected = count;
                drive("refused place", () -> messengers[0].counters().placesRefused() == expected);
                for (int i = 0; i < 100_200; i++)
                {
                    assertEquals(0, to.getByte(i));
                }
            }
        }
    }

    private void offer(final Endpoint forger, final int kind, final UnsafeBuffer head, final int length)
    {
        drive("forged message", () ->
        {
            forger.poll((source, tag, buffer, offset, count) ->
            {
            }, 10);
            return forger.offer(0, Channel.tag(0xF0 + kind, 0), head, 0, length) >= 0;
        });
    }

    /** Whether the kernel lets the child read or not, it gets the messages. */
    @Test
    void shouldSendToAnotherProcess()
    {
        if (CrossMemory.whyNot() != null)
        {
            return;
        }
        node = Node.launch(context(directory, Flow.DYNAMIC, EchoProcess.RANKS, EchoProcess.SLOTS));
        endpoints = new Endpoint[EchoProcess.RANKS];
        messengers = new Messenger[EchoProcess.RANKS];
        open(0, (context) -> context.crossMemory(true));
        final UnsafeBuffer from = offHeap(EchoProcess.MAX_LENGTH);
        final UnsafeBuffer to = offHeap(EchoProcess.MAX_LENGTH);
        try (ForkedJvm child = EchoProcess.start(directory))
        {
            for (int i = 1; i <= 200; i++)
            {
                fill(from, 0, EchoProcess.MAX_LENGTH, i);
                messengers[0].receive(receive, messengers[0].world(), 1, i, to, 0, EchoProcess.MAX_LENGTH);
                messengers[0].send(send, messengers[0].world(), 1, i, from, 0, EchoProcess.MAX_LENGTH);
                assertTrue(Requests.awaitAll(messengers[0], Watchdog.DEFAULT_LIMIT.toNanos(), send, receive));
                assertEquals(RequestResult.SUCCESS, receive.result());
                check(to, 0, EchoProcess.MAX_LENGTH, i);
            }
            assertTrue(child.isAlive());
        }
        assertEquals(200, messengers[0].counters().sentFromMemory());
    }
}
