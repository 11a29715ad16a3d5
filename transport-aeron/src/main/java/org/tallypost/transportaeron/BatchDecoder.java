// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.tallypost.transportaeron.FrameDescriptor.STATE_GONE;
import static org.tallypost.transportaeron.FrameDescriptor.STATE_OPEN;
import static org.tallypost.transportaeron.FrameDescriptor.TYPE_BEAT;
import static org.tallypost.transportaeron.FrameDescriptor.TYPE_DATA;
import static org.tallypost.transportaeron.FrameDescriptor.TYPE_MEMBER;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.RankMap;

/**
 * Takes batches of one node apart. The bytes come from a network: nothing of them is believed before it is checked, and
 * each word is read once, so that memory which changes meanwhile cannot pass a check and then be something else. For one thread.
 *
 * <p>A frame that is malformed ends its batch: where it ends is not known, and the node that sent it is mad. A frame for
 * a rank that is not here is passed over. Batches come in sequence, or the link is broken.
 */
final class BatchDecoder
{
    /** The batch was refused, and nothing of it was handed on; the link stays. */
    static final int REFUSED = -1;
    /** Something is missing or malformed: the link cannot go on. What came before was handed on. */
    static final int BROKEN = -2;

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
    private int nextSequence;
    private boolean isOpen;
    private boolean isBroken;
    /** Slots of the data frames that were looked at in advance, and of the one before them. */
    private int slotsAhead;
    /** Where the first frame lies that {@link #decodeRuns} has not handed on. */
    private int nextRun;

    /**
     * A decoder without a link: it refuses everything until {@link #open}.
     *
     * @param ownNode        index of this node.
     * @param peerNode       index of the node from which batches come.
     * @param groupHash      of the group's terms.
     * @param maxBatchLength longest batch in bytes.
     * @param maxLength      most bytes that a data frame may have.
     * @param topology       that says which ranks are where.
     * @param drops          to count in.
     */
    BatchDecoder(
        final int ownNode, final int peerNode, final int groupHash, final int maxBatchLength, final int maxLength,
        final Topology topology, final Drops drops)
    {
        this.ownNode = ownNode;
        this.peerNode = peerNode;
        this.groupHash = groupHash;
        this.maxBatchLength = maxBatchLength;
        this.maxLength = Math.min(maxLength, FrameDescriptor.MAX_LENGTH);
        map = topology.map();
        this.drops = drops;
    }

    /** A link was made: only batches with both of its epochs are taken, from sequence 0 on. */
    void open(final int ownEpoch, final int peerEpoch)
    {
        receiverEpoch = ownEpoch;
        senderEpoch = peerEpoch;
        nextSequence = 0;
        isOpen = true;
        isBroken = false;
    }

    /** The link is down. */
    void close()
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
     * @return number of frames handed on, or {@link #REFUSED} or {@link #BROKEN}.
     */
    int decode(final DirectBuffer buffer, final int offset, final int length, final FrameHandler handler)
    {
        final Drop reason = checkHeader(buffer, offset, length);
        if (reason != null)
        {
            drops.add(reason);
            return REFUSED;
        }
        final int ahead = BatchDescriptor.sequence(buffer, offset) - nextSequence;
        if (ahead < 0)
        {
            drops.add(Drop.REPEATED);
            return REFUSED;
        }
        if (ahead > 0)
        {
            return broken(Drop.GAP);
        }
        nextSequence++;
        return decodeFrames(buffer, offset + BatchDescriptor.HEADER_LENGTH, offset + length, handler);
    }

    private Drop checkHeader(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < BatchDescriptor.HEADER_LENGTH || offset < 0 || offset > buffer.capacity() - length)
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

    private int decodeFrames(final DirectBuffer buffer, final int start, final int end, final FrameHandler handler)
    {
        int count = 0;
        int at = start;
        int ahead = 0;
        while (at < end)
        {
            if (end - at < FrameDescriptor.HEADER_LENGTH)
            {
                return broken(Drop.TRUNCATED);
            }
            final long header = buffer.getLong(at + FrameDescriptor.HEADER_OFFSET, ByteOrder.LITTLE_ENDIAN);
            final int length = FrameDescriptor.length(header);
            final int frameLength = FrameDescriptor.frameLength(length);
            final Drop reason = checkFrame(header, length);
            if (reason != null)
            {
                return broken(reason);
            }
            if (frameLength > end - at)
            {
                return broken(Drop.TRUNCATED);
            }
            if (isAddressed(header))
            {
                final long word = buffer.getLong(at + FrameDescriptor.WORD_OFFSET, ByteOrder.LITTLE_ENDIAN);
                if (FrameDescriptor.type(header) != TYPE_DATA)
                {
                    ahead = 0;
                }
                else if (--ahead < 0)
                {
                    ahead = lookAhead(buffer, at + frameLength, end, header, word);
                    if (ahead > 0 && isAnnounced(header, word, handler))
                    {
                        final int taken = decodeRuns(buffer, at, end, header, word, ahead + 1, handler);
                        if (taken > 0)
                        {
                            count += taken;
                            at = nextRun;
                            ahead = 0;
                            continue;
                        }
                    }
                }
                handler.onFrame(
                    FrameDescriptor.type(header), FrameDescriptor.flags(header), FrameDescriptor.source(header),
                    FrameDescriptor.dest(header), FrameDescriptor.value(word), FrameDescriptor.sourceEpoch(word),
                    FrameDescriptor.destEpoch(word), buffer, at + FrameDescriptor.HEADER_LENGTH, length);
                count++;
            }
            else
            {
                drops.add(Drop.RANK);
            }
            at += frameLength;
        }
        return count;
    }

    /**
     * Data frames of the same pair that follow one, as far as they look well now; each is checked again when its turn comes.
     *
     * @return their number.
     */
    private int lookAhead(
        final DirectBuffer buffer, final int start, final int end, final long header, final long word)
    {
        int count = 0;
        int slots = FrameDescriptor.slots(TYPE_DATA, 0, FrameDescriptor.length(header));
        int at = start;
        while (end - at >= FrameDescriptor.HEADER_LENGTH && slots <= MAX_SLOTS_AHEAD)
        {
            final long next = buffer.getLong(at + FrameDescriptor.HEADER_OFFSET, ByteOrder.LITTLE_ENDIAN);
            final int length = FrameDescriptor.length(next);
            if (!FrameDescriptor.isOfSamePair(header, next) || length > maxLength ||
                !FrameDescriptor.isOfSameEpochs(word, buffer.getLong(at + FrameDescriptor.WORD_OFFSET, ByteOrder.LITTLE_ENDIAN)))
            {
                break;
            }
            slots += FrameDescriptor.slots(TYPE_DATA, 0, length);
            count++;
            at += FrameDescriptor.frameLength(length);
        }
        slotsAhead = slots;
        return count;
    }

    private boolean isAnnounced(final long header, final long word, final FrameHandler handler)
    {
        return handler.onRunsAhead(FrameDescriptor.source(header), FrameDescriptor.dest(header),
            FrameDescriptor.sourceEpoch(word), FrameDescriptor.destEpoch(word), slotsAhead);
    }

    /**
     * Hands on data frames that were announced, each as far as it is what it was when it was looked at in advance: all but the
     * flags and the length of a header were compared with one that was checked, and those are checked here.
     *
     * @return how many were handed on; what follows is for {@link #decodeFrames}.
     */
    private int decodeRuns(
        final DirectBuffer buffer, final int start, final int end, final long header, final long word, final int runs,
        final FrameHandler handler)
    {
        int count = 0;
        int at = start;
        while (count < runs && end - at >= FrameDescriptor.HEADER_LENGTH)
        {
            final long next = buffer.getLong(at + FrameDescriptor.HEADER_OFFSET, ByteOrder.LITTLE_ENDIAN);
            final long nextWord = buffer.getLong(at + FrameDescriptor.WORD_OFFSET, ByteOrder.LITTLE_ENDIAN);
            final int length = FrameDescriptor.length(next);
            final int frameLength = FrameDescriptor.frameLength(length);
            if (!FrameDescriptor.isOfSamePair(header, next) || !FrameDescriptor.isOfSameEpochs(word, nextWord) ||
                FrameDescriptor.flags(next) > FrameDescriptor.DATA_FLAGS_MASK || length > maxLength ||
                frameLength > end - at || !handler.onNextRun(FrameDescriptor.flags(next), FrameDescriptor.value(nextWord),
                buffer, at + FrameDescriptor.HEADER_LENGTH, length))
            {
                break;
            }
            count++;
            at += frameLength;
        }
        nextRun = at;
        return count;
    }

    /** What a frame may look like, whoever it is for. */
    private Drop checkFrame(final long header, final int length)
    {
        final int type = FrameDescriptor.type(header);
        final int flags = FrameDescriptor.flags(header);
        if (type < TYPE_DATA || type > TYPE_BEAT || FrameDescriptor.zero(header) != 0)
        {
            return Drop.FRAME_TYPE;
        }
        if (type == TYPE_DATA)
        {
            return flags > FrameDescriptor.DATA_FLAGS_MASK ? Drop.FRAME_FLAGS :
                length > maxLength ? Drop.FRAME_LENGTH : null;
        }
        final boolean isMember = type == TYPE_MEMBER;
        if (isMember ? flags < STATE_OPEN || flags > STATE_GONE : flags != 0)
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

    /** Sequence of the batch that is expected next. */
    int nextSequence()
    {
        return nextSequence;
    }
}
