// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.WireFixture;
import org.tallypost.transportaeron.internal.wire.WireFixture.Batches;
import org.tallypost.transportaeron.internal.wire.WireFixture.Recorder;

/** Which counts are told at once and which wait for company; for which packets room is claimed together. */
class LinkPairsTest
{
    private static final int LOCAL = WireFixture.FIRST_RANK;
    private static final int PEER = 1;
    private static final int EPOCH = 1;
    private static final int CREDITS = 20;
    private static final long COMPANY_NS = 200_000;
    private static final int LENGTH = 8192;

    private final List<String> calls = new ArrayList<>();
    private final NodeContext context = new NodeContext().slotsPerSender(64);
    private final Drops drops = new Drops();
    private final Batches batches = new Batches();
    private final BatchAssembler assembler = new BatchAssembler(
        WireFixture.RECEIVING_NODE, WireFixture.SENDING_NODE, WireFixture.GROUP_HASH, LENGTH, batches);
    private final LinkPairs pairs = new LinkPairs(
        (NodePort)Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[]{NodePort.class}, this::call),
        WireFixture.MAP, WireFixture.RECEIVING_NODE, WireFixture.SENDING_NODE, drops);
    private boolean isRoomRefused;

    private Object call(final Object proxy, final Method method, final Object[] arguments)
    {
        if (method.getName().equals("settings"))
        {
            return context;
        }
        calls.add(method.getName() + (arguments == null ? "" : List.of(arguments).toString()));
        return method.getReturnType() == boolean.class ? (Object)!isRoomRefused : method.getReturnType() == int.class ? 0 : null;
    }

    @BeforeEach
    void open()
    {
        assembler.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
        pairs.open(LOCAL, EPOCH, PEER, EPOCH);
        pairs.onCredits(LOCAL, PEER, CREDITS);
        assertEquals(1, pairs.tellDue(assembler, 0), "a sender that has none yet waits for them");
        shouldHaveTold(FrameDescriptor.TYPE_GRANT);
    }

    private void shouldHaveTold(final Integer... types)
    {
        assembler.flush();
        final Recorder recorder = new Recorder();
        final BatchDecoder decoder = new BatchDecoder(WireFixture.SENDING_NODE, WireFixture.RECEIVING_NODE,
            WireFixture.GROUP_HASH, LENGTH, FrameDescriptor.MAX_LENGTH, WireFixture.MAP, drops);
        decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
        for (final byte[] batch : batches.taken)
        {
            assertTrue(decoder.decode(new UnsafeBuffer(batch), 0, batch.length, recorder) > 0);
        }
        batches.taken.clear();
        assembler.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
        assertEquals(List.of(types), recorder.frames.stream().map(WireFixture.Frame::type).collect(Collectors.toList()));
    }

    private boolean receive(final int slots)
    {
        return pairs.onPacket(LOCAL, PEER, EPOCH, EPOCH, slots, true);
    }

    @Test
    void shouldLetWaitForCompanyWhatNobodyWaitsFor()
    {
        assertTrue(receive(1));
        pairs.onCredits(LOCAL, PEER, 1);
        assertFalse(pairs.isQuiet());
        assertEquals(0, pairs.tellDue(assembler, 1_000));
        assertEquals(0, pairs.tellDue(assembler, 1_000 + COMPANY_NS - 1));
        assertEquals(2, pairs.tellDue(assembler, 1_000 + COMPANY_NS));
        shouldHaveTold(FrameDescriptor.TYPE_GRANT, FrameDescriptor.TYPE_RECEIPT);
        assertTrue(pairs.isQuiet());
        assertTrue(receive(1));
        assertEquals(0, pairs.tellDue(assembler, 9_000_000), "the next one has its time too");
    }

    @Test
    void shouldTellWithOtherFramesWhatWaits()
    {
        assertTrue(receive(1));
        assertEquals(0, pairs.tellDue(assembler, 0));
        assertTrue(assembler.append(
            FrameDescriptor.TYPE_DATA, 3, LOCAL, PEER, 0, EPOCH, EPOCH, new UnsafeBuffer(new byte[8]), 0, 8));
        assertEquals(1, pairs.tellDue(assembler, 0));
        shouldHaveTold(FrameDescriptor.TYPE_DATA, FrameDescriptor.TYPE_RECEIPT);
    }

    @Test
    void shouldTellAtOnceWhatASenderMayRunOutOf()
    {
        pairs.onCredits(LOCAL, PEER, CREDITS / 2);
        assertEquals(0, pairs.tellDue(assembler, 0));
        assertTrue(receive(CREDITS / 2 - 1));
        assertEquals(0, pairs.tellDue(assembler, 0), "it has more than it would get");
        assertTrue(receive(1));
        assertEquals(2, pairs.tellDue(assembler, 0));
        shouldHaveTold(FrameDescriptor.TYPE_GRANT, FrameDescriptor.TYPE_RECEIPT);
    }

    @Test
    void shouldTellAtOnceWhatIsAskedFor()
    {
        pairs.onRequest(LOCAL, PEER);
        assertEquals(1, pairs.tellDue(assembler, 0));
        shouldHaveTold(FrameDescriptor.TYPE_REQUEST);
    }

    @Test
    void shouldTellAtOnceThatANudgeWasReadBehindItsCredits()
    {
        assertEquals(List.of(), calls);
        pairs.onNudgesRead(LOCAL, PEER, 1);
        pairs.onCredits(LOCAL, PEER, 1);
        assertEquals(2, pairs.tellDue(assembler, 0));
        shouldHaveTold(FrameDescriptor.TYPE_GRANT, FrameDescriptor.TYPE_NUDGED);
        pairs.repeat();
        assertTrue(pairs.tellDue(assembler, 0) + pairs.tellDue(assembler, COMPANY_NS) == 2, "it may have been lost");
        shouldHaveTold(FrameDescriptor.TYPE_GRANT, FrameDescriptor.TYPE_NUDGED);
    }

    @Test
    void shouldHandOnOnceThatANudgeWasRead()
    {
        pairs.onNudge(pairs.pair(LOCAL, PEER));
        pairs.onControl(FrameDescriptor.TYPE_NUDGED, LOCAL, PEER, 1, EPOCH, EPOCH);
        pairs.onControl(FrameDescriptor.TYPE_NUDGED, LOCAL, PEER, 1, EPOCH, EPOCH);
        assertEquals(List.of("nudgesRead[4, 1, 1]"), calls);
    }

    @Test
    void shouldTryAgainAtOnceWhatFoundNoRoom()
    {
        batches.isRefusing = true;
        int told = 0;
        for (int i = 0; i < LENGTH; i++)
        {
            pairs.onRequest(LOCAL, PEER);
            told += pairs.tellDue(assembler, 0);
        }
        assertTrue(told < LENGTH && !pairs.isQuiet());
        batches.isRefusing = false;
        assertEquals(1, pairs.tellDue(assembler, 0));
        assertTrue(pairs.isQuiet());
    }

    @Test
    void shouldRepeatACountThatWrappedRoundToZero()
    {
        pairs.repeat();
        assertEquals(1, pairs.tellDue(assembler, COMPANY_NS) + pairs.tellDue(assembler, 2 * COMPANY_NS));
        shouldHaveTold(FrameDescriptor.TYPE_GRANT);
        pairs.onCredits(LOCAL, PEER, Integer.MAX_VALUE);
        pairs.onCredits(LOCAL, PEER, Integer.MAX_VALUE - (CREDITS - 2));
        assertEquals(1, pairs.tellDue(assembler, 3 * COMPANY_NS) + pairs.tellDue(assembler, 4 * COMPANY_NS));
        shouldHaveTold(FrameDescriptor.TYPE_GRANT);
        pairs.repeat();
        assertEquals(1, pairs.tellDue(assembler, 5 * COMPANY_NS) + pairs.tellDue(assembler, 6 * COMPANY_NS),
            "the frame that told of 0 may have been lost");
        shouldHaveTold(FrameDescriptor.TYPE_GRANT);
    }

    @Test
    void shouldForgetWhatWaitsWithTheLink()
    {
        assertTrue(receive(1));
        assertEquals(0, pairs.tellDue(assembler, 0));
        pairs.clear();
        assertEquals(0, pairs.tellDue(assembler, COMPANY_NS));
        shouldHaveTold();
    }

    @Test
    void shouldClaimRoomForWhatIsPaid()
    {
        pairs.reserve(LOCAL, PEER, EPOCH, EPOCH, CREDITS + 1);
        pairs.reserve(LOCAL, PEER, EPOCH + 1, EPOCH, 1);
        assertEquals(List.of(), calls);
        isRoomRefused = true;
        pairs.reserve(LOCAL, PEER, EPOCH, EPOCH, CREDITS);
        assertEquals(List.of("reserve[1, 4, 20]"), calls);
        isRoomRefused = false;
        pairs.reserve(LOCAL, PEER, EPOCH, EPOCH, 5);
        assertTrue(receive(2));
        pairs.release();
        assertEquals(List.of("reserve[1, 4, 20]", "reserve[1, 4, 5]", "release"), calls);
        assertFalse(receive(CREDITS - 4), "what was claimed is used, and nothing before");
        assertTrue(receive(CREDITS - 5));
        assertEquals(1, drops.count(Drop.NO_CREDIT));
    }
}
