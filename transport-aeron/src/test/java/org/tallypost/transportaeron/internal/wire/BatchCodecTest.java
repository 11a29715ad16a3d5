// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.transportaeron.internal.wire.WireFixture.append;
import static org.tallypost.transportaeron.internal.wire.WireFixture.assembler;
import static org.tallypost.transportaeron.internal.wire.WireFixture.decoder;
import static org.tallypost.transportaeron.internal.wire.WireFixture.randomFrame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.transportaeron.internal.wire.WireFixture.Batches;
import org.tallypost.transportaeron.internal.wire.WireFixture.Frame;
import org.tallypost.transportaeron.internal.wire.WireFixture.Recorder;

/** Frames go into batches and come out again, and nothing else does. */
class BatchCodecTest
{
    private static final int LENGTH = BatchAssembler.MIN_BATCH_LENGTH;

    private final Batches batches = new Batches();
    private final Recorder recorder = new Recorder();
    private final Drops drops = new Drops();

    private static Frame data(final int tag, final int length)
    {
        final List<Byte> bytes = new ArrayList<>();
        for (int i = 0; i < length; i++)
        {
            bytes.add((byte)(tag + i));
        }
        return new Frame(FrameDescriptor.TYPE_DATA, 3, 1, 5, tag, 1, 2, bytes);
    }

    private static Frame grant(final int count)
    {
        return new Frame(FrameDescriptor.TYPE_GRANT, 0, 2, 6, count, 1, 2, List.of());
    }

    /** Another message of the same kind, tag and length. */
    private static Frame likeLast(final Random random, final Frame last)
    {
        final List<Byte> bytes = new ArrayList<>();
        for (int i = 0; i < last.length(); i++)
        {
            bytes.add((byte)random.nextInt());
        }
        return new Frame(last.type(), last.flags(), last.source(), last.dest(), last.value(), last.sourceEpoch(),
            last.destEpoch(), bytes);
    }

    private int decode(final BatchDecoder decoder, final byte[] batch)
    {
        return decoder.decode(new UnsafeBuffer(batch), 0, batch.length, recorder);
    }

    @Test
    void shouldAnnounceRunsOfAPairThatFollowEachOther()
    {
        final BatchAssembler assembler = assembler(8 * LENGTH, batches);
        final List<Frame> sent = List.of(data(0, 48), data(1, 100), data(2, 48), grant(7), data(3, 48),
            new Frame(FrameDescriptor.TYPE_DATA, 3, 1, 6, 4, 1, 2, List.of()),
            new Frame(FrameDescriptor.TYPE_DATA, 3, 1, 6, 5, 1, 3, List.of()),
            new Frame(FrameDescriptor.TYPE_DATA, 1, 1, 6, 6, 1, 3, List.of()),
            new Frame(FrameDescriptor.TYPE_NUDGE, 0, 1, 6, 6, 1, 3, List.of()));
        sent.forEach((frame) -> assertTrue(append(assembler, frame)));
        assembler.flush();
        assertEquals(sent.size(), decode(decoder(8 * LENGTH, drops), batches.taken.get(0)));
        assertEquals(sent, recorder.frames);
        assertEquals(List.of("0 1 5 1 2 4", "6 1 6 1 3 2"), recorder.ahead.stream().map((next) ->
            Arrays.stream(next).mapToObj(Integer::toString).collect(Collectors.joining(" "))).collect(Collectors.toList()));
    }

    /** Header and payload of each message in bytes; the batch's header is on top. */
    private int bytesOf(final Frame... frames)
    {
        final Batches out = new Batches();
        final BatchAssembler assembler = assembler(8 * LENGTH, out);
        for (final Frame frame : frames)
        {
            assertTrue(append(assembler, frame));
        }
        assembler.flush();
        final Recorder in = new Recorder();
        final byte[] batch = out.taken.get(0);
        assertEquals(frames.length, decoder(8 * LENGTH, drops).decode(new UnsafeBuffer(batch), 0, batch.length, in));
        assertEquals(List.of(frames), in.frames);
        return batch.length - BatchDescriptor.BATCH_HEADER_LENGTH;
    }

    @Test
    void shouldNameThePairOnce()
    {
        assertEquals(64, bytesOf(data(1, 48)));
        assertEquals(64 + 56 + 56, bytesOf(data(1, 48), data(2, 48), data(3, 48)));
        assertEquals(64 + 56 + 48 + 48, bytesOf(data(1, 48), data(1, 48), data(1, 48), data(1, 48)));
        assertEquals(64 + 56 + 48 + 16, bytesOf(data(1, 48), data(2, 48), data(2, 48), data(2, 3)));
        assertEquals(16 + 8 + 8 + 8, bytesOf(data(1, 0), data(1, 0), data(1, 0), data(1, 0)));
        assertEquals(64 + 16 + 64, bytesOf(data(1, 48), grant(3), data(1, 48)), "a control frame ends it");
        final Frame first = new Frame(FrameDescriptor.TYPE_DATA, 1, 1, 5, 1, 1, 2, data(1, 48).bytes());
        final Frame restarted = new Frame(FrameDescriptor.TYPE_DATA, 3, 1, 5, 1, 1, 3, data(1, 48).bytes());
        assertEquals(64 * 4, bytesOf(data(1, 48), first, data(1, 48), restarted), "a part of a message, another epoch");
    }

    @Test
    void shouldCountMessagesWithinAByte()
    {
        final Frame[] frames = new Frame[600];
        Arrays.fill(frames, data(1, 8));
        // 1 with the pair, 255 and 255 and 89 behind a header each
        assertEquals(24 + 3 * 8 + 599 * 8, bytesOf(frames));
    }

    private BatchAssembler pairOf(final Batches out)
    {
        final BatchAssembler assembler = assembler(8 * LENGTH, out);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(append(assembler, data(1, 48)));
        }
        assembler.flush();
        return assembler;
    }

    private void breaks(final Drop reason, final int delivered, final int at, final long header)
    {
        final Batches out = new Batches();
        pairOf(out);
        final byte[] batch = out.taken.get(0);
        new UnsafeBuffer(batch).putLong(BatchDescriptor.BATCH_HEADER_LENGTH + at, header, java.nio.ByteOrder.LITTLE_ENDIAN);
        final Recorder in = new Recorder();
        final long before = drops.count(reason);
        assertEquals(BatchDecoder.BROKEN, decoder(8 * LENGTH, drops).decode(new UnsafeBuffer(batch), 0, batch.length, in));
        assertEquals(before + 1, drops.count(reason), () -> reason + ": " + drops);
        assertEquals(delivered, in.frames.size());
    }

    @Test
    void shouldRefuseNextFramesThatCannotBe()
    {
        final long two = FrameDescriptor.next(48, 1) + FrameDescriptor.NEXT_ONE;
        breaks(Drop.FRAME_TYPE, 0, 0, two);
        breaks(Drop.FRAME_TYPE, 1, 64, two - 2 * FrameDescriptor.NEXT_ONE);
        breaks(Drop.FRAME_TYPE, 1, 64, two | 1L << 24);
        breaks(Drop.FRAME_TYPE, 1, 64, two | 1L << 31);
        breaks(Drop.FRAME_TYPE, 1, 64, two & -1L << 12);
        breaks(Drop.FRAME_LENGTH, 1, 64, two | 0xFFF);
        breaks(Drop.TRUNCATED, 1, 64, two + FrameDescriptor.NEXT_ONE);
        breaks(Drop.TRUNCATED, 1, 64, two | 255 * FrameDescriptor.NEXT_ONE);
        // one message less: what follows is no frame
        breaks(Drop.FRAME_TYPE, 2, 64, two - FrameDescriptor.NEXT_ONE);
    }

    @Test
    void shouldRefuseFramesOfHighRingsWhereThereAreNone()
    {
        breaks(Drop.FRAME_TYPE, 0, 0, FrameDescriptor.header(FrameDescriptor.TYPE_DATA, FrameDescriptor.FLAGS_WHOLE, 0,
            WireFixture.FIRST_RANK, 48) | FrameDescriptor.HIGH);
        breaks(Drop.FRAME_TYPE, 0, 0, FrameDescriptor.header(
            FrameDescriptor.TYPE_MEMBER, FrameDescriptor.STATE_OPEN, 0, 0, 0) | FrameDescriptor.HIGH);
    }

    @Test
    void shouldRefuseANextFrameBehindOneThatIsNoMessage()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        append(assembler, grant(1));
        append(assembler, data(1, 0));
        assembler.flush();
        final byte[] batch = batches.taken.get(0);
        new UnsafeBuffer(batch).putLong(BatchDescriptor.BATCH_HEADER_LENGTH + 16, FrameDescriptor.next(0, 1),
            java.nio.ByteOrder.LITTLE_ENDIAN);
        assertEquals(BatchDecoder.BROKEN, decode(decoder(LENGTH, drops), batch));
        assertEquals(1, drops.count(Drop.FRAME_TYPE));
    }

    @Test
    void shouldPassOverAllMessagesOfAPairThatIsNotHere()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        final Frame away = new Frame(FrameDescriptor.TYPE_DATA, 3, 1, 0, 1, 1, 2, data(1, 48).bytes());
        for (int i = 0; i < 4; i++)
        {
            append(assembler, away);
        }
        append(assembler, data(2, 10));
        assembler.flush();
        assertEquals(1, decode(decoder(LENGTH, drops), batches.taken.get(0)));
        assertEquals(List.of(data(2, 10)), recorder.frames);
        assertEquals(4, drops.count(Drop.RANK));
    }

    @Test
    void shouldAnnounceNoMoreRunsThanAClaimHolds()
    {
        final BatchAssembler assembler = assembler(64 * LENGTH, batches);
        for (int i = 0; i < 2000; i++)
        {
            assertTrue(append(assembler, data(i, 0)));
        }
        assembler.flush();
        assertEquals(2000, decode(decoder(64 * LENGTH, drops), batches.taken.get(0)));
        assertTrue(recorder.isAsAnnounced());
        assertEquals(2000, recorder.ahead.stream().mapToInt((next) -> next[5]).sum());
        assertTrue(recorder.ahead.size() >= 2000 / (512 + FrameDescriptor.MAX_SLOTS), "of 12 bits");
    }

    @Property(tries = 500)
    void shouldDeliverWhatWasSentInOrder(
        @ForAll final long seed,
        @ForAll @IntRange(max = 60) final int count,
        @ForAll final boolean isTaking,
        @ForAll @IntRange(max = 7000) final int moreLength)
    {
        final int batchLength = BatchAssembler.MIN_BATCH_LENGTH + moreLength;
        final Random random = new Random(seed);
        final Batches out = new Batches();
        final Recorder in = new Recorder();
        in.isTaking = isTaking;
        final Drops none = new Drops();
        final BatchAssembler assembler = assembler(batchLength, out);
        final List<Frame> sent = new ArrayList<>();
        int cycles = 0;
        for (int i = 0; i < count; i++)
        {
            final int maxLength = random.nextBoolean() ? 48 : FrameDescriptor.MAX_LENGTH;
            // runs of a pair that follow each other, and others in between
            final Frame last = i == 0 ? null : sent.get(sent.size() - 1);
            final Frame frame = random.nextInt(4) == 0 ? randomFrame(random, maxLength) :
                random.nextBoolean() || last == null || last.type() != FrameDescriptor.TYPE_DATA ?
                data(i, random.nextInt(maxLength + 1)) : likeLast(random, last);
            assertTrue(append(assembler, frame));
            sent.add(frame);
            if (random.nextInt(8) == 0)
            {
                assembler.flush();
                cycles++;
                assertEquals(0, assembler.pendingFrames(), "a duty cycle leaves nothing behind");
            }
        }
        assembler.flush();
        final BatchDecoder decoder = decoder(batchLength, none);
        for (final byte[] batch : out.taken)
        {
            assertTrue(batch.length <= batchLength);
            assertTrue(decoder.decode(new UnsafeBuffer(batch), 0, batch.length, in) > 0);
        }
        assertEquals(sent, in.frames);
        assertEquals(0, none.total());
        assertEquals(count, assembler.frameCount());
        assertEquals(out.taken.size(), assembler.batchCount());
        assertTrue(out.taken.size() <= cycles + 1 + sent.stream().mapToInt(Frame::length).sum() / 1000 + count / 50 + 1,
            "frames share batches");
    }

    @Test
    void shouldSendALoneFrameAtTheEndOfItsDutyCycle()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        assertEquals(0, assembler.flush(), "nothing to send is no batch");
        assertTrue(append(assembler, data(1, 48)));
        assertEquals(0, batches.taken.size());
        assertEquals(1, assembler.flush());
        assertEquals(1, batches.taken.size());
        assertEquals(BatchDescriptor.BATCH_HEADER_LENGTH + 64, batches.taken.get(0).length);
    }

    @Test
    void shouldSendAFullBatchWithoutBeingAsked()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        int appended = 0;
        while (batches.taken.isEmpty())
        {
            assertTrue(append(assembler, data(appended++, 48)));
        }
        assertEquals(appended - 1, decode(decoder(LENGTH, drops), batches.taken.get(0)));
        assertTrue(batches.taken.get(0).length > LENGTH - BatchAssembler.CONTROL_RESERVE_LENGTH - 64, "full");
        assertEquals(1, assembler.pendingFrames());
    }

    @Test
    void shouldKeepRoomForControlInABatchThatIsFullOfData()
    {
        batches.isRefusing = true;
        final BatchAssembler assembler = assembler(LENGTH, batches);
        int count = 0;
        while (append(assembler, data(count, 48)))
        {
            count++;
        }
        final int controls = BatchAssembler.CONTROL_RESERVE_LENGTH / FrameDescriptor.HEADER_LENGTH;
        for (int i = 0; i < controls; i++)
        {
            assertTrue(append(assembler, grant(i)), "control " + i);
        }
        batches.isRefusing = false;
        assertEquals(count + controls, assembler.flush());
        assertEquals(count + controls, decode(decoder(LENGTH, drops), batches.taken.get(0)));
        assertEquals(grant(controls - 1), recorder.frames.get(count + controls - 1));
    }

    @Test
    void shouldKeepABatchThatCannotLeaveAndLoseNothing()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        batches.isRefusing = true;
        int count = 0;
        while (append(assembler, data(count, 100)))
        {
            count++;
        }
        assertTrue(assembler.flush() < 0);
        assertFalse(append(assembler, data(count, 100)));
        assertEquals(3, assembler.refusedCount());
        batches.isRefusing = false;
        assertTrue(append(assembler, data(count, 100)));
        assertEquals(1, assembler.flush());
        final BatchDecoder decoder = decoder(LENGTH, drops);
        assertEquals(count, decode(decoder, batches.taken.get(0)));
        assertEquals(1, decode(decoder, batches.taken.get(1)));
        for (int i = 0; i <= count; i++)
        {
            assertEquals(data(i, 100), recorder.frames.get(i));
        }
    }

    @Test
    void shouldHideNothingInThePadding()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        append(assembler, data(-1, 8));
        assembler.flush();
        append(assembler, data(5, 1));
        assembler.flush();
        final byte[] batch = batches.taken.get(1);
        assertEquals(BatchDescriptor.BATCH_HEADER_LENGTH + 24, batch.length);
        for (int i = batch.length - 7; i < batch.length; i++)
        {
            assertEquals(0, batch[i], "byte " + i);
        }
    }

    @Test
    void shouldRefuseABatchThatWasReceivedBefore()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        for (int i = 0; i < 3; i++)
        {
            append(assembler, data(i, 10));
            assembler.flush();
        }
        final BatchDecoder decoder = decoder(LENGTH, drops);
        for (int i = 0; i < 3; i++)
        {
            assertEquals(1, decode(decoder, batches.taken.get(i)));
            for (int j = 0; j <= i; j++)
            {
                assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(j)));
            }
        }
        assertEquals(3, recorder.frames.size());
        assertEquals(6, drops.count(Drop.REPEATED));
    }

    @Test
    void shouldBreakTheLinkWhenABatchIsMissingUntilThereIsANewOne()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        for (int i = 0; i < 3; i++)
        {
            append(assembler, data(i, 10));
            assembler.flush();
        }
        final BatchDecoder decoder = decoder(LENGTH, drops);
        assertEquals(1, decode(decoder, batches.taken.get(0)));
        assertEquals(BatchDecoder.BROKEN, decode(decoder, batches.taken.get(2)));
        assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(1)), "what comes late is not in order any more");
        assertEquals(1, recorder.frames.size());
        assertEquals(1, drops.count(Drop.GAP));
        assertEquals(1, drops.count(Drop.LINK_EPOCH));

        append(assembler, data(7, 10));
        assembler.open(1, 2, 0);
        assertEquals(0, assembler.pendingFrames(), "what was waiting belongs to the old link");
        decoder.open(1, 2, 0);
        append(assembler, data(8, 10));
        assembler.flush();
        assertEquals(1, decode(decoder, batches.taken.get(3)));
        assertEquals(data(8, 10), recorder.frames.get(1));
        assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(1)));
        decoder.close();
        append(assembler, data(9, 10));
        assembler.flush();
        assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(4)));
        assertEquals(3, drops.count(Drop.LINK_EPOCH));
    }

    @Test
    void shouldCompareSequencesAcrossTheirWrap()
    {
        final int count = 4;
        for (final long end : new long[]{1L << 31, 1L << 32, 1L << 40})
        {
            batches.taken.clear();
            final BatchAssembler assembler = assembler(LENGTH, batches);
            final BatchDecoder decoder = decoder(LENGTH, drops);
            assembler.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, end - count / 2);
            decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, end - count / 2);
            for (int i = 0; i < count; i++)
            {
                append(assembler, data(i, 10));
                assembler.flush();
            }
            final long before = drops.count(Drop.REPEATED);
            for (int i = 0; i < count - 1; i++)
            {
                assertEquals(1, decode(decoder, batches.taken.get(i)));
                assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(i)));
                assertEquals(BatchDecoder.REFUSED, decode(decoder, batches.taken.get(0)));
            }
            assertEquals(before + 2 * (count - 1), drops.count(Drop.REPEATED));
            assertEquals(end + count / 2 - 1, decoder.taken());
            decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, end - 1);
            final long gaps = drops.count(Drop.GAP);
            assertEquals(BatchDecoder.BROKEN, decode(decoder, batches.taken.get(count / 2)), () -> "number " + end);
            assertEquals(gaps + 1, drops.count(Drop.GAP));
        }
    }

    @Test
    void shouldCountEachReason()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        append(assembler, data(1, 10));
        assembler.flush();
        refuse(Drop.VERSION, BatchDescriptor.VERSION_OFFSET, BatchDescriptor.VERSION + 1);
        refuse(Drop.KIND, BatchDescriptor.KIND_OFFSET, BatchDescriptor.KIND_HELLO);
        refuse(Drop.KIND, BatchDescriptor.ZERO_OFFSET, 1);
        refuse(Drop.NODE, BatchDescriptor.SOURCE_NODE_OFFSET, 1);
        refuse(Drop.NODE, BatchDescriptor.DEST_NODE_OFFSET, 0);
        refuse(Drop.GROUP, BatchDescriptor.GROUP_HASH_OFFSET, 1);
        refuse(Drop.LINK_EPOCH, BatchDescriptor.RECEIVER_EPOCH_OFFSET, 1);
        refuse(Drop.LINK_EPOCH, BatchDescriptor.SENDER_EPOCH_OFFSET, 1);
        final byte[] batch = batches.taken.get(0);
        final UnsafeBuffer buffer = new UnsafeBuffer(batch);
        final BatchDecoder decoder = decoder(batch.length - 1, drops);
        assertEquals(BatchDecoder.REFUSED, decoder.decode(buffer, 0, batch.length, recorder));
        assertEquals(1, drops.count(Drop.OVERSIZED));
        assertEquals(BatchDecoder.REFUSED, decoder.decode(buffer, 0, 23, recorder));
        assertEquals(BatchDecoder.REFUSED, decoder.decode(buffer, 8, batch.length, recorder));
        assertEquals(BatchDecoder.REFUSED, decoder.decode(buffer, -1, 24, recorder));
        assertEquals(3, drops.count(Drop.TRUNCATED));
        assertEquals(0, recorder.frames.size());
    }

    private void refuse(final Drop reason, final int at, final int value)
    {
        final byte[] batch = batches.taken.get(0).clone();
        batch[at] = (byte)value;
        final long before = drops.count(reason);
        assertEquals(BatchDecoder.REFUSED, decode(decoder(LENGTH, drops), batch), reason.toString());
        assertEquals(before + 1, drops.count(reason), reason.toString());
    }

    @Test
    void shouldPassOverAFrameForARankThatIsNotHere()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        append(assembler, data(1, 10));
        append(assembler, new Frame(FrameDescriptor.TYPE_NUDGE, 0, 1, 0, 0, 0, 0, List.of()));
        append(assembler, new Frame(FrameDescriptor.TYPE_NUDGE, 0, 4, 5, 0, 0, 0, List.of()));
        append(assembler, new Frame(FrameDescriptor.TYPE_NUDGE, 0, 1, 10, 0, 0, 0, List.of()));
        append(assembler, new Frame(FrameDescriptor.TYPE_MEMBER, 1, 5, 0, 0, 0, 0, List.of()));
        append(assembler, new Frame(FrameDescriptor.TYPE_BEAT, 0, 1, 0, 0, 0, 0, List.of()));
        append(assembler, data(2, 10));
        assembler.flush();
        assertEquals(2, decode(decoder(LENGTH, drops), batches.taken.get(0)));
        assertEquals(List.of(data(1, 10), data(2, 10)), recorder.frames);
        assertEquals(5, drops.count(Drop.RANK));
        assertEquals(5, drops.total());
    }

    @Test
    void shouldRefuseALongerPacketThanTheMailboxTakes()
    {
        final BatchAssembler assembler = assembler(LENGTH, batches);
        append(assembler, data(1, 200));
        append(assembler, data(2, 201));
        assembler.flush();
        final BatchDecoder decoder = new BatchDecoder(WireFixture.RECEIVING_NODE, WireFixture.SENDING_NODE,
            WireFixture.GROUP_HASH, LENGTH, 200, WireFixture.MAP, drops);
        decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
        assertEquals(BatchDecoder.BROKEN, decode(decoder, batches.taken.get(0)));
        assertEquals(List.of(data(1, 200)), recorder.frames);
        assertEquals(1, drops.count(Drop.FRAME_LENGTH));
    }

    @Test
    void shouldRefuseABatchLengthInWhichTheLongestPacketHasNoRoom()
    {
        final IllegalArgumentException ex =
            assertThrows(IllegalArgumentException.class, () -> assembler(LENGTH - 1, batches));
        assertTrue(ex.getMessage().contains("batchLength") && ex.getMessage().contains("" + LENGTH), ex.getMessage());
    }
}
