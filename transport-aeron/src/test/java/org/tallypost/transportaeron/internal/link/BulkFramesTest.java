// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.transportaeron.internal.wire.BulkDescriptor;
import org.tallypost.transportaeron.internal.wire.BulkFrame;
import org.tallypost.transportaeron.internal.wire.Drop;

/** Both ends of a bulk stream, with frames that are lost, repeated, late, forged. */
class BulkFramesTest
{
    private static final int LENGTH = 8_192;
    private static final int OPERATIONS = 20_000;

    private final BulkSide asker = new BulkSide(0, 64);
    private final BulkSide owner = new BulkSide(1, LENGTH);
    private int epoch;

    private static long seed(final String test)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println(test + ": seed=" + seed);
        return seed;
    }

    private void link()
    {
        asker.close();
        owner.close();
        epoch += 2;
        asker.open(epoch, epoch + 1);
        owner.open(epoch + 1, epoch);
    }

    /** All arrives. */
    private void exchange()
    {
        asker.beginCycle();
        boolean isIdle = false;
        while (!isIdle)
        {
            isIdle = asker.left.isEmpty();
            while (!asker.left.isEmpty())
            {
                assertTrue(owner.read(asker.left.remove(0)), owner.drops::toString);
            }
            owner.beginCycle();
            isIdle &= owner.answers.send() == 0;
            while (!owner.left.isEmpty())
            {
                assertTrue(asker.read(owner.left.remove(0)), asker.drops::toString);
            }
        }
    }

    private long run(final BulkOperation operation)
    {
        asker.results.remove(operation.number);
        asker.beginCycle();
        while (!asker.egress.onOperation(operation))
        {
            exchange();
        }
        exchange();
        return asker.results.get(operation.number);
    }

    @Test
    void shouldDoEachKindOfOperation()
    {
        link();
        final byte[] bytes = new byte[5_000];
        Arrays.fill(bytes, (byte)7);
        assertEquals(0, run(asker.put(0, 100, bytes, 8)));
        assertEquals(7, owner.memory.getByte(BulkSide.MARGIN + 100));
        assertEquals(7, owner.memory.getByte(BulkSide.MARGIN + 5_099));
        assertEquals(0, owner.memory.getByte(BulkSide.MARGIN + 5_100));
        assertEquals(1, owner.memory.getLong(BulkSide.MARGIN + 8));
        assertEquals(0, run(asker.operation(BulkOperation.ADD, 1, 8, 5, 0)));
        assertEquals(1, asker.values.get(1L));
        assertEquals(0, run(asker.operation(BulkOperation.SET, 2, 8, 9, 0)));
        assertEquals(6, asker.values.get(2L));
        assertEquals(0, run(asker.operation(BulkOperation.COMPARE, 3, 8, 8, 1)));
        assertEquals(1, run(asker.operation(BulkOperation.COMPARE, 4, 8, 9, 1)));
        assertEquals(0, run(asker.operation(BulkOperation.LOAD, 5, 8, 0, 0)));
        assertEquals(1, asker.values.get(5L));
        assertEquals(0, run(asker.operation(BulkOperation.STORE, 6, 16, 77, 0)));
        assertEquals(77, owner.memory.getLong(BulkSide.MARGIN + 16));
        assertEquals(0, run(asker.operation(BulkOperation.LOOK_UP, 7, 0, 0, 0)));
        assertEquals(7L << 32 | LENGTH, asker.values.get(7L));
        final BulkOperation get = asker.operation(BulkOperation.GET, 8, 90, 0, 0);
        get.length = 5_020;
        asker.gets.put(8L, new byte[5_020]);
        assertEquals(0, run(get));
        final byte[] expected = new byte[5_020];
        System.arraycopy(bytes, 0, expected, 10, 5_000);
        assertArrayEquals(expected, asker.gets.get(8L));
        assertEquals(0, owner.drops.total() + asker.drops.total());
    }

    /** What was not done is not acknowledged, and the link goes on. */
    @Test
    void shouldFailWhatAFileThatWasCutOffDoesNotTake()
    {
        link();
        long number = 0;
        for (int round = 0; round < 3; round++)
        {
            owner.isCutOff = true;
            for (final int length : new int[]{1, 100, 5_000})
            {
                assertEquals(BulkResult.DAMAGED, run(asker.put(number++, 100, new byte[length], -1)));
                assertEquals(BulkResult.DAMAGED, run(asker.put(number++, 100, new byte[length], 8)));
                final BulkOperation get = asker.operation(BulkOperation.GET, number, 90, 0, 0);
                get.length = length;
                asker.gets.put(number++, new byte[length]);
                assertEquals(BulkResult.DAMAGED, run(get));
            }
            assertEquals(BulkResult.DAMAGED, run(asker.put(number++, 0, new byte[0], 8)), "the counter");
            assertEquals(BulkResult.DAMAGED, run(asker.operation(BulkOperation.ADD, number++, 8, 5, 0)));
            assertEquals(BulkResult.DAMAGED, run(asker.operation(BulkOperation.LOAD, number++, 8, 0, 0)));
            owner.isCutOff = false;
            assertEquals(0, run(asker.put(number++, 100, new byte[5_000], 8)));
            assertEquals(round + 1, owner.memory.getLong(BulkSide.MARGIN + 8));
        }
        assertEquals(0, owner.drops.total() + asker.drops.total());
        assertTrue(owner.answers.isQuiet());
    }

    /** A put of several frames that fails in the midst is refused as a whole, and what comes of it later writes nothing. */
    @Test
    void shouldFailAPutOfWhichAFileThatWasCutOffTookAPart()
    {
        link();
        final byte[] bytes = new byte[5_000];
        Arrays.fill(bytes, (byte)7);
        asker.beginCycle();
        assertTrue(asker.egress.onOperation(asker.put(0, 0, bytes, 8_000)));
        assertTrue(asker.left.size() > 2);
        assertTrue(owner.read(asker.left.remove(0)));
        owner.isCutOff = true;
        assertTrue(owner.read(asker.left.remove(0)));
        owner.isCutOff = false;
        exchange();
        assertEquals(BulkResult.DAMAGED, asker.results.get(0L));
        assertEquals(7, owner.memory.getByte(BulkSide.MARGIN));
        assertEquals(0, owner.memory.getByte(BulkSide.MARGIN + 4_999));
        assertEquals(0, owner.memory.getLong(BulkSide.MARGIN + 8_000));
    }

    @Test
    void shouldRefuseWhatTheRegionDoesNotGive()
    {
        link();
        final byte[] bytes = new byte[2_000];
        Arrays.fill(bytes, (byte)1);
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(asker.put(0, LENGTH - 1_000, bytes, -1)));
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(asker.put(1, Long.MAX_VALUE - 500, bytes, -1)));
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(asker.put(2, -500, bytes, -1)));
        assertEquals(BulkResult.MISALIGNED, run(asker.put(3, 0, bytes, 12)));
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(asker.put(4, 0, bytes, LENGTH)));
        assertEquals(BulkResult.MISALIGNED, run(asker.operation(BulkOperation.ADD, 5, 4, 1, 0)));
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(asker.operation(BulkOperation.ADD, 6, LENGTH, 1, 0)));
        final BulkOperation get = asker.operation(BulkOperation.GET, 7, 0, 0, 0);
        get.length = LENGTH + 1;
        assertEquals(BulkResult.OUT_OF_BOUNDS, run(get));
        owner.rights = 1;
        assertEquals(BulkResult.NO_RIGHT, run(asker.put(8, 0, bytes, -1)));
        assertEquals(BulkResult.NO_RIGHT, run(asker.operation(BulkOperation.SET, 9, 0, 1, 0)));
        owner.isClosed = true;
        assertEquals(BulkResult.STALE, run(asker.operation(BulkOperation.LOAD, 10, 0, 0, 0)));
        final BulkOperation forged = asker.operation(BulkOperation.LOAD, 11, 0, 0, 0);
        forged.owner = -1;
        assertEquals(BulkResult.UNKNOWN_KEY, run(forged));
        assertTrue(owner.isMarginClean());
    }

    @Test
    void shouldFailAGetWhoseRegionIsClosedBetweenTwoPieces()
    {
        link();
        final BulkOperation get = asker.operation(BulkOperation.GET, 0, 0, 0, 0);
        get.length = 4_000;
        asker.gets.put(0L, new byte[4_000]);
        asker.beginCycle();
        assertTrue(asker.egress.onOperation(get));
        assertTrue(owner.read(asker.left.remove(0)));
        owner.room = 2;
        owner.beginCycle();
        owner.answers.send();
        owner.isClosed = true;
        owner.room = Integer.MAX_VALUE;
        exchange();
        assertEquals(BulkResult.STALE, asker.results.get(0L));
    }

    @Test
    void shouldGoOnWithAQueueThatIsGoneInTheMidstOfAPut()
    {
        link();
        final BulkOperation left = asker.put(0, 0, new byte[BulkDescriptor.HEADER_LENGTH + 20_000 - 13_000], 0);
        asker.room = 2;
        asker.beginCycle();
        assertFalse(asker.egress.onOperation(left));
        final BulkOperation other = asker.operation(BulkOperation.ADD, 1, 8, 1, 0);
        other.queue = 2;
        asker.room = Integer.MAX_VALUE;
        asker.beginCycle();
        assertFalse(asker.egress.onOperation(other), "between the frames of another operation");
        asker.egress.onQueueGone(1);
        assertTrue(asker.egress.onOperation(other));
        exchange();
        assertEquals(0, asker.results.get(1L));
        assertEquals(1, owner.memory.getLong(BulkSide.MARGIN + 8));
        assertEquals(0, owner.memory.getLong(BulkSide.MARGIN), "its counter was increased without its last bytes");
        assertTrue(asker.egress.isQuiet());
    }

    @Test
    void shouldBoundWhatIsUnderWay()
    {
        link();
        long number = 0;
        asker.beginCycle();
        while (asker.egress.onOperation(asker.operation(BulkOperation.ADD, number, 0, 1, 0)))
        {
            number++;
            asker.beginCycle();
        }
        assertEquals(BulkOperations.MAX_OPERATIONS, number);
        exchange();
        assertEquals(number, owner.memory.getLong(BulkSide.MARGIN));
        assertEquals(number, asker.results.size());
        // one that asks for more without an answer is not served
        link();
        final BulkFrame frame = new BulkFrame();
        boolean isUp = true;
        int count = 0;
        while (isUp)
        {
            frame.answer(BulkOperation.LOAD, count++);
            frame.isLast = true;
            frame.owner = 1L << 32 | 5;
            frame.entry = BulkSide.ENTRY;
            asker.encoder.write(frame);
            isUp = owner.read(asker.left.remove(0));
        }
        assertEquals(BulkOperations.MAX_OPERATIONS + 1, count);
        assertEquals(1, owner.drops.count(Drop.COUNT));
    }

    @Test
    void shouldTakeNoAnswerThatCannotBe()
    {
        final BulkFrame frame = new BulkFrame();
        for (int type = BulkDescriptor.TYPE_ACK; type <= BulkDescriptor.TYPE_PIECE; type++)
        {
            for (final long number : new long[]{-1, 2, Long.MAX_VALUE, Long.MIN_VALUE})
            {
                link();
                asker.beginCycle();
                assertTrue(asker.egress.onOperation(asker.operation(BulkOperation.LOAD, epoch, 0, 0, 0)));
                frame.answer(type, number);
                assertFalse(asker.egress.onAnswer(frame), "type=" + type + ", number=" + number);
                link();
                assertEquals(BulkResult.LINK_DOWN, asker.results.get((long)epoch - 2));
            }
        }
        link();
        assertFalse(asker.egress.onAnswer(withBytes(1)), "more bytes than were sent");
        assertFalse(asker.egress.onAnswer(withBytes(-1)));
        link();
        asker.beginCycle();
        final BulkOperation get = asker.operation(BulkOperation.GET, 1_000, 0, 0, 0);
        get.length = 10;
        asker.gets.put(1_000L, new byte[10]);
        assertTrue(asker.egress.onOperation(get));
        for (final long at : new long[]{-1, 1, 10, Long.MAX_VALUE})
        {
            piece(frame, at, 5);
            assertTrue(asker.egress.onAnswer(frame));
        }
        piece(frame, 0, 11);
        assertTrue(asker.egress.onAnswer(frame));
        assertTrue(asker.egress.onAnswer(frame.answer(BulkDescriptor.TYPE_ACK, 1)));
        assertEquals(BulkResult.DAMAGED, asker.results.get(1_000L));
        assertArrayEquals(new byte[10], asker.gets.get(1_000L));
        asker.beginCycle();
        assertTrue(asker.egress.onOperation(asker.operation(BulkOperation.LOAD, 1_001, 0, 0, 0)));
        frame.answer(BulkDescriptor.TYPE_FAIL, 1).first = 5;
        assertTrue(asker.egress.onAnswer(frame));
        assertTrue(asker.egress.onAnswer(frame.answer(BulkDescriptor.TYPE_ACK, 2)));
        assertEquals(BulkResult.DAMAGED, asker.results.get(1_001L), "a failure that is none");
    }

    private static BulkFrame withBytes(final long bytes)
    {
        final BulkFrame frame = new BulkFrame().answer(BulkDescriptor.TYPE_ACK, 0);
        frame.at = bytes;
        return frame;
    }

    private static void piece(final BulkFrame frame, final long at, final int length)
    {
        frame.answer(BulkDescriptor.TYPE_PIECE, 0).at = at;
        frame.length = length;
        final byte[] ones = new byte[20];
        Arrays.fill(ones, (byte)1);
        frame.bytes = new UnsafeBuffer(ones);
        frame.offset = 0;
    }

    /** Whatever bytes come, nothing outside of the region changes, and no call throws. */
    @Test
    void shouldTouchNothingOutsideForForgedFrames()
    {
        final Random random = new Random(seed("shouldTouchNothingOutsideForForgedFrames"));
        final BulkFrame frame = new BulkFrame();
        final long[] edges = {0, 1, 7, 8, -1, LENGTH, LENGTH - 8, LENGTH - 1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 1L << 31};
        link();
        long next = 0;
        for (int i = 0; i < 100_000; i++)
        {
            frame.type = random.nextInt(22);
            frame.isLast = random.nextInt(3) > 0;
            frame.number = random.nextInt(50) == 0 ? random.nextLong() : next;
            frame.owner = random.nextInt(10) == 0 ? random.nextLong() : 1L << 32 | 5;
            frame.entry = random.nextInt(10) == 0 ? random.nextLong() : BulkSide.ENTRY;
            frame.at = edges[random.nextInt(edges.length)];
            frame.first = edges[random.nextInt(edges.length)];
            frame.second = random.nextLong();
            frame.length = random.nextInt(900);
            frame.bytes = new UnsafeBuffer(new byte[900]);
            frame.offset = 0;
            asker.encoder.write(frame);
            final byte[] message = asker.left.remove(0);
            if (random.nextInt(4) == 0)
            {
                message[24 + random.nextInt(message.length - 24)] ^= (byte)(1 << random.nextInt(8));
            }
            next++;
            if (!owner.read(random.nextInt(20) == 0 ? Arrays.copyOf(message, random.nextInt(message.length)) : message))
            {
                link();
                next = 0;
            }
            owner.beginCycle();
            owner.answers.send();
            owner.left.clear();
        }
        assertTrue(owner.isMarginClean());
        assertTrue(owner.drops.total() > 100, owner.drops::toString);
    }

    /** A frame that is lost or out of turn ends the link; every operation ends once, and what was acknowledged was done once. */
    @Test
    void shouldCountRightWithLossDuplicatesAndReordering()
    {
        final Random random = new Random(seed("shouldCountRightWithLossDuplicatesAndReordering"));
        final Deque<byte[]> there = new ArrayDeque<>();
        final Deque<byte[]> back = new ArrayDeque<>();
        link();
        long number = 0;
        int links = 0;
        BulkOperation current = null;
        while (number < OPERATIONS || current != null || !asker.egress.isQuiet())
        {
            asker.beginCycle();
            asker.room = random.nextInt(6);
            owner.room = random.nextInt(6);
            boolean isTaken = true;
            while (isTaken && (current != null || number < OPERATIONS))
            {
                current = current == null ? random(random, number++) : current;
                isTaken = asker.egress.onOperation(current);
                current = isTaken ? null : current;
            }
            owner.beginCycle();
            owner.answers.send();
            carry(random, asker, there);
            carry(random, owner, back);
            boolean isUp = true;
            while (isUp && !there.isEmpty() && random.nextInt(8) > 0)
            {
                isUp = owner.read(there.poll());
            }
            while (isUp && !back.isEmpty() && random.nextInt(8) > 0)
            {
                isUp = asker.read(back.poll());
            }
            // a frame that is lost and followed by none is found by other means: silence
            if (!isUp || there.isEmpty() && back.isEmpty() && random.nextInt(500) == 0)
            {
                // frames of the former link are still under way
                links++;
                link();
            }
        }
        final long done = asker.results.entrySet().stream()
            .filter((each) -> each.getValue() == 0 && each.getKey() % 2 == 0).count();
        final long lost = asker.results.entrySet().stream()
            .filter((each) -> each.getValue() == BulkResult.LINK_DOWN && each.getKey() % 2 == 0).count();
        final long counted = owner.memory.getLong(BulkSide.MARGIN);
        assertEquals(OPERATIONS, asker.results.size());
        assertTrue(done <= counted && counted <= done + lost, "done=" + done + ", lost=" + lost + ", counted=" + counted);
        assertTrue(links > 10, "links=" + links);
        assertTrue(owner.isMarginClean());
        assertFalse(asker.results.containsValue(Endpoint.PEER_GONE));
    }

    /** Even ones add 1 to the first word, by an atomic operation or behind a put. */
    private BulkOperation random(final Random random, final long number)
    {
        final int length = random.nextInt(3) == 0 ? random.nextInt(3_000) : random.nextInt(60);
        if (number % 2 == 0)
        {
            return random.nextBoolean() ? asker.operation(BulkOperation.ADD, number, 0, 1, 0) :
                asker.put(number, 8, new byte[length], 0);
        }
        final BulkOperation get = asker.operation(BulkOperation.GET, number, 0, 0, 0);
        get.length = length;
        asker.gets.put(number, new byte[length]);
        return get;
    }

    private static void carry(final Random random, final BulkSide from, final Deque<byte[]> to)
    {
        for (final byte[] message : from.left)
        {
            final int fate = random.nextInt(600);
            if (fate == 0)
            {
                continue;
            }
            if (fate == 1 && !to.isEmpty())
            {
                final byte[] last = to.pollLast();
                to.add(message);
                to.add(last);
                continue;
            }
            to.add(message);
            if (fate < 10)
            {
                to.add(message);
            }
        }
        from.left.clear();
    }
}
