// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.MessageTrain;

/**
 * Packs frames for one node into batches. A batch leaves when the next frame does not fit, and at the end of each duty
 * cycle before which none was full: a lone frame never waits for company. For one thread; nothing is allocated after
 * construction.
 *
 * <pre>
 *   while (there is a frame &amp;&amp; assembler.append(...)) { take the next }
 *   assembler.appendControl(...)
 *   assembler.flush()                                        end of the duty cycle
 * </pre>
 *
 * A part of each batch is kept for control frames, so that data never keeps credits from travelling.
 */
public final class BatchAssembler
{
    /** Bytes of each batch that data leaves free. */
    public static final int CONTROL_RESERVE_LENGTH = 8 * FrameDescriptor.HEADER_LENGTH;
    /** Shortest batch in which the longest frame has room. */
    public static final int MIN_BATCH_LENGTH =
        BatchDescriptor.BATCH_HEADER_LENGTH + FrameDescriptor.MAX_FRAME_LENGTH + CONTROL_RESERVE_LENGTH;

    private static final int SHORT_LENGTH = 64;
    private static final int ONE_SLOT_LENGTH = 48;

    private final byte[] bytes;
    private final UnsafeBuffer buffer;
    private final BatchSink sink;
    private final int batchLength;
    /** Up to where there may be data. */
    private final int dataLength;
    private int length = BatchDescriptor.BATCH_HEADER_LENGTH;
    private int frames;
    /** Header and word of the last whole message, as a DATA frame would have them; 0 if nothing may share them. */
    private long lastHeader;
    private long lastWord;
    /** Header of the last frame, if that is a NEXT frame and no header above is 0, and where it lies; else 0. */
    private long nextHeader;
    private int nextAt;
    private long sequence;
    private long batchCount;
    private long frameCount;
    private long refusedCount;

    /**
     * An assembler without a link: {@link #open} comes first.
     *
     * @param ownNode     index of the node that sends.
     * @param peerNode    index of the node that receives.
     * @param groupHash   of the group's terms.
     * @param batchLength longest batch in bytes.
     * @param sink        that takes the batches.
     * @throws IllegalArgumentException if the longest frame has no room in a batch.
     */
    public BatchAssembler(
        final int ownNode, final int peerNode, final int groupHash, final int batchLength, final BatchSink sink)
    {
        if (batchLength < MIN_BATCH_LENGTH)
        {
            throw new IllegalArgumentException("batchLength out of range: found=" + batchLength + ", expected at least " +
                MIN_BATCH_LENGTH + ", the longest packet with its headers");
        }
        this.batchLength = batchLength & -FrameDescriptor.ALIGNMENT;
        this.sink = sink;
        dataLength = this.batchLength - CONTROL_RESERVE_LENGTH;
        bytes = new byte[this.batchLength];
        buffer = new UnsafeBuffer(bytes);
        BatchDescriptor.putHeader(buffer, 0, BatchDescriptor.KIND_BATCH, ownNode, peerNode, groupHash);
    }

    /** A link was made: what is left of the one before is dropped, and sequences begin with the first one. */
    public void open(final int receiverEpoch, final int senderEpoch, final long first)
    {
        BatchDescriptor.putEpochs(buffer, 0, receiverEpoch, senderEpoch);
        sequence = first;
        follow(0);
        clear();
    }

    /** Batches that leave from now on are taken behind so many of the link's other stream; 0 if it does not matter. */
    public void follow(final long batches)
    {
        BatchDescriptor.putBehind(buffer, 0, batches);
    }

    /**
     * Adds a data or nudge frame.
     *
     * @return false if there is no room and the batch before cannot leave now: offer the frame again later.
     */
    public boolean append(
        final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
        final int destEpoch, final DirectBuffer from, final int offset, final int count)
    {
        return append(FrameDescriptor.header(type, flags, source, dest, count),
            FrameDescriptor.word(value, sourceEpoch, destEpoch), from, offset, count);
    }

    /**
     * Adds a data or nudge frame.
     *
     * @param header of the frame.
     * @param word   of the frame.
     * @param from   that holds the bytes.
     * @param offset of the bytes.
     * @param count  of the bytes, as the header says.
     * @return false if there is no room and the batch before cannot leave now: offer the frame again later.
     */
    public boolean append(final long header, final long word, final DirectBuffer from, final int offset, final int count)
    {
        if (FrameDescriptor.isOfSameKind(header, lastHeader) && FrameDescriptor.isOfSameEpochs(word, lastWord) &&
            appendNext(header, word, from, offset, count))
        {
            return true;
        }
        final int frameLength = FrameDescriptor.frameLength(count);
        if (length + frameLength > dataLength && flush() < 0)
        {
            return false;
        }
        final int at = length;
        if (count > 0)
        {
            // first: a program's buffer may throw, and then there is no frame
            putBytes(at + FrameDescriptor.HEADER_LENGTH, at + frameLength, from, offset, count);
        }
        endFrame(at, frameLength, header, word);
        return true;
    }

    /**
     * Adds a data frame of a whole message in two parts, with a header of its own also behind one of the same pair.
     *
     * @param header     of the frame.
     * @param word       of the frame.
     * @param head       that holds the first part.
     * @param headOffset of the first part.
     * @param headLength of the first part.
     * @param body       that holds the second part.
     * @param bodyOffset of the second part.
     * @param bodyLength of the second part; both together as the header says.
     * @return false if there is no room and the batch before cannot leave now: offer the frame again later.
     */
    public boolean append(
        final long header, final long word, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final int frameLength = FrameDescriptor.frameLength(headLength + bodyLength);
        if (length + frameLength > dataLength && flush() < 0)
        {
            return false;
        }
        final int at = length + FrameDescriptor.HEADER_LENGTH;
        // the padding first, and all bytes before the header: a program's buffer may throw, and then there is no frame
        buffer.putLong(length + frameLength - Long.BYTES, 0L);
        buffer.putBytes(at, head, headOffset, headLength);
        buffer.putBytes(at + headLength, body, bodyOffset, bodyLength);
        endFrame(length, frameLength, header, word);
        return true;
    }

    private void endFrame(final int at, final int frameLength, final long header, final long word)
    {
        putHeader(at, header, word);
        length = at + frameLength;
        lastHeader = FrameDescriptor.isWhole(header) ? header : 0;
        lastWord = word;
        nextHeader = 0;
    }

    /** Adds a whole message of the same pair as the one before; false if there is no room. */
    private boolean appendNext(
        final long header, final long word, final DirectBuffer from, final int offset, final int count)
    {
        final boolean isSame = header == lastHeader && word == lastWord && nextHeader != 0 && count > 0 &&
            FrameDescriptor.nextCount(nextHeader) < FrameDescriptor.MAX_NEXT;
        final int at = isSame ? length : length + FrameDescriptor.NEXT_HEADER_LENGTH;
        final int end = at + FrameDescriptor.paddedLength(count);
        if (end > dataLength)
        {
            return false;
        }
        if (count > 0)
        {
            putBytes(at, end, from, offset, count);
        }
        if (isSame)
        {
            nextHeader += FrameDescriptor.NEXT_ONE;
        }
        else
        {
            nextHeader = FrameDescriptor.next(count, FrameDescriptor.value(word));
            nextAt = length;
            lastHeader = header;
            lastWord = word;
        }
        buffer.putLong(nextAt, nextHeader, ByteOrder.LITTLE_ENDIAN);
        length = end;
        frames++;
        return true;
    }

    /**
     * Whether messages like the last one may follow it in place: the last frame is a NEXT frame, and has room.
     *
     * @param train to be told where; its messages need no padding.
     */
    public boolean beginTrain(final MessageTrain train)
    {
        if (lastHeader == 0 || nextHeader == 0 || FrameDescriptor.length(nextHeader) != train.length())
        {
            return false;
        }
        final int most = Math.min(
            FrameDescriptor.MAX_NEXT - FrameDescriptor.nextCount(nextHeader), (dataLength - length) / train.length());
        train.begin(bytes, buffer.addressOffset() + length, most);
        return most > 0;
    }

    /** So many messages have followed, and nothing else. */
    public void endTrain(final int count)
    {
        nextHeader += count * FrameDescriptor.NEXT_ONE;
        buffer.putLong(nextAt, nextHeader, ByteOrder.LITTLE_ENDIAN);
        length += count * FrameDescriptor.length(nextHeader);
        frames += count;
    }

    /**
     * A call of the copying routine costs more than the few stores of a short message, and a message of the longest that takes
     * one slot is worth stores without a loop.
     */
    private void putBytes(final int at, final int end, final DirectBuffer from, final int offset, final int count)
    {
        if (count == ONE_SLOT_LENGTH)
        {
            final byte[] array = from.byteArray();
            final long source = from.addressOffset() + offset;
            final long target = buffer.addressOffset() + at;
            for (int i = 0; i < ONE_SLOT_LENGTH; i += Long.BYTES)
            {
                UnsafeApi.putLong(bytes, target + i, UnsafeApi.getLong(array, source + i));
            }
            return;
        }
        if (count <= SHORT_LENGTH && (count & Long.BYTES - 1) == 0)
        {
            for (int i = 0; i < count; i += Long.BYTES)
            {
                buffer.putLong(at + i, from.getLong(offset + i));
            }
            return;
        }
        // the padding first: the bytes may overwrite some of it
        buffer.putLong(end - Long.BYTES, 0L);
        buffer.putBytes(at, from, offset, count);
    }

    /**
     * Adds a control frame; there is room for it also in a batch that is full of data.
     *
     * @return as {@link #append}.
     */
    public boolean appendControl(
        final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
        final int destEpoch)
    {
        return appendControl(
            FrameDescriptor.header(type, flags, source, dest, 0), FrameDescriptor.word(value, sourceEpoch, destEpoch));
    }

    /** As {@link #appendControl(int, int, int, int, int, int, int)}, of a header and a word. */
    public boolean appendControl(final long header, final long word)
    {
        if (length + FrameDescriptor.HEADER_LENGTH > batchLength && flush() < 0)
        {
            return false;
        }
        putHeader(length, header, word);
        length += FrameDescriptor.HEADER_LENGTH;
        lastHeader = 0;
        return true;
    }

    private void putHeader(final int at, final long header, final long word)
    {
        buffer.putLong(at + FrameDescriptor.HEADER_OFFSET, header, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + FrameDescriptor.WORD_OFFSET, word, ByteOrder.LITTLE_ENDIAN);
        frames++;
    }

    /**
     * Lets go what there is.
     *
     * @return number of messages and other frames that left; negative if there are some and they cannot leave now.
     */
    public int flush()
    {
        if (frames == 0)
        {
            return 0;
        }
        BatchDescriptor.putSequence(buffer, 0, (int)sequence);
        if (sink.offer(buffer, 0, length) < 0)
        {
            refusedCount++;
            return -1;
        }
        final int left = frames;
        sequence++;
        batchCount++;
        frameCount += left;
        clear();
        return left;
    }

    private void clear()
    {
        length = BatchDescriptor.BATCH_HEADER_LENGTH;
        frames = 0;
        lastHeader = 0;
    }

    /** Messages and other frames that wait for {@link #flush}. */
    public int pendingFrames()
    {
        return frames;
    }

    /** Of the batch in hand: so many have left since the link was made, if the first one was 0. */
    public long sequence()
    {
        return sequence;
    }

    public long batchCount()
    {
        return batchCount;
    }

    public long frameCount()
    {
        return frameCount;
    }

    /** How often a batch could not leave at once. */
    public long refusedCount()
    {
        return refusedCount;
    }
}
