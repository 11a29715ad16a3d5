// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.internal.matching.CellMemory;

/**
 * The promise: three ranks send and send, and the receiver asks for nothing. Its memory stays below the bound, the senders keep
 * what is beyond their windows, and when the receiver asks, it gets everything in order.
 */
@Tag("once")
class UnexpectedBoundTest extends MessengerFixture
{
    private static final int SENDERS = 3;
    private static final int WINDOW = 16_384;
    private static final int ANNOUNCEMENTS = 64;
    private static final int MESSAGES = Integer.getInteger("tallypost.unmatched", 100_000);
    /** Sends of a rank that are under way at a time. */
    private static final int REQUESTS = 1_000;
    private static final int CHUNK_BYTES = CellMemory.CHUNK_CELLS * CellMemory.CELL_LENGTH;

    /** A sender that has a message for each request that is free. */
    private final class Sender
    {
        final int rank;
        final List<SendRequest> requests = new ArrayList<>();
        final UnsafeBuffer[] messages = new UnsafeBuffer[REQUESTS];
        int sent;

        Sender(final int rank)
        {
            this.rank = rank;
            for (int i = 0; i < REQUESTS; i++)
            {
                requests.add(new SendRequest());
                messages[i] = room(3_000);
            }
        }

        int send(final int count)
        {
            int started = 0;
            while (sent < count && !requests.get(sent % REQUESTS).isActive())
            {
                final UnsafeBuffer message = messages[sent % REQUESTS];
                message.putInt(0, sent);
                messengers[rank].send(requests.get(sent % REQUESTS), messengers[rank].world(), 0, 1, message, 0,
                    length(sent));
                sent++;
                started++;
            }
            return started;
        }
    }

    private static int length(final int number)
    {
        return number % 50 == 0 ? 3_000 : 8 + number % 100;
    }

    /** A sender that is faster than its receiver fills the window again and again. */
    @Test
    void shouldNotAnnounceWhatTheReceiverTakesOutSoon()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.eagerWindow(WINDOW).announcements(ANNOUNCEMENTS));
        final UnsafeBuffer message = room(100);
        final UnsafeBuffer room = room(100);
        final SendRequest[] sends = new SendRequest[8];
        Arrays.setAll(sends, (i) -> new SendRequest());
        final ReceiveRequest receive = new ReceiveRequest();
        int waited = 0;
        int sent = 0;
        for (int i = 0; i < MESSAGES; i++)
        {
            while (!sends[sent % sends.length].isActive() && sent < MESSAGES)
            {
                final SendRequest send = sends[sent % sends.length];
                final boolean isDone = messengers[1].send(send, messengers[1].world(), 0, 1, message, 0, 100);
                waited += isDone ? 0 : 1;
                sent++;
            }
            messengers[0].receive(receive, messengers[0].world(), 1, 1, room, 0, 100);
            drive("message " + i, receive::isDone);
            assertEquals(100, receive.length());
        }
        assertTrue(waited > 0, "the window was never full");
        assertEquals(0, messengers[1].counters().sentAnnounced());
    }

    @Test
    void shouldBoundTheMemoryOfTheReceiver()
    {
        launch(Flow.DYNAMIC, SENDERS + 1, 64, (context) -> context.eagerWindow(WINDOW).announcements(ANNOUNCEMENTS));
        final List<Sender> senders = List.of(new Sender(1), new Sender(2), new Sender(3));
        final MessengerCounters counters = messengers[0].counters();
        final long bound = SENDERS * (WINDOW + 64L * ANNOUNCEMENTS);
        int idle = 0;
        while (idle < 1_000)
        {
            final int started = senders.stream().mapToInt((sender) -> sender.send(MESSAGES)).sum();
            idle = started + work() == 0 ? idle + 1 : 0;
            assertTrue(counters.unexpectedBytes() <= bound, () -> "bytes " + counters.unexpectedBytes());
        }
        System.out.println("UnexpectedBoundTest: bytes=" + counters.unexpectedBytes() + ", bound=" + bound + ", sent=" +
            senders.get(0).sent);
        assertTrue(counters.unexpectedBytes() > bound * 3 / 4, "the windows are used");
        assertEquals(0, counters.matchedLater());
        final int[] next = new int[SENDERS + 1];
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer room = room(3_000);
        for (int i = 0; i < SENDERS * MESSAGES; i++)
        {
            messengers[0].receive(receive, messengers[0].world(), ANY, 1, room, 0, 3_000);
            drive("message " + i, () ->
            {
                senders.forEach((sender) -> sender.send(MESSAGES));
                return receive.isDone();
            });
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(next[receive.source()]++, room.getInt(0), "order of rank " + receive.source());
            assertEquals(length(room.getInt(0)), receive.length());
            assertTrue(counters.unexpectedBytes() <= bound);
        }
        assertEquals(0, counters.unexpectedBytes());
        assertEquals(0, counters.refused());
        assertTrue(counters.allocatedBytes() <= bound + CHUNK_BYTES, () -> "allocated " + counters.allocatedBytes());
        assertTrue(counters.allocatedBytes() <= messengers[0].context().maxUnexpectedBytes());
    }
}
