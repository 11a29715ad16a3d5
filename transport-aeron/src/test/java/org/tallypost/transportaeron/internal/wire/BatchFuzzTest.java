// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.transportaeron.internal.wire.WireFixture.Batches;
import org.tallypost.transportaeron.internal.wire.WireFixture.Frame;
import org.tallypost.transportaeron.internal.wire.WireFixture.Recorder;

/**
 * Batches are damaged at random and decoded: what is handed on is exactly what a second reader, written from the diagrams
 * alone, finds well formed, and no byte outside the batch is read (it ends where its buffer ends, and bounds are checked).
 * {@code -Dtallypost.seed=N} runs one again, {@code -Dtallypost.mutations=N} sets the number.
 */
@Tag("once")
class BatchFuzzTest
{
    private static final int MUTATIONS = Integer.getInteger("tallypost.mutations", 400_000);
    private static final int BATCH_LENGTH = 4096;
    private static final List<Drop> REASONS = List.of(Drop.TRUNCATED, Drop.OVERSIZED, Drop.VERSION, Drop.KIND, Drop.NODE,
        Drop.GROUP, Drop.LINK_EPOCH, Drop.REPEATED, Drop.GAP, Drop.FRAME_TYPE, Drop.FRAME_FLAGS, Drop.FRAME_LENGTH, Drop.RANK,
        Drop.COUNT);

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Drops drops = new Drops();
    private final BatchDecoder decoder = WireFixture.decoder(BATCH_LENGTH, drops);
    private long handedOn;
    private long announced;
    private long whole;
    private long broken;
    private long refused;
    private long waiting;

    @Test
    void shouldHandOnNothingThatIsNotWellFormed()
    {
        System.out.println("BatchFuzzTest: -Dtallypost.seed=" + seed + ", mutations=" + MUTATIONS);
        byte[] original = honest();
        // of the other stream nothing is ever taken
        decoder.joinHigh(WireFixture.decoder(BATCH_LENGTH, drops));
        for (int i = 0; i < MUTATIONS; i++)
        {
            if (i % 64 == 0)
            {
                original = honest();
            }
            check(i, mutate(original));
        }
        assertTrue(handedOn > MUTATIONS / 10, "frames handed on: " + handedOn);
        assertTrue(announced > MUTATIONS / 100, "runs announced: " + announced);
        assertTrue(whole > 0 && broken > 0 && refused > 0 && waiting > 0,
            "whole=" + whole + ", broken=" + broken + ", refused=" + refused + ", waiting=" + waiting);
        for (final Drop reason : REASONS)
        {
            assertTrue(drops.count(reason) > 0, () -> "never seen: " + reason + "; " + drops);
        }
        System.out.println("BatchFuzzTest: frames=" + handedOn + ", whole=" + whole + ", broken=" + broken + ", refused=" +
            refused + ", " + drops);
    }

    private byte[] honest()
    {
        final Batches batches = new Batches();
        final BatchAssembler assembler = WireFixture.assembler(BATCH_LENGTH, batches);
        final int count = random.nextInt(16);
        for (int i = 0; i <= count && batches.taken.isEmpty(); i++)
        {
            final Frame frame = WireFixture.randomFrame(random, random.nextInt(4) == 0 ? 2000 : 48);
            // several runs of a pair, one behind the other
            for (int more = random.nextInt(3); more >= 0 && batches.taken.isEmpty(); more--)
            {
                WireFixture.append(assembler, frame);
            }
        }
        assembler.flush();
        return batches.taken.get(0);
    }

    private byte[] mutate(final byte[] original)
    {
        byte[] bytes = original.clone();
        final int rounds = 1 + random.nextInt(3);
        for (int i = 0; i < rounds && bytes.length > 0; i++)
        {
            bytes = mutateOnce(bytes);
        }
        return bytes;
    }

    private byte[] mutateOnce(final byte[] bytes)
    {
        final int body = Math.min(bytes.length - 1, BatchDescriptor.BATCH_HEADER_LENGTH);
        final int at = random.nextInt(8) == 0 ? random.nextInt(bytes.length) : body + random.nextInt(bytes.length - body);
        switch (random.nextInt(9))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.nextInt(8));
                return bytes;
            case 1:
                bytes[at] = (byte)random.nextInt();
                return bytes;
            case 2:
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 3:
                final byte[] tail = new byte[random.nextInt(64)];
                random.nextBytes(tail);
                final byte[] longer = Arrays.copyOf(bytes, bytes.length + tail.length);
                System.arraycopy(tail, 0, longer, bytes.length, tail.length);
                return longer;
            case 4:
                // the first words of frames, where it hurts
                bytes[body] = (byte)random.nextInt();
                return bytes;
            case 5:
                bytes[Math.min(bytes.length - 1, body + 1)] = (byte)random.nextInt();
                return bytes;
            case 6:
                final byte[] spliced = Arrays.copyOf(bytes, bytes.length + bytes.length - body);
                System.arraycopy(bytes, body, spliced, bytes.length, bytes.length - body);
                return spliced;
            case 7:
                System.arraycopy(bytes, at, bytes, body, bytes.length - Math.max(at, body));
                return bytes;
            default:
                final int header = random.nextInt(4) > 0 ? 0 : random.nextInt(body + 1);
                bytes[header] = header == 0 ? bytes[0] : (byte)random.nextInt(3);
                return bytes;
        }
    }

    private void check(final int index, final byte[] bytes)
    {
        // before it lies something that is no batch; behind it lies nothing
        final int before = random.nextInt(3) * 8;
        final byte[] memory = new byte[before + bytes.length];
        Arrays.fill(memory, (byte)0x5A);
        System.arraycopy(bytes, 0, memory, before, bytes.length);
        final Recorder recorder = new Recorder();
        recorder.isTaking = index % 2 == 0;
        decoder.open(WireFixture.RECEIVER_EPOCH, WireFixture.SENDER_EPOCH, 0);
        final int result;
        try
        {
            result = decoder.decode(new UnsafeBuffer(memory), before, bytes.length, recorder);
        }
        catch (final IndexOutOfBoundsException ex)
        {
            throw new AssertionError("read outside: seed=" + seed + ", mutation=" + index, ex);
        }
        final List<Frame> expected = new ArrayList<>();
        final int expectedResult = read(bytes, expected);
        assertEquals(expected, recorder.frames, () -> "seed=" + seed + ", mutation=" + index);
        assertEquals(expectedResult, result, () -> "seed=" + seed + ", mutation=" + index);
        assertTrue(result == BatchDecoder.BROKEN || recorder.isAsAnnounced(), () -> "seed=" + seed + ", mutation=" + index);
        announced += recorder.ahead.size();
        handedOn += expected.size();
        whole += result >= 0 ? 1 : 0;
        broken += result == BatchDecoder.BROKEN ? 1 : 0;
        refused += result == BatchDecoder.REFUSED ? 1 : 0;
        waiting += result == BatchDecoder.WAITING ? 1 : 0;
    }

    /** The second reader: plain, slow, and after the diagrams. */
    private static int read(final byte[] bytes, final List<Frame> frames)
    {
        if (bytes.length < 32 || bytes.length > BATCH_LENGTH)
        {
            return BatchDecoder.REFUSED;
        }
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final boolean isOurs = in.get() == 6 && in.get() == 1 && in.getShort() == WireFixture.SENDING_NODE &&
            in.getInt() == WireFixture.GROUP_HASH && in.getInt() == WireFixture.RECEIVER_EPOCH &&
            in.getInt() == WireFixture.SENDER_EPOCH;
        if (!isOurs || in.getShort(20) != WireFixture.RECEIVING_NODE || in.getShort(22) != 0 || in.getInt(16) < 0)
        {
            return BatchDecoder.REFUSED;
        }
        if (in.getInt(16) > 0)
        {
            return BatchDecoder.BROKEN;
        }
        if (in.getLong(24) != 0)
        {
            return in.getLong(24) < 0 ? BatchDecoder.BROKEN : BatchDecoder.WAITING;
        }
        in.position(32);
        final Frame[] pair = new Frame[1];
        while (in.hasRemaining())
        {
            final boolean isNext = in.remaining() >= 8 && (in.getLong(in.position()) >> 12 & 0xF) == 10;
            if (isNext ? !readNext(in, pair[0], frames) : in.remaining() < 16 || !readFrame(in, pair, frames))
            {
                return BatchDecoder.BROKEN;
            }
        }
        return frames.size();
    }

    private static boolean isHere(final Frame frame)
    {
        final boolean isFromThere = frame.source() < 4;
        final boolean isForHere = frame.dest() >= 4 && frame.dest() < 10;
        return frame.type() == 9 ? frame.source() == 0 && frame.dest() == 0 :
            frame.type() == 8 ? isFromThere && frame.dest() == 0 : isFromThere && isForHere;
    }

    private static List<Byte> readBytes(final ByteBuffer in, final int length)
    {
        final List<Byte> bytes = new ArrayList<>();
        for (int i = 0; i < (length + 7) / 8 * 8; i++)
        {
            final byte next = in.get();
            if (i < length)
            {
                bytes.add(next);
            }
        }
        return bytes;
    }

    private static boolean readNext(final ByteBuffer in, final Frame pair, final List<Frame> frames)
    {
        final int kind = in.getInt();
        final int tag = in.getInt();
        final int length = kind & 0xFFF;
        final int count = kind >> 16 & 0xFF;
        final boolean isKnown = count == 1 || count > 1 && length > 0;
        if (pair == null || !isKnown || kind >>> 24 != 0 || length > 2096 || count * ((length + 7) / 8 * 8) > in.remaining())
        {
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            final List<Byte> bytes = readBytes(in, length);
            if (isHere(pair))
            {
                frames.add(new Frame(1, 3, pair.source(), pair.dest(), tag, pair.sourceEpoch(), pair.destEpoch(), bytes));
            }
        }
        return true;
    }

    private static boolean readFrame(final ByteBuffer in, final Frame[] pair, final List<Frame> frames)
    {
        final long header = in.getLong();
        final int value = in.getInt();
        final int sourceEpoch = in.getShort() & 0xFFFF;
        final int destEpoch = in.getShort() & 0xFFFF;
        final int length = (int)(header & 0xFFF);
        final int type = (int)(header >> 12 & 0xF);
        final int flags = (int)(header >> 16 & 0xF);
        final int source = (int)(header >> 20 & 0xFFFFF);
        final int dest = (int)(header >> 40 & 0xFFFFF);
        final boolean isKnown = header >>> 60 == 0 && switch (type)
        {
            case 1 -> flags < 4 && length <= 2096;
            case 2, 3, 4, 5, 6, 7 -> flags == 0 && length == 0;
            case 8 -> flags >= 1 && flags <= 3 && length == 0;
            case 9 -> flags < 4 && length == 0;
            default -> false;
        };
        if (!isKnown || (length + 7) / 8 * 8 > in.remaining())
        {
            return false;
        }
        final Frame frame = new Frame(type, flags, source, dest, value, sourceEpoch, destEpoch, readBytes(in, length));
        pair[0] = type == 1 ? frame : null;
        if (isHere(frame))
        {
            frames.add(frame);
        }
        return true;
    }
}
