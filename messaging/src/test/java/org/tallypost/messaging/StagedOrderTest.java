// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.Watchdog;

/** Messages of one node that go by their bytes, by copies, by staging areas and by the mailbox keep the order of their sender. */
class StagedOrderTest extends StagedFixture
{
    private static final int MESSAGES = 120;
    private static final int[] LENGTHS = {4, 8, 2_048, 2_049, SendCopies.MIN_LENGTH - 1, SendCopies.MIN_LENGTH, 30_000,
        AREA - 1, AREA, AREA + 1, RING, SendCopies.MAX_LENGTH, SendCopies.MAX_LENGTH + 1, LONG};

    /** Two senders, in rounds by chance; one tag, and receives of any source in the order of their start. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 0})
    void shouldNotOvertake(final long number)
    {
        final long seed = number > 0 ? number : Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("StagedOrderTest: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        copyRoom = random.nextBoolean() ? 1 << 18 : 1 << 16;
        launchWith(3, random.nextBoolean() ? AREA << 1 : 1 << 21);
        final SendRequest[] sends = new SendRequest[MESSAGES];
        final ReceiveRequest[] receives = new ReceiveRequest[MESSAGES];
        final UnsafeBuffer[] rooms = new UnsafeBuffer[MESSAGES];
        final int[] lengths = new int[MESSAGES];
        int sent = 0;
        int posted = 0;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages in any turns");
        while (sent < MESSAGES || posted < MESSAGES)
        {
            final int what = random.nextInt(4);
            if (what == 0 && sent < MESSAGES)
            {
                lengths[sent] = LENGTHS[random.nextInt(LENGTHS.length)];
                final UnsafeBuffer bytes = bytes(lengths[sent], sent);
                bytes.putInt(0, sent);
                sends[sent] = send(random.nextInt(2) * 2, 1, TAG, bytes, lengths[sent]);
                sent++;
            }
            else if (what == 1 && posted < MESSAGES)
            {
                rooms[posted] = room(random.nextInt(8) == 0 ? 100 : LONG);
                receives[posted] = receive(1, ANY, TAG, rooms[posted]);
                posted++;
            }
            else
            {
                messengers[random.nextInt(3)].doWork();
            }
            watchdog.check();
        }
        await(sends);
        await(receives);
        final int[] last = {-1, -1, -1};
        for (int i = 0; i < MESSAGES; i++)
        {
            final int found = rooms[i].getInt(0);
            final int from = receives[i].source();
            assertTrue(found > last[from], "message " + found + " of rank " + from + " is behind " + last[from]);
            last[from] = found;
            assertEquals(lengths[found], receives[i].messageLength());
            assertEquals(lengths[found] > rooms[i].capacity() ? RequestResult.TRUNCATED : RequestResult.SUCCESS,
                receives[i].result());
            rooms[i].putInt(0, bytes(4, found).getInt(0));
            check(rooms[i], 0, Math.min(rooms[i].capacity(), lengths[found]), found);
        }
        assertEquals(0, messengers[1].counters().refused());
        assertTrue(staged() > 0 && messengers[0].counters().copied() > 0);
    }

    /** More senders than areas, all at once: what finds none takes the mailbox, and areas are used again afterwards. */
    @Test
    void shouldComeBackToAreasAfterManySenders()
    {
        final int ranks = 12;
        final int each = 2;
        final int length = 200_000;
        launchWith(ranks, AREA << 2);
        for (int round = 0; round < 3; round++)
        {
            final long before = staged();
            final Request[] all = new Request[2 * each * (ranks - 1)];
            final UnsafeBuffer[] rooms = new UnsafeBuffer[each * (ranks - 1)];
            for (int i = 0; i < rooms.length; i++)
            {
                final int from = i / each + (i / each > 0 ? 1 : 0);
                rooms[i] = room(length);
                all[2 * i] = receive(1, from, i, rooms[i]);
                all[2 * i + 1] = send(from, 1, i, bytes(length, i), length);
            }
            await(all);
            for (int i = 0; i < rooms.length; i++)
            {
                check(rooms[i], 0, length, i);
            }
            final long through = staged() - before;
            assertTrue(through > 0 && through < rooms.length, "some by areas, others by the mailbox: " + through);
            assertEquals(AREA << 2, memories[1].usedLength());
        }
        final long before = staged();
        for (int i = 1; i <= 5; i++)
        {
            exchange(length, i);
        }
        assertEquals(before + 5, staged());
        for (final Messenger messenger : messengers)
        {
            assertEquals(0, messenger.counters().refused());
        }
    }

    /** A message without bytes, one that its receive has no room for, and one that is probed and taken out first. */
    @Test
    void shouldReceiveNothingAPartAndWhatWasProbed()
    {
        launchWith(2, AREA);
        final UnsafeBuffer room = room(LONG);
        messengers[1].receive(receive, messengers[1].world(), ANY, TAG, room, 0, 0);
        await(send(0, 1, TAG, bytes(LONG, 1), LONG), receive);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        messengers[1].receive(receive, messengers[1].world(), ANY, TAG, room, 0, AREA);
        await(send(0, 1, TAG, bytes(LONG, 2), LONG), receive);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        check(room, 0, AREA, 2);
        assertEquals(0, room.getByte(AREA), "nothing beyond the room");
        assertEquals(1, staged(), "of the part that is received");
        final SendRequest probed = send(0, 1, TAG, bytes(LONG, 3), LONG);
        final SendRequest behind = send(0, 1, TAG, bytes(0, 4), 0);
        final MatchedMessage held = new MatchedMessage();
        drive("the message", () -> messengers[1].matchedProbe(messengers[1].world(), ANY, TAG, held));
        final ReceiveRequest empty = receive(1, 0, TAG, room(0));
        await(behind, empty);
        assertTrue(probed.isActive() && !messengers[0].cancel(probed), "it is matched");
        messengers[1].receive(receive, held, room, 0, LONG);
        assertTrue(!messengers[1].cancel(receive));
        await(probed, receive);
        check(room, 0, LONG, 3);
        assertEquals(2, staged());
    }
}
