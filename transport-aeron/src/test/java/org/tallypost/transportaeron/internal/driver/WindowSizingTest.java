// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.Configuration;
import io.aeron.protocol.DataHeaderFlyweight;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.transportaeron.NetworkMemory;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.FragmentCollector;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.WireFixture;
import org.tallypost.transportaeron.internal.wire.WireFixture.Batches;

/** Aeron never refuses what credits allow, or the node does not start. */
class WindowSizingTest
{
    private static final int AERON_HEADER = 32;

    private static int inLog(final int batchLength)
    {
        return (AERON_HEADER + batchLength + 31) / 32 * 32;
    }

    @Test
    void shouldCountWhatOneNodeMayHave()
    {
        assertEquals(62L * 16 * 16, WindowSizing.creditBound(Flow.STATIC, 64, 2, 32, 16, 16));
        assertEquals(62L * 32 * 16, WindowSizing.creditBound(Flow.DYNAMIC, 64, 2, 32, 16, 16));
        assertEquals(0, WindowSizing.creditBound(Flow.DYNAMIC, 64, 2, 32, 0, 32));
        assertEquals(0, WindowSizing.creditBound(Flow.STATIC, 64, 2, 32, 32, 0));
        final IllegalArgumentException ex = assertThrows(
            IllegalArgumentException.class, () -> WindowSizing.creditBound(Flow.NONE, 64, 2, 32, 16, 16));
        assertTrue(ex.getMessage().contains("NONE"), ex.getMessage());
    }

    @Test
    void shouldTellStreamsAndMemoryOfALargeGroup()
    {
        final NetworkMemory.Group group = new NetworkMemory.Group(Flow.DYNAMIC, 16, 2, 64, 16);
        final NetworkMemory nodes = NetworkMemory.ofNodes(group);
        assertEquals(63, nodes.streams());
        // 16 receivers x 14 slots x 1,024 ranks x 128 bytes are 28 MiB, with what else is under way: half a term
        assertEquals(64 << 20, nodes.termLength());
        assertEquals(2L * 63 * nodes.logLength(), nodes.bytes());
        assertTrue(nodes.logLength() >= 3L * nodes.termLength());
        final NetworkMemory ranks = NetworkMemory.ofRanks(group);
        assertEquals(16 * 1008, ranks.streams());
        assertEquals(4 << 20, ranks.termLength());
        final NetworkMemory.Group constant = new NetworkMemory.Group(Flow.STATIC, 16, 2, 64, 16);
        assertEquals(1 << 20, NetworkMemory.ofNodes(constant).termLength());
        assertEquals(64 << 10, NetworkMemory.ofRanks(constant).termLength());
    }

    @Test
    void shouldKnowTheLengthOfALoneSlot()
    {
        final Batches batches = new Batches();
        final BatchAssembler assembler = WireFixture.assembler(BatchAssembler.MIN_BATCH_LENGTH, batches);
        assembler.append(FrameDescriptor.TYPE_DATA, 3, 0, 4, 0, 0, 0, new UnsafeBuffer(new byte[48]), 0, 48);
        assembler.flush();
        assertEquals(WindowSizing.LONE_SLOT_LENGTH, inLog(batches.taken.get(0).length));
    }

    /** However packets are cut and batched, their slots never take more of the log than was reckoned with. */
    @Property(tries = 300)
    void shouldBoundWhatAnyMixtureTakes(@ForAll final long seed, @ForAll @IntRange(max = 7000) final int moreLength)
    {
        final Random random = new Random(seed);
        final Batches batches = new Batches();
        final BatchAssembler assembler = WireFixture.assembler(BatchAssembler.MIN_BATCH_LENGTH + moreLength, batches);
        final int flushEvery = 1 + random.nextInt(5);
        long slots = 0;
        for (int i = 0; i < 200; i++)
        {
            final boolean isNudge = random.nextInt(10) == 0;
            final int type = isNudge ? FrameDescriptor.TYPE_NUDGE : FrameDescriptor.TYPE_DATA;
            final int length = isNudge ? 0 : random.nextInt(random.nextBoolean() ? 49 : FrameDescriptor.MAX_LENGTH + 1);
            assertTrue(assembler.append(type, isNudge ? 0 : 3, 0, 4, 0, 0, 0,
                new UnsafeBuffer(new byte[length]), 0, length));
            slots += FrameDescriptor.slots(type, 1, length);
            if (random.nextInt(flushEvery) == 0)
            {
                assembler.flush();
            }
        }
        assembler.flush();
        final long taken = batches.taken.stream().mapToLong((batch) -> inLog(batch.length)).sum();
        assertTrue(taken <= WindowSizing.windowBound(slots, 0, 0), "taken=" + taken + ", slots=" + slots);
    }

    @Property
    void shouldChooseTheShortestTermsWhoseHalfHolds(@ForAll @LongRange(min = 1, max = 1L << 29) final long bound)
    {
        final int length = WindowSizing.termLength(0, bound, 0, 1);
        assertEquals(1, Integer.bitCount(length));
        assertTrue(length / 2 >= bound);
        assertTrue(length == 64 * 1024 || length / 4 < bound, "longer than needed: " + length);
        assertEquals(length, WindowSizing.termLength(length, bound, 0, 1));
    }

    @Test
    void shouldPutFourOfTheLongestRunsIntoADatagram()
    {
        final int length = BatchDescriptor.maxLength(AeronSettings.DEFAULT_MTU_LENGTH);
        final Batches batches = new Batches();
        final BatchAssembler assembler = WireFixture.assembler(length, batches);
        for (int i = 0; i < 5; i++)
        {
            assertEquals(0, batches.taken.size());
            assertTrue(assembler.append(FrameDescriptor.TYPE_DATA, 3, 0, 4, 0, 0, 0,
                new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]), 0, Endpoint.MAX_RUN_LENGTH));
        }
        assertEquals(1, batches.taken.size());
        // with the headers of IPv6 and UDP
        assertTrue(AeronSettings.DEFAULT_MTU_LENGTH + 48 <= 9000, "jumbo frames");
        assertEquals(0, AeronSettings.DEFAULT_MTU_LENGTH % 32);
    }

    /** A network of 1,500 bytes: the longest batch takes several datagrams, and pays for each of them as a whole. */
    @Property
    void shouldLeaveNoDatagramOfAFullBatchHalfEmpty(@ForAll @IntRange(min = 32, max = 2047) final int lines)
    {
        final int payloadLength = lines * 32 - DataHeaderFlyweight.HEADER_LENGTH;
        final int length = BatchDescriptor.maxLength(lines * 32);
        assertEquals(0, length % payloadLength);
        assertTrue(length >= BatchAssembler.MIN_BATCH_LENGTH, "the longest frame has room");
        assertTrue(length - payloadLength < BatchAssembler.MIN_BATCH_LENGTH, "no more datagrams than it needs");
        assertTrue(length == payloadLength || length <= FragmentCollector.MAX_LENGTH, "what is put together again");
        final Batches batches = new Batches();
        final BatchAssembler assembler = WireFixture.assembler(length, batches);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[48]);
        while (batches.taken.isEmpty())
        {
            assertTrue(assembler.append(FrameDescriptor.TYPE_DATA, 3, 0, 4, 0, 0, 0, message, 0, 48));
        }
        final int free = length - batches.taken.get(0).length;
        assertTrue(free < BatchAssembler.CONTROL_RESERVE_LENGTH + FrameDescriptor.frameLength(48), "free=" + free);
    }

    @Test
    void shouldSendNoDatagramThatAeronRefusesForShortTerms()
    {
        final AeronSettings settings = new AeronSettings(WireFixture.MAP, List.of("a:1", "b:2"), 0).mtuLength(65_504);
        final NodeContext small = new NodeContext().rankCount(WireFixture.RANKS).slotsPerSender(4).flow(Flow.STATIC);
        assertEquals(64 << 10, settings.termLength(small, 0, 1));
        assertEquals(8 << 10, settings.mtuLength(small, 0, 1));
        final NodeContext large = new NodeContext().rankCount(WireFixture.RANKS).slotsPerSender(1000).flow(Flow.STATIC);
        assertTrue(settings.termLength(large, 0, 1) >= 8 * 65_504);
        assertEquals(65_504, settings.mtuLength(large, 0, 1));
        assertEquals(65_504, settings.mtuLength(), "what is taken from others");
    }

    @Test
    void shouldNameTheKnobWhenTheWindowIsTooShort()
    {
        final long bound = WindowSizing.windowBound(WindowSizing.creditBound(Flow.DYNAMIC, 64, 2, 32, 16, 16), 16, 16);
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> WindowSizing.termLength(1 << 20, bound, 3, 5));
        assertTrue(ex.getMessage().contains("from node 3 to node 5"), ex.getMessage());
        assertTrue(ex.getMessage().contains("found termLength=1048576"), ex.getMessage());
        assertTrue(ex.getMessage().contains("at least termLength=8388608"), ex.getMessage());
        assertTrue(ex.getMessage().contains("raise termLength"), ex.getMessage());
        assertEquals(1 << 23, WindowSizing.termLength(0, bound, 3, 5));
        final IllegalArgumentException odd =
            assertThrows(IllegalArgumentException.class, () -> WindowSizing.termLength(3 << 20, bound, 3, 5));
        assertTrue(odd.getMessage().contains("no power of two"), odd.getMessage());
    }

    @Test
    void shouldSayWhenNoTermIsLongEnough()
    {
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> WindowSizing.termLength(0, (1L << 29) + 1, 0, 1));
        assertTrue(ex.getMessage().contains("lower slotsPerSender") && !ex.getMessage().contains("raise"), ex.getMessage());
    }

    @Test
    void shouldAskForASocketBufferThatHoldsABurst()
    {
        final int length = AeronSettings.socketReceiveBufferLength();
        assertTrue(length >= Configuration.SOCKET_RCVBUF_LENGTH_DEFAULT, "shorter than Aeron's own: " + length);
        assertTrue(length <= 1 << 21, "more than was asked for: " + length);
        System.setProperty(Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME, "3m");
        try
        {
            assertEquals(3 << 20, AeronSettings.socketReceiveBufferLength(), "the property asks for more");
        }
        finally
        {
            System.clearProperty(Configuration.SOCKET_RCVBUF_LENGTH_PROP_NAME);
        }
    }
}
