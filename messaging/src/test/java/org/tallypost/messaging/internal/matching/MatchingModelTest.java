// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The bins against what they stand for: one list of receives and one of messages, each searched from its beginning. */
class MatchingModelTest
{
    private static final int CAPACITY = 256;
    private static final int STEPS = Integer.getInteger("tallypost.matching.steps", 1_000_000);

    /** A receive or a message. */
    private static final class Item
    {
        final int number;
        final int context;
        final int source;
        final int tag;
        final int length;

        Item(final int number, final int context, final int source, final int tag, final int length)
        {
            this.number = number;
            this.context = context;
            this.source = source;
            this.tag = tag;
            this.length = length;
        }

        boolean takes(final Item message)
        {
            return context == message.context && (source == Bins.ANY || source == message.source) &&
                (tag == Bins.ANY || tag == message.tag);
        }
    }

    private final CellMemory cells = new CellMemory(1L << 20);
    private final PostedReceives posted = new PostedReceives(16);
    private final UnexpectedMessages unexpected = new UnexpectedMessages(cells);
    private final List<Item> receives = new ArrayList<>();
    private final List<Item> messages = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer loaded = new UnsafeBuffer(new byte[512]);

    private static Item first(final List<Item> list, final Item with, final boolean isReceives)
    {
        for (final Iterator<Item> items = list.iterator(); items.hasNext();)
        {
            final Item item = items.next();
            if (isReceives ? item.takes(with) : with.takes(item))
            {
                items.remove();
                return item;
            }
        }
        return null;
    }

    private void arrive(final Item message)
    {
        final Item expected = first(receives, message, true);
        final int found = posted.match(message.context, message.source, message.tag);
        assertEquals(expected == null ? PostedReceives.NONE : expected.number, found);
        if (found != PostedReceives.NONE)
        {
            free.add(found);
            return;
        }
        for (int i = 0; i < message.length; i++)
        {
            bytes.putByte(i, (byte)(message.number * 31 + i));
        }
        // every third one is announced
        final int entry = message.number % 3 == 0 ?
            unexpected.announce(message.context, message.source, message.tag, message.number + 1L, message.length) :
            unexpected.add(message.context, message.source, message.tag, message.number + 1L, bytes, 0, message.length);
        assertTrue(entry >= 0);
        messages.add(message);
    }

    private void receive(final Item receive)
    {
        final Item expected = first(messages, receive, false);
        final int entry = unexpected.find(receive.context, receive.source, receive.tag);
        assertEquals(expected == null, entry == UnexpectedMessages.NONE);
        if (expected == null)
        {
            posted.grow(receive.number + 1);
            posted.post(receive.number, receive.context, receive.source, receive.tag);
            receives.add(receive);
            return;
        }
        free.add(receive.number);
        check(expected, entry);
        unexpected.unlink(entry);
        unexpected.release(entry);
    }

    private void check(final Item expected, final int entry)
    {
        assertEquals(expected.number + 1L, unexpected.id(entry));
        assertEquals(expected.source, unexpected.source(entry));
        assertEquals(expected.tag, unexpected.tag(entry));
        assertEquals(expected.length, unexpected.length(entry));
        assertEquals(expected.number % 3 == 0, unexpected.isAnnounced(entry));
        if (expected.number % 3 != 0)
        {
            unexpected.load(entry, loaded, 0, expected.length);
            for (int i = 0; i < expected.length; i++)
            {
                assertEquals((byte)(expected.number * 31 + i), loaded.getByte(i));
            }
        }
    }

    private void run(final long seed, final int steps, final int tags)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < CAPACITY; i++)
        {
            free.add(i);
        }
        for (int step = 0; step < steps; step++)
        {
            final int context = random.nextInt(3);
            final int source = random.nextInt(5);
            final int tag = random.nextInt(tags);
            switch (random.nextInt(8))
            {
                case 0:
                    if (!receives.isEmpty())
                    {
                        final Item cancelled = receives.remove(random.nextInt(receives.size()));
                        posted.remove(cancelled.number);
                        free.add(cancelled.number);
                    }
                    break;
                case 1:
                case 2:
                case 3:
                    if (!free.isEmpty())
                    {
                        receive(new Item(free.remove(free.size() - 1), context,
                            random.nextInt(4) == 0 ? Bins.ANY : source, random.nextInt(4) == 0 ? Bins.ANY : tag, 0));
                    }
                    break;
                case 4:
                    cancelMessage(random);
                    break;
                default:
                    if (messages.size() < CAPACITY)
                    {
                        arrive(new Item(step, context, source, tag, random.nextInt(200)));
                    }
                    break;
            }
            assertEquals(receives.size(), posted.size());
            assertEquals(messages.size(), unexpected.size());
        }
        drain();
    }

    private void cancelMessage(final Random random)
    {
        if (messages.isEmpty() || random.nextInt(4) != 0)
        {
            return;
        }
        final Item message = messages.remove(random.nextInt(messages.size()));
        int entry = unexpected.find(message.context, message.source, message.tag);
        while (unexpected.id(entry) != message.number + 1L)
        {
            entry = unexpected.findNext(entry, message.context, message.source, message.tag);
        }
        unexpected.unlink(entry);
        unexpected.release(entry);
    }

    private void drain()
    {
        while (!messages.isEmpty())
        {
            final int context = messages.get(0).context;
            free.add(CAPACITY);
            receive(new Item(CAPACITY, context, Bins.ANY, Bins.ANY, 0));
        }
        assertEquals(0, cells.used(), "cells");
    }

    @Test
    void shouldMatchAsAList()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MatchingModelTest: seed=" + seed);
        run(seed, STEPS, 8);
    }

    @Property(tries = 200)
    void shouldMatchAsAListWhateverTheTags(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 3_000) final int tags)
    {
        new MatchingModelTest().run(seed, 2_000, tags);
    }

    @Test
    void shouldTakeAsMuchMemoryAsMessagesCost()
    {
        for (int length = 0; length <= 400; length++)
        {
            final int entry = unexpected.add(1, 2, 3, 0, bytes, 0, length);
            assertEquals(UnexpectedMessages.cost(length), cells.used() * CellMemory.CELL_LENGTH);
            unexpected.unlink(entry);
            unexpected.release(entry);
            assertEquals(0, cells.used());
        }
        assertEquals(CellMemory.CHUNK_CELLS * CellMemory.CELL_LENGTH, cells.allocatedBytes());
    }

    @Test
    void shouldRefuseWhatItHasNoRoomFor()
    {
        final UnexpectedMessages few = new UnexpectedMessages(new CellMemory(4));
        assertEquals(UnexpectedMessages.NONE, few.add(1, 1, 1, 0, bytes, 0, 400));
        assertTrue(few.announce(1, 1, 1, 1, 400) >= 0);
        assertTrue(few.add(1, 1, 1, 0, bytes, 0, 100) >= 0);
        assertFalse(few.announce(1, 1, 1, 1, 1) >= 0);
        assertEquals(2, few.size());
    }
}
