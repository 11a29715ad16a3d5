// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;

/**
 * Random messages of all lengths and modes between three ranks, and to the own one, with small windows: each receive gets the
 * first of the messages of a source that fit it, whether they are short or long, with all of its bytes.
 */
@Tag("once")
class MessageOrderTest extends MessengerFixture
{
    private static final int RANKS = 3;
    private static final int TAGS = 3;
    private static final int MAX_LENGTH = 6_000;
    private static final int MESSAGES = Integer.getInteger("tallypost.messages", 20_000);

    /** A receive and its buffer. */
    private static final class Slot
    {
        final ReceiveRequest request = new ReceiveRequest();
        final UnsafeBuffer room = room(MAX_LENGTH);
    }

    /** By sender, receiver and tag: numbers of the messages that no receive has got. */
    private final Deque<Integer>[][][] expected = queues();
    private final List<SendRequest> freeSends = new ArrayList<>();
    private final List<SendRequest> sends = new ArrayList<>();
    private final List<Slot> freeSlots = new ArrayList<>();
    private final List<List<Slot>> slots = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Deque<Integer>[][][] queues()
    {
        final Deque<Integer>[][][] all = new Deque[RANKS][RANKS][TAGS];
        for (final Deque<Integer>[][] ofSender : all)
        {
            for (final Deque<Integer>[] ofPair : ofSender)
            {
                for (int tag = 0; tag < TAGS; tag++)
                {
                    ofPair[tag] = new ArrayDeque<>();
                }
            }
        }
        return all;
    }

    private static int length(final Random random)
    {
        switch (random.nextInt(4))
        {
            case 0:
                return 8;
            case 1:
                return 8 + random.nextInt(60);
            case 2:
                return 8 + random.nextInt(2_040);
            default:
                return 8 + random.nextInt(MAX_LENGTH - 8);
        }
    }

    private void send(final Random random, final int number)
    {
        final int from = random.nextInt(RANKS);
        final int to = random.nextInt(RANKS);
        final int tag = random.nextInt(TAGS);
        final int length = length(random);
        final UnsafeBuffer message = bytes(length, number);
        message.putInt(0, number);
        message.putInt(4, length);
        expected[from][to][tag].add(number);
        final SendRequest request = freeSends.isEmpty() ? new SendRequest() : freeSends.remove(freeSends.size() - 1);
        request.prepare(SendMode.values()[random.nextInt(2)], messengers[from].world(), to, tag, message, 0, length);
        messengers[from].start(request);
        sends.add(request);
    }

    private void receive(final Random random)
    {
        final int at = random.nextInt(RANKS);
        final Slot slot = freeSlots.isEmpty() ? new Slot() : freeSlots.remove(freeSlots.size() - 1);
        messengers[at].receive(slot.request, messengers[at].world(), random.nextInt(3) == 0 ? ANY : random.nextInt(RANKS),
            random.nextInt(3) == 0 ? Communicator.ANY_TAG : random.nextInt(TAGS), slot.room, 0, MAX_LENGTH);
        slots.get(at).add(slot);
    }

    /** In the order of matching, which for receives of one pattern is that of posting. */
    private int check()
    {
        int count = 0;
        for (int at = 0; at < RANKS; at++)
        {
            for (int i = 0; i < slots.get(at).size(); i++)
            {
                final Slot slot = slots.get(at).get(i);
                if (slot.request.isDone())
                {
                    slots.get(at).remove(i--);
                    count += check(at, slot);
                    freeSlots.add(slot);
                }
            }
        }
        sends.removeIf((request) ->
        {
            if (request.isDone())
            {
                assertEquals(RequestResult.SUCCESS, request.result());
                freeSends.add(request);
            }
            return request.isDone();
        });
        return count;
    }

    private int check(final int at, final Slot slot)
    {
        if (slot.request.result() == RequestResult.CANCELLED)
        {
            return 0;
        }
        assertEquals(RequestResult.SUCCESS, slot.request.result());
        final int number = slot.room.getInt(0);
        final int length = slot.room.getInt(4);
        assertEquals(length, slot.request.length());
        slot.room.putLong(0, bytes(8, number).getLong(0));
        check(slot.room, 0, length, number);
        final Deque<Integer> queue = expected[slot.request.source()][at][slot.request.tag()];
        assertTrue(queue.remove(number), "message " + number + " is new");
        return 1;
    }

    /** Receives of one pattern only, one at a time, get the messages in the order of sending. */
    private void drain(final int[] received)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "the rest: received=" + received[0]);
        for (int at = 0; at < RANKS; at++)
        {
            for (final Slot slot : slots.get(at))
            {
                messengers[at].cancel(slot.request);
            }
        }
        while (slots.stream().anyMatch((list) -> !list.isEmpty()))
        {
            work();
            received[0] += check();
            watchdog.check();
        }
        for (int from = 0; from < RANKS; from++)
        {
            for (int to = 0; to < RANKS; to++)
            {
                drain(from, to, received);
            }
        }
    }

    /** With any tag: a sender that has used up its announcements sends on only when one of those is matched. */
    private void drain(final int from, final int to, final int[] received)
    {
        final Slot slot = new Slot();
        for (int first = first(from, to); first < Integer.MAX_VALUE; first = first(from, to))
        {
            messengers[to].receive(slot.request, messengers[to].world(), from, Communicator.ANY_TAG, slot.room, 0, MAX_LENGTH);
            await(slot.request);
            assertEquals(first, slot.room.getInt(0), "the first one that was sent");
            received[0] += check(to, slot);
        }
    }

    private int first(final int from, final int to)
    {
        int first = Integer.MAX_VALUE;
        for (final Deque<Integer> queue : expected[from][to])
        {
            first = queue.isEmpty() ? first : Math.min(first, queue.peek());
        }
        return first;
    }

    @ParameterizedTest
    @CsvSource({"STATIC,32,4096,16", "DYNAMIC,64,65536,1024", "DYNAMIC,16,8192,32"})
    void shouldMatchInTheOrderOfSending(final Flow flow, final int slotCount, final int window, final int announcements)
    {
        launch(flow, RANKS, slotCount, (context) -> context.eagerWindow(window).announcements(announcements));
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MessageOrderTest: seed=" + seed);
        final Random random = new Random(seed);
        final int[] received = new int[1];
        int sent = 0;
        while (sent < MESSAGES)
        {
            switch (random.nextInt(4))
            {
                case 0:
                    if (sends.size() < 100)
                    {
                        send(random, sent++);
                    }
                    break;
                case 1:
                    if (slots.stream().mapToInt(List::size).sum() < 40)
                    {
                        receive(random);
                    }
                    break;
                case 2:
                    received[0] += check();
                    break;
                default:
                    work();
                    break;
            }
            // what nobody asks for must not stop the test
            if (random.nextInt(200) == 0)
            {
                cancelOne(random);
                openOne(random);
            }
        }
        drain(received);
        assertEquals(sent, received[0]);
        await(sends.toArray(new Request[0]));
        for (final Messenger messenger : messengers)
        {
            assertEquals(0, messenger.counters().refused(), "refused");
            assertEquals(0, messenger.counters().unexpectedBytes(), "unexpected bytes");
        }
    }

    private void cancelOne(final Random random)
    {
        final int at = random.nextInt(RANKS);
        if (!slots.get(at).isEmpty())
        {
            messengers[at].cancel(slots.get(at).get(random.nextInt(slots.get(at).size())).request);
        }
    }

    private void openOne(final Random random)
    {
        for (int i = 0; i < 20; i++)
        {
            final int at = random.nextInt(RANKS);
            final Slot slot = new Slot();
            messengers[at].receive(slot.request, messengers[at].world(), ANY, Communicator.ANY_TAG, slot.room, 0, MAX_LENGTH);
            slots.get(at).add(slot);
        }
    }
}
