// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.RankMap;

/**
 * Two nodes: ranks 0 to 3 on node 0, ranks 4 to 9 on node 1. Batches go from node 0 to node 1.
 */
public final class WireFixture
{
    public static final int SENDING_NODE = 0;
    public static final int RECEIVING_NODE = 1;
    public static final int FIRST_RANK = 4;
    public static final int RANKS = 10;
    public static final int GROUP_HASH = 0x1234_5678;
    public static final int RECEIVER_EPOCH = 0x7FFF_FFFF;
    public static final int SENDER_EPOCH = -5;
    public static final RankMap MAP = new RankMap(2, new int[]{0, 0, 0, 0, 1, 1, 1, 1, 1, 1});

    private WireFixture()
    {
    }

    /** A frame with its bytes: what went in, or came out. */
    public record Frame(
        int type, int flags, int source, int dest, int value, int sourceEpoch, int destEpoch, List<Byte> bytes)
    {
        int length()
        {
            return bytes.size();
        }
    }

    /** Keeps what it is given; reads every byte of it. */
    public static final class Recorder implements FrameHandler
    {
        public final List<Frame> frames = new ArrayList<>();
        /** What was announced: the frame before which it was, and the slots. */
        final List<int[]> ahead = new ArrayList<>();

        /** Whether what is announced comes one by one; of one of three it is said that it does not fit. */
        boolean isTaking;
        int refused;
        private Frame pair;

        @Override
        public boolean onRunsAhead(
            final int source, final int dest, final int sourceEpoch, final int destEpoch, final int slots)
        {
            ahead.add(new int[]{frames.size(), source, dest, sourceEpoch, destEpoch, slots});
            pair = new Frame(FrameDescriptor.TYPE_DATA, 0, source, dest, 0, sourceEpoch, destEpoch, List.of());
            return isTaking;
        }

        @Override
        public boolean onNextRun(
            final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
        {
            if ((frames.size() + 1) % 3 == 0 && refused < frames.size())
            {
                refused = frames.size();
                return false;
            }
            onFrame(pair.type, flags, pair.source, pair.dest, value, pair.sourceEpoch, pair.destEpoch, buffer, offset, length);
            return true;
        }

        /** Whether all that was announced came, with nothing in between. */
        boolean isAsAnnounced()
        {
            for (final int[] next : ahead)
            {
                int left = next[5];
                for (int i = next[0]; left > 0 && i < frames.size(); i++)
                {
                    final Frame frame = frames.get(i);
                    if (frame.type != FrameDescriptor.TYPE_DATA || frame.source != next[1] || frame.dest != next[2] ||
                        frame.sourceEpoch != next[3] || frame.destEpoch != next[4])
                    {
                        return false;
                    }
                    left -= FrameDescriptor.slots(frame.type, frame.value, frame.length());
                }
                if (left != 0)
                {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void onFrame(
            final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
            final int destEpoch, final DirectBuffer buffer, final int offset, final int length)
        {
            final List<Byte> bytes = new ArrayList<>(length);
            for (int i = 0; i < length; i++)
            {
                bytes.add(buffer.getByte(offset + i));
            }
            frames.add(new Frame(type, flags, source, dest, value, sourceEpoch, destEpoch, bytes));
        }
    }

    /** Keeps batches; takes nothing while it is told so. */
    public static final class Batches implements BatchSink
    {
        public final List<byte[]> taken = new ArrayList<>();
        public boolean isRefusing;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (isRefusing)
            {
                return -2;
            }
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            taken.add(bytes);
            return taken.size();
        }
    }

    public static BatchAssembler assembler(final int batchLength, final BatchSink sink)
    {
        final BatchAssembler assembler =
            new BatchAssembler(SENDING_NODE, RECEIVING_NODE, GROUP_HASH, batchLength, sink);
        assembler.open(RECEIVER_EPOCH, SENDER_EPOCH, 0);
        return assembler;
    }

    public static BatchDecoder decoder(final int maxBatchLength, final Drops drops)
    {
        final BatchDecoder decoder = new BatchDecoder(
            RECEIVING_NODE, SENDING_NODE, GROUP_HASH, maxBatchLength, FrameDescriptor.MAX_LENGTH, MAP, drops);
        decoder.open(RECEIVER_EPOCH, SENDER_EPOCH, 0);
        return decoder;
    }

    static boolean append(final BatchAssembler assembler, final Frame frame)
    {
        if (frame.type > FrameDescriptor.TYPE_NUDGE)
        {
            return assembler.appendControl(
                frame.type, frame.flags, frame.source, frame.dest, frame.value, frame.sourceEpoch, frame.destEpoch);
        }
        // somewhere within a larger buffer
        final byte[] bytes = new byte[frame.length() + 7];
        Arrays.fill(bytes, (byte)-1);
        for (int i = 0; i < frame.length(); i++)
        {
            bytes[3 + i] = frame.bytes.get(i);
        }
        return assembler.append(
            frame.type, frame.flags, frame.source, frame.dest, frame.value, frame.sourceEpoch, frame.destEpoch,
            new UnsafeBuffer(bytes), 3, frame.length());
    }

    /** A frame as an honest node 0 would send it. */
    static Frame randomFrame(final Random random, final int maxLength)
    {
        final int type = 1 + random.nextInt(FrameDescriptor.TYPE_BEAT);
        final boolean isBeat = type == FrameDescriptor.TYPE_BEAT;
        final boolean isMember = type == FrameDescriptor.TYPE_MEMBER;
        final boolean isData = type == FrameDescriptor.TYPE_DATA;
        final byte[] bytes = new byte[isData ? random.nextInt(maxLength + 1) : 0];
        random.nextBytes(bytes);
        final List<Byte> list = new ArrayList<>(bytes.length);
        for (final byte b : bytes)
        {
            list.add(b);
        }
        return new Frame(
            type, isData ? random.nextInt(4) : isMember ? 1 + random.nextInt(3) : isBeat ? random.nextInt(4) : 0,
            isBeat ? 0 : random.nextInt(FIRST_RANK),
            isBeat || isMember ? 0 : FIRST_RANK + random.nextInt(RANKS - FIRST_RANK),
            random.nextInt(), random.nextInt(1 << 16), random.nextInt(1 << 16), list);
    }
}
