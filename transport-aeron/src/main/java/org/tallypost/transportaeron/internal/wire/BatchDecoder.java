// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_GONE;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_OPEN;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_BEAT;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_DATA;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_MEMBER;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_NEXT;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.RankMap;

/**
 * Takes batches of one node apart. The bytes come from a network: nothing of them is believed before it is checked, and
 * each word is read once, so that memory which changes meanwhile cannot pass a check and then be something else. For one thread.
 *
 * <p>A frame that is malformed ends its batch: where it ends is not known, and the node that sent it is mad. A frame for
 * a rank that is not here is passed over. Batches come in sequence, or the link is broken.
 */
public final class BatchDecoder
{
    /** The batch was refused, and nothing of it was handed on; the link stays. */
    static final int REFUSED = -1;
    /** Something is missing or malformed: the link cannot go on. What came before was handed on. */
    public static final int BROKEN = -2;
    /** The batch comes behind one of the other stream that was not taken yet: it is to be offered again, as it is. */
    public static final int WAITING = -3;

    /** So many slots are told of in advance, and those of one more frame. */
    private static final int MAX_SLOTS_AHEAD = 512;

    private final int ownNode;
    private final int peerNode;
    private final int groupHash;
    private final int maxBatchLength;
    private final int maxLength;
    private final RankMap map;
    private final Drops drops;
    private int receiverEpoch;
    private int senderEpoch;
    /** Batches that were taken since the link was made. */
    private long taken;
    private boolean isOpen;
    private boolean isBroken;
    /** Of the link's other stream of messages; null if there is none. */
    private BatchDecoder other;
    /** Whether frames have to be of pairs of high rings, but for those that say that the node is alive. */
    private boolean isOfHigh;
    /** Slots of the data frames that were looked at in advance, and of the one before them. */
    private int slotsAhead;
    /** Where the first frame lies that {@link #decodeRuns} has not handed on. */
    private int nextRun;
    /** Header and word of the last frame of its own kind: which pair NEXT frames are of. No header if it is no data. */
    private long pairHeader;
    private long pairWord;
    /** Whether source and destination of that are where they belong. */
    private boolean isHere;
    /** Header and word of the frame that {@link #frameOfPair} has read; a NEXT frame has no word. */
    private long frameHeader;
    private long frameWord;

    /**
     * A decoder without a link: it refuses everything until {@link #open}.
     *
     * @param ownNode        index of this node.
     * @param peerNode       index of the node from which batches come.
     * @param groupHash      of the group's terms.
     * @param maxBatchLength longest batch in bytes.
     * @param maxLength      most bytes that a data frame may have.
     * @param map            which ranks are where.
     * @param drops          to count in.
     */
    public BatchDecoder(
        final int ownNode, final int peerNode, final int groupHash, final int maxBatchLength, final int maxLength,
        final RankMap map, final Drops drops)
    {
        this.ownNode = ownNode;
        this.peerNode = peerNode;
        this.groupHash = groupHash;
        this.maxBatchLength = maxBatchLength;
        this.maxLength = Math.min(maxLength, FrameDescriptor.MAX_LENGTH);
        this.map = map;
        this.drops = drops;
    }

    /** This is of the first stream of a link, and the other one of that for messages of high priority: neither goes by itself. */
    public void joinHigh(final BatchDecoder high)
    {
        other = high;
        high.other = this;
        high.isOfHigh = true;
    }

    /** A link was made: only batches with both of its epochs are taken, from the first sequence on. */
    public void open(final int ownEpoch, final int peerEpoch, final long first)
    {
        receiverEpoch = ownEpoch;
        senderEpoch = peerEpoch;
        taken = first;
        isOpen = true;
        isBroken = false;
    }

    /** The link is down. */
    public void close()
    {
        isOpen = false;
    }

    /**
     * Hands on what is well formed.
     *
     * @param buffer  that holds the batch; it must not be longer than its capacity says.
     * @param offset  of the batch.
     * @param length  of the batch.
     * @param handler for the frames.
     * @return number of messages and other frames handed on, or {@link #REFUSED}, {@link #BROKEN} or {@link #WAITING}.
     */
    public int decode(final DirectBuffer buffer, final int offset, final int length, final FrameHandler handler)
    {
        final Drop reason = checkHeader(buffer, offset, length);
        if (reason != null)
        {
            drops.add(reason);
            return REFUSED;
        }
        final int ahead = BatchDescriptor.sequence(buffer, offset) - (int)taken;
        if (ahead < 0)
        {
            drops.add(Drop.REPEATED);
            return REFUSED;
        }
        if (ahead > 0)
        {
            return broken(Drop.GAP);
        }
        final long behind = BatchDescriptor.behind(buffer, offset);
        if (behind < 0 || behind > 0 && other == null)
        {
            return broken(Drop.COUNT);
        }
        if (behind > 0 && behind > other.taken)
        {
            return WAITING;
        }
        taken++;
        return decodeFrames(buffer, offset + BatchDescriptor.BATCH_HEADER_LENGTH, offset + length, handler);
    }

    private Drop checkHeader(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < BatchDescriptor.BATCH_HEADER_LENGTH || offset < 0 || offset > buffer.capacity() - length)
        {
            return Drop.TRUNCATED;
        }
        if (length > maxBatchLength)
        {
            return Drop.OVERSIZED;
        }
        if (BatchDescriptor.version(buffer, offset) != BatchDescriptor.VERSION)
        {
            return Drop.VERSION;
        }
        if (BatchDescriptor.kind(buffer, offset) != BatchDescriptor.KIND_BATCH ||
            BatchDescriptor.zero(buffer, offset) != 0)
        {
            return Drop.KIND;
        }
        if (BatchDescriptor.sourceNode(buffer, offset) != peerNode || BatchDescriptor.destNode(buffer, offset) != ownNode)
        {
            return Drop.NODE;
        }
        if (BatchDescriptor.groupHash(buffer, offset) != groupHash)
        {
            return Drop.GROUP;
        }
        if (!isOpen || isBroken || BatchDescriptor.receiverEpoch(buffer, offset) != receiverEpoch ||
            BatchDescriptor.senderEpoch(buffer, offset) != senderEpoch)
        {
            return Drop.LINK_EPOCH;
        }
        return null;
    }

    private int broken(final Drop reason)
    {
        drops.add(reason);
        isBroken = true;
        return BROKEN;
    }

    private int decodeFrames(final DirectBuffer buffer, final int start, final int end, final FrameHandler low)
    {
        FrameHandler pairHandler = low;
        int count = 0;
        int at = start;
        int ahead = 0;
        pairHeader = 0;
        while (at < end)
        {
            if (end - at < Long.BYTES)
            {
                return broken(Drop.TRUNCATED);
            }
            final long header = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
            final Drop reason = check(header, end - at);
            if (reason != null)
            {
                return broken(reason);
            }
            final boolean isNext = FrameDescriptor.type(header) == TYPE_NEXT;
            if (!isNext)
            {
                begin(header, buffer.getLong(at + FrameDescriptor.WORD_OFFSET, ByteOrder.LITTLE_ENDIAN));
                pairHandler = FrameDescriptor.isHigh(header) ? low.high() : low;
                if (pairHandler == null || isOfHigh && pairHandler == low && FrameDescriptor.type(header) != TYPE_BEAT)
                {
                    return broken(Drop.FRAME_TYPE);
                }
            }
            final FrameHandler handler = pairHandler;
            final int frameLength = frameLength(header);
            if (!isHere)
            {
                drops.add(Drop.RANK, isNext ? FrameDescriptor.nextCount(header) : 1);
            }
            else
            {
                if (pairHeader == 0)
                {
                    ahead = 0;
                }
                else if (--ahead < 0)
                {
                    ahead = lookAhead(buffer, at + frameLength, end, slots(header));
                    final int taken = (isNext || ahead > 0) && isAnnounced(handler) ?
                        decodeRuns(buffer, at, end, ahead + 1, handler) : 0;
                    if (taken > 0)
                    {
                        count += taken;
                        at = nextRun;
                        ahead = 0;
                        continue;
                    }
                }
                count += handOn(buffer, at, header, handler);
            }
            at += frameLength;
        }
        return count;
    }

    private Drop check(final long header, final int room)
    {
        final Drop reason = FrameDescriptor.type(header) == TYPE_NEXT ? checkNext(header) : checkFrame(header, room);
        return reason == null && frameLength(header) > room ? Drop.TRUNCATED : reason;
    }

    private void begin(final long header, final long word)
    {
        isHere = isAddressed(header);
        pairHeader = FrameDescriptor.type(header) == TYPE_DATA ? header : 0;
        pairWord = word;
    }

    /** Hands on a frame by itself, and returns the number of messages or of frames. */
    private int handOn(final DirectBuffer buffer, final int at, final long header, final FrameHandler handler)
    {
        if (FrameDescriptor.type(header) == TYPE_NEXT)
        {
            return handOnNext(buffer, at, header, handler, false);
        }
        final long word = pairWord;
        handler.onFrame(
            FrameDescriptor.type(header), FrameDescriptor.flags(header), FrameDescriptor.source(header),
            FrameDescriptor.dest(header), FrameDescriptor.value(word), FrameDescriptor.sourceEpoch(word),
            FrameDescriptor.destEpoch(word), buffer, at + FrameDescriptor.HEADER_LENGTH, FrameDescriptor.length(header));
        return 1;
    }

    /**
     * Hands on the messages of a NEXT frame, which was checked.
     *
     * @param isAnnounced whether they were; what is not taken as such is handed on by itself.
     * @return their number.
     */
    private int handOnNext(
        final DirectBuffer buffer, final int start, final long next, final FrameHandler handler, final boolean isAnnounced)
    {
        final int count = FrameDescriptor.nextCount(next);
        final int length = FrameDescriptor.length(next);
        final int stride = FrameDescriptor.paddedLength(length);
        final int tag = FrameDescriptor.nextTag(next);
        boolean isTaken = isAnnounced;
        int at = start + FrameDescriptor.NEXT_HEADER_LENGTH;
        for (int i = 0; i < count; i++)
        {
            isTaken = isTaken && handler.onNextRun(FrameDescriptor.FLAGS_WHOLE, tag, buffer, at, length);
            if (!isTaken)
            {
                handler.onFrame(TYPE_DATA, FrameDescriptor.FLAGS_WHOLE, FrameDescriptor.source(pairHeader),
                    FrameDescriptor.dest(pairHeader), tag, FrameDescriptor.sourceEpoch(pairWord),
                    FrameDescriptor.destEpoch(pairWord), buffer, at, length);
            }
            at += stride;
        }
        return count;
    }

    private static int frameLength(final long header)
    {
        return FrameDescriptor.type(header) == TYPE_NEXT ? FrameDescriptor.nextFrameLength(header) :
            FrameDescriptor.frameLength(FrameDescriptor.length(header));
    }

    private static int slots(final long header)
    {
        final int slots = FrameDescriptor.slots(TYPE_DATA, 0, FrameDescriptor.length(header));
        return FrameDescriptor.type(header) == TYPE_NEXT ? FrameDescriptor.nextCount(header) * slots : slots;
    }

    /**
     * Data and NEXT frames of the same pair that follow one, as far as they look well now; each is checked again when its turn
     * comes.
     *
     * @param firstSlots of the one before them.
     * @return their number.
     */
    private int lookAhead(final DirectBuffer buffer, final int start, final int end, final int firstSlots)
    {
        int count = 0;
        int slots = firstSlots;
        int at = start;
        while (slots <= MAX_SLOTS_AHEAD)
        {
            final int length = frameOfPair(buffer, at, end);
            if (length == 0)
            {
                break;
            }
            slots += slots(frameHeader);
            count++;
            at += length;
        }
        slotsAhead = slots;
        return count;
    }

    /**
     * Reads the header of what may be a further data frame of the pair, once, into {@link #frameHeader}: all but flags and length
     * of a DATA frame's is compared with one that was checked, and those are checked here.
     *
     * @return length of the frame; 0 if it is none of the pair, malformed, or does not end here.
     */
    private int frameOfPair(final DirectBuffer buffer, final int at, final int end)
    {
        if (end - at < Long.BYTES)
        {
            return 0;
        }
        final long next = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
        frameHeader = next;
        if (FrameDescriptor.type(next) == TYPE_NEXT)
        {
            final int length = FrameDescriptor.nextFrameLength(next);
            return length <= end - at && checkNext(next) == null ? length : 0;
        }
        if (end - at < FrameDescriptor.HEADER_LENGTH || !FrameDescriptor.isOfSamePair(pairHeader, next) ||
            FrameDescriptor.flags(next) > FrameDescriptor.DATA_FLAGS_MASK || FrameDescriptor.length(next) > maxLength)
        {
            return 0;
        }
        frameWord = buffer.getLong(at + FrameDescriptor.WORD_OFFSET, ByteOrder.LITTLE_ENDIAN);
        final int length = FrameDescriptor.frameLength(FrameDescriptor.length(next));
        return length <= end - at && FrameDescriptor.isOfSameEpochs(pairWord, frameWord) ? length : 0;
    }

    private boolean isAnnounced(final FrameHandler handler)
    {
        return handler.onRunsAhead(FrameDescriptor.source(pairHeader), FrameDescriptor.dest(pairHeader),
            FrameDescriptor.sourceEpoch(pairWord), FrameDescriptor.destEpoch(pairWord), slotsAhead);
    }

    /**
     * Hands on data frames that were announced, each as far as it is what it was when it was looked at in advance.
     *
     * @return how many messages or runs were handed on; what follows is for {@link #decodeFrames}.
     */
    private int decodeRuns(
        final DirectBuffer buffer, final int start, final int end, final int frames, final FrameHandler handler)
    {
        int count = 0;
        int at = start;
        for (int i = 0; i < frames; i++)
        {
            final int frameLength = frameOfPair(buffer, at, end);
            final long next = frameHeader;
            if (frameLength == 0)
            {
                break;
            }
            if (FrameDescriptor.type(next) == TYPE_NEXT)
            {
                count += handOnNext(buffer, at, next, handler, true);
            }
            else if (handler.onNextRun(FrameDescriptor.flags(next), FrameDescriptor.value(frameWord), buffer,
                at + FrameDescriptor.HEADER_LENGTH, FrameDescriptor.length(next)))
            {
                count++;
            }
            else
            {
                break;
            }
            at += frameLength;
        }
        nextRun = at;
        return count;
    }

    /** What a NEXT frame may look like, and that it is behind a data frame. */
    private Drop checkNext(final long next)
    {
        final int count = FrameDescriptor.nextCount(next);
        // empty ones do not share a header: a few bytes would be hundreds of messages
        if (pairHeader == 0 || count == 0 || count > 1 && FrameDescriptor.length(next) == 0 ||
            FrameDescriptor.nextZero(next) != 0)
        {
            return Drop.FRAME_TYPE;
        }
        return FrameDescriptor.length(next) > maxLength ? Drop.FRAME_LENGTH : null;
    }

    /** What a frame may look like, for any receiver. */
    private Drop checkFrame(final long header, final int room)
    {
        if (room < FrameDescriptor.HEADER_LENGTH)
        {
            return Drop.TRUNCATED;
        }
        final int length = FrameDescriptor.length(header);
        final int type = FrameDescriptor.type(header);
        final int flags = FrameDescriptor.flags(header);
        if (type < TYPE_DATA || type > TYPE_BEAT || FrameDescriptor.zero(header) != 0)
        {
            return Drop.FRAME_TYPE;
        }
        if (type >= TYPE_MEMBER && FrameDescriptor.isHigh(header))
        {
            return Drop.FRAME_TYPE;
        }
        if (type == TYPE_DATA)
        {
            return flags > FrameDescriptor.DATA_FLAGS_MASK ? Drop.FRAME_FLAGS :
                length > maxLength ? Drop.FRAME_LENGTH : null;
        }
        final int known = type == TYPE_BEAT ? FrameDescriptor.BEAT_FLAGS_MASK : 0;
        if (type == TYPE_MEMBER ? flags < STATE_OPEN || flags > STATE_GONE : (flags & ~known) != 0)
        {
            return Drop.FRAME_FLAGS;
        }
        return length == 0 ? null : Drop.FRAME_LENGTH;
    }

    /** Whether the source is on the node that sends and the destination here, as far as the type has them. */
    private boolean isAddressed(final long header)
    {
        final int type = FrameDescriptor.type(header);
        final int source = FrameDescriptor.source(header);
        final int dest = FrameDescriptor.dest(header);
        if (type == TYPE_BEAT)
        {
            return source == 0 && dest == 0;
        }
        return map.isOn(peerNode, source) && (type == TYPE_MEMBER ? dest == 0 : map.isOn(ownNode, dest));
    }

    /** Batches that were taken since the link was made. */
    public long taken()
    {
        return taken;
    }
}
