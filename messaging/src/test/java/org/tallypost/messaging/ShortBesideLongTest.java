// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/** How much of a long message is copied in a round, or lies before a short one, while short ones come and while none do. */
class ShortBesideLongTest extends MessengerFixture
{
    private static final int TAG = 3;
    private static final int LENGTH = 8 << 20;
    /** 4,096 bytes. */
    private static final int SHORT_SLOTS = 64;

    private final RegionMemory[] memories = new RegionMemory[2];
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final SendRequest shortSend = new SendRequest();
    private final ReceiveRequest shortReceive = new ReceiveRequest();

    @Override
    void launch(final int ranks)
    {
        launch(Flow.DYNAMIC, ranks, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, 16, 16);
            context.regionMemory(memories[rank]);
        });
    }

    @Test
    void shouldCopyLittleInARoundWhileShortMessagesCome()
    {
        launch(2);
        final UnsafeBuffer from = memories[0].register(LENGTH, Region.READ).buffer();
        fill(from, 0, LENGTH, 1);
        final UnsafeBuffer to = room(LENGTH);
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, to, 0, LENGTH);
        messengers[0].send(send, messengers[0].world(), 1, TAG, from, 0, LENGTH);
        drive("the first part", () -> receive.received > 0);
        assertEquals(65_536, mostOfRounds(8));

        final UnsafeBuffer word = room(8);
        messengers[1].receive(shortReceive, messengers[1].world(), 0, TAG + 1, word, 0, 8);
        messengers[0].send(shortSend, messengers[0].world(), 1, TAG + 1, word, 0, 8);
        drive("the short message", shortReceive::isDone);
        assertTrue(receive.received < LENGTH, "the long message is to be under way");
        assertEquals(4_096, mostOfRounds(ShortParts.COUNT / 2));
        // none has come for a while
        mostOfRounds(ShortParts.COUNT / 2);
        assertEquals(65_536, mostOfRounds(8));
        await(send, receive);
        check(to, 0, LENGTH, 1);
    }

    /** One after the other, there and back: none of them waits for more than a short part. */
    @Test
    void shouldKeepPartsShortForRoundTrips()
    {
        launch(2);
        final UnsafeBuffer from = memories[0].register(LENGTH, Region.READ).buffer();
        final UnsafeBuffer to = room(LENGTH);
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, to, 0, LENGTH);
        messengers[0].send(send, messengers[0].world(), 1, TAG, from, 0, LENGTH);
        drive("the first part", () -> receive.received > 0);
        assertEquals(4_096, mostOfTrips(100));
        assertFalse(receive.isDone(), "the long message is to be under way");
        await(send, receive);
    }

    private int mostOfTrips(final int count)
    {
        final UnsafeBuffer word = room(8);
        final int[] seen = {receive.received, 0};
        for (int i = 0; i < 2 * count; i++)
        {
            final int dest = 1 - i % 2;
            messengers[dest].receive(shortReceive, messengers[dest].world(), 1 - dest, TAG + 1, word, 0, 8);
            messengers[1 - dest].send(shortSend, messengers[1 - dest].world(), dest, TAG + 1, word, 0, 8);
            drive("a short message", () ->
            {
                seen[1] = Math.max(seen[1], receive.received - seen[0]);
                seen[0] = receive.received;
                return shortSend.isDone() && shortReceive.isDone();
            });
        }
        return seen[1];
    }

    /** Bytes out of private memory that lie before a short message: counted in slots, as the receiver stands still. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldLeaveLittleUnreadWhileShortMessagesGo(final int shortSource)
    {
        launch(Flow.DYNAMIC, 2, 256, DEFAULTS);
        final UnsafeBuffer from = bytes(LENGTH, 1);
        final UnsafeBuffer to = room(LENGTH);
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, to, 0, LENGTH);
        messengers[0].send(send, messengers[0].world(), 1, TAG, from, 0, LENGTH);
        drive("the first part", () -> receive.received > 0);
        assertTrue(mostUnread(1, 4) > SHORT_SLOTS, "alone it takes all credits");

        final UnsafeBuffer word = room(8);
        for (int i = 0; i < 4; i++)
        {
            final int dest = 1 - shortSource;
            messengers[dest].receive(shortReceive, messengers[dest].world(), shortSource, TAG + 1, word, 0, 8);
            messengers[shortSource].send(shortSend, messengers[shortSource].world(), dest, TAG + 1, word, 0, 8);
            await(shortSend, shortReceive);
            final int before = receive.received;
            final long unread = mostUnread(ShortParts.COUNT / 2, 8);
            assertTrue(unread > 0 && unread <= SHORT_SLOTS, "found " + unread + " slots");
            assertTrue(receive.received > before, "the long one goes on");
        }
        assertFalse(receive.isDone(), "the long message is to be under way");
        mostUnread(2 * ShortParts.COUNT, 1);
        assertTrue(mostUnread(1, 4) > SHORT_SLOTS, "none has come for a while");
        await(send, receive);
        check(to, 0, LENGTH, 1);
    }

    /** Most slots that are unread after several rounds of the sender, before each round of the receiver. */
    private long mostUnread(final int rounds, final int senderRounds)
    {
        long most = 0;
        for (int i = 0; i < rounds; i++)
        {
            for (int j = 0; j < senderRounds; j++)
            {
                messengers[0].doWork();
                most = Math.max(most, endpoints[1].backlogSlots());
            }
            messengers[1].doWork();
        }
        return most;
    }

    private int mostOfRounds(final int rounds)
    {
        int most = 0;
        for (int i = 0; i < rounds; i++)
        {
            final int before = receive.received;
            messengers[1].doWork();
            most = Math.max(most, receive.received - before);
        }
        return most;
    }
}
