// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.FrameHandler;
import org.tallypost.transportaeron.internal.wire.WireFixture;
import org.tallypost.transportaeron.internal.wire.WireFixture.Batches;

/** Batches of two streams, each in order and otherwise whenever they come: what is taken before what. */
class StreamOrderTest
{
    private static final int LENGTH = BatchAssembler.MIN_BATCH_LENGTH;
    private static final int STEPS = 200;
    /** Numbers of batches near which they begin: 32 bits of them are in a header. */
    private static final long[] ENDS = {0, 1L << 31, 1L << 32};
    private static final int NEAR = 40;
    private static final String LOW = "low ";
    private static final String HIGH = "high ";
    private static final String MEMBER = "member ";

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[700]);
    private final Batches lowBatches = new Batches();
    private final Batches highBatches = new Batches();
    private final BatchAssembler low = WireFixture.assembler(LENGTH, lowBatches);
    private final BatchAssembler high = WireFixture.assembler(LENGTH, highBatches);
    private final Drops drops = new Drops();
    private final BatchDecoder lowDecoder = WireFixture.decoder(LENGTH, drops);
    private final BatchDecoder highDecoder = WireFixture.decoder(LENGTH, drops);
    private final List<String> taken = new ArrayList<>();
    private final StreamOrder order = new StreamOrder(low, high, () -> true);
    private int emitted;

    StreamOrderTest()
    {
        lowDecoder.joinHigh(highDecoder);
        order.open(0);
    }

    /** Writes down what is taken. */
    private final FrameHandler frames = new FrameHandler()
    {
        private final FrameHandler ofHigh = (type, flags, source, dest, value, sourceEpoch, destEpoch, buffer, offset, length) ->
            taken.add(HIGH + value);

        @Override
        public FrameHandler high()
        {
            return ofHigh;
        }

        @Override
        public void onFrame(
            final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
            final int destEpoch, final DirectBuffer buffer, final int offset, final int length)
        {
            taken.add((type == FrameDescriptor.TYPE_MEMBER ? MEMBER : LOW) + value);
        }
    };

    private boolean append(final BatchAssembler way, final long priority, final int length)
    {
        final boolean isDone = way.append(
            priority | FrameDescriptor.header(FrameDescriptor.TYPE_DATA, FrameDescriptor.FLAGS_WHOLE, 0, 4, length),
            FrameDescriptor.word(emitted, 1, 1), bytes, 0, length);
        emitted += isDone ? 1 : 0;
        return isDone;
    }

    private boolean appendHigh(final int length)
    {
        return order.release() && append(order.way(), FrameDescriptor.HIGH, length);
    }

    private boolean appendMember()
    {
        if (!order.release() || !order.beginMember() ||
            !low.appendControl(FrameDescriptor.TYPE_MEMBER, FrameDescriptor.STATE_OPEN, 0, 0, emitted, 0, 0))
        {
            return false;
        }
        emitted++;
        order.endMember();
        return true;
    }

    /** Takes the next batch of a stream if it may be taken now. */
    private boolean take(final Batches from, final BatchDecoder decoder)
    {
        if (from.taken.isEmpty())
        {
            return false;
        }
        final byte[] batch = from.taken.get(0);
        final int before = taken.size();
        final int result = decoder.decode(new UnsafeBuffer(batch), 0, batch.length, frames);
        if (result == BatchDecoder.WAITING)
        {
            assertEquals(before, taken.size());
            return false;
        }
        assertTrue(result > 0, () -> result + ", " + drops);
        from.taken.remove(0);
        return true;
    }

    private boolean takeLow()
    {
        return take(lowBatches, lowDecoder);
    }

    private boolean takeHigh()
    {
        return take(highBatches, highDecoder);
    }

    private void split()
    {
        order.onReceived();
        assertTrue(order.split());
    }

    @Test
    void shouldTakeWhatIsHighBeforeBatchesThatLieThere()
    {
        split();
        for (int i = 0; i < 5; i++)
        {
            assertTrue(append(low, 0, 8));
            low.flush();
        }
        assertTrue(appendHigh(8));
        high.flush();
        assertTrue(takeHigh());
        assertEquals(List.of(HIGH + 5), taken);
        while (takeLow())
        {
        }
        assertEquals(6, taken.size());
    }

    @Test
    void shouldSendBothByOneStreamUntilTheOtherIsReceivedAndNotOvertakeThat()
    {
        assertSame(low, order.way());
        assertFalse(order.split());
        assertTrue(appendHigh(8));
        split();
        assertSame(high, order.way());
        assertEquals(1, lowBatches.taken.size(), "nothing of the old way is in hand");
        assertTrue(appendHigh(8));
        high.flush();
        assertFalse(takeHigh());
        assertTrue(takeLow());
        assertTrue(takeHigh());
        assertEquals(List.of(HIGH + 0, HIGH + 1), taken);
    }

    @Test
    void shouldNotChangeTheWayBehindABatchThatCannotLeave()
    {
        assertTrue(appendHigh(8));
        order.onReceived();
        lowBatches.isRefusing = true;
        assertFalse(order.split());
        assertSame(low, order.way());
        lowBatches.isRefusing = false;
        assertTrue(order.split());
    }

    @Test
    void shouldKeepRanksBehindWhatWasSentBeforeAndBeforeWhatIsSentAfter()
    {
        split();
        assertTrue(appendHigh(8));
        assertTrue(appendMember());
        assertTrue(appendHigh(8));
        high.flush();
        assertFalse(takeLow());
        assertTrue(takeHigh());
        assertFalse(takeHigh());
        assertTrue(takeLow());
        assertTrue(takeHigh());
        assertEquals(List.of(HIGH + 0, MEMBER + 1, HIGH + 2), taken);
    }

    @Test
    void shouldSendNothingHighWhileARankIsInHand()
    {
        split();
        lowBatches.isRefusing = true;
        assertTrue(appendMember());
        assertFalse(appendHigh(8));
        assertFalse(appendMember());
        lowBatches.isRefusing = false;
        assertTrue(appendHigh(8));
        high.flush();
        assertFalse(takeHigh());
        assertTrue(takeLow());
        assertTrue(takeHigh());
    }

    @Test
    void shouldRefuseWhatCannotBeOfTheStream()
    {
        split();
        low.appendControl(FrameDescriptor.TYPE_MEMBER, FrameDescriptor.STATE_OPEN, 0, 0, 1, 0, 0);
        low.flush();
        final byte[] batch = lowBatches.taken.get(0);
        assertEquals(BatchDecoder.BROKEN, highDecoder.decode(new UnsafeBuffer(batch), 0, batch.length, frames));
        assertEquals(1, drops.count(Drop.FRAME_TYPE), "ranks come and go by the first stream alone");
        final BatchDecoder alone = WireFixture.decoder(LENGTH, drops);
        high.follow(1);
        assertTrue(appendHigh(8));
        high.flush();
        final byte[] behind = highBatches.taken.get(0);
        assertEquals(BatchDecoder.BROKEN, alone.decode(new UnsafeBuffer(behind), 0, behind.length, frames));
        assertEquals(1, drops.count(Drop.COUNT), "there is no other stream");
        assertEquals(List.of(), taken);
    }

    @Test
    void shouldNotTakeWhatComesBehindACountThatCannotBe()
    {
        for (final long forged : new long[]{-1, Long.MIN_VALUE, 1, 1L << 31, 1L << 32, Long.MAX_VALUE})
        {
            high.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
            highDecoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
            high.follow(forged);
            append(high, FrameDescriptor.HIGH, 8);
            high.flush();
            final byte[] batch = highBatches.taken.remove(0);
            assertEquals(forged < 0 ? BatchDecoder.BROKEN : BatchDecoder.WAITING,
                highDecoder.decode(new UnsafeBuffer(batch), 0, batch.length, frames), () -> "" + forged);
        }
        assertEquals(List.of(), taken);
    }

    /** Whatever leaves, is refused, and comes when: all of it is taken, in an order that is right, also where numbers wrap. */
    @Property(tries = 2_000)
    void shouldTakeEverythingInAnOrderThatIsRight(@ForAll final long seed)
    {
        final StreamOrderTest test = new StreamOrderTest();
        final Random random = new Random(seed);
        final long end = ENDS[random.nextInt(ENDS.length)];
        begin(test.low, test.lowDecoder, end - random.nextInt(NEAR));
        begin(test.high, test.highDecoder, end - random.nextInt(NEAR));
        test.run(random);
    }

    private static void begin(final BatchAssembler assembler, final BatchDecoder decoder, final long first)
    {
        assembler.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, Math.max(0, first));
        decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, Math.max(0, first));
    }

    private void run(final Random random)
    {
        final int splitAt = random.nextInt(STEPS);
        for (int step = 0; step < STEPS; step++)
        {
            lowBatches.isRefusing = random.nextInt(4) == 0;
            highBatches.isRefusing = random.nextInt(4) == 0;
            if (step == splitAt)
            {
                order.onReceived();
            }
            order.split();
            emit(random);
            if (random.nextInt(3) == 0)
            {
                takeLow();
            }
            if (random.nextInt(3) == 0)
            {
                takeHigh();
            }
        }
        lowBatches.isRefusing = false;
        highBatches.isRefusing = false;
        order.release();
        high.flush();
        low.flush();
        while (takeLow() || takeHigh())
        {
        }
        assertEquals(emitted, taken.size(), "something waits for ever");
        assertOrdered(LOW);
        assertOrdered(HIGH);
        final List<String> others = new ArrayList<>(taken);
        others.removeIf((event) -> event.startsWith(LOW));
        assertAscending(others);
    }

    private void emit(final Random random)
    {
        switch (random.nextInt(8))
        {
            case 0:
                appendMember();
                break;
            case 1:
            case 2:
            case 3:
                appendHigh(random.nextInt(bytes.capacity()));
                break;
            case 4:
                high.flush();
                break;
            case 5:
                low.flush();
                break;
            default:
                append(low, 0, random.nextInt(bytes.capacity()));
                break;
        }
    }

    private void assertOrdered(final String kind)
    {
        final List<String> of = new ArrayList<>(taken);
        of.removeIf((event) -> !event.startsWith(kind));
        assertAscending(of);
    }

    private static void assertAscending(final List<String> events)
    {
        int last = -1;
        for (final String event : events)
        {
            final int number = Integer.parseInt(event.substring(event.indexOf(' ') + 1));
            assertTrue(number > last, () -> events.toString());
            last = number;
        }
    }
}
