// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_DATA;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_NUDGE;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.MessageTrain;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * What ranks here send to those of another node, on its way into batches. What the frames of a pair have in common is looked
 * up for the first of those that follow each other. For the agent's thread.
 */
final class EgressRuns
{
    private final LinkPairs pairs;
    private BatchAssembler assembler;
    /** What has to wait for room in a batch, and nothing overtakes. */
    private final FrameStash stash;
    private int lastSender = -1;
    private int lastReceiver;
    private int lastOpenings;
    private int pair;
    private long route;
    private long epochs;

    EgressRuns(final LinkPairs pairs, final BatchAssembler assembler, final FrameStash stash)
    {
        this.pairs = pairs;
        this.assembler = assembler;
        this.stash = stash;
    }

    /** What comes next goes by another stream. */
    void use(final BatchAssembler other)
    {
        assembler = other;
    }

    /** A run of a rank here for one there. */
    void onRun(
        final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        final int type = isNudge ? TYPE_NUDGE : TYPE_DATA;
        final int dataFlags = isNudge ? 0 : flags;
        if (!append(type, dataFlags, sender, receiver, value, buffer, offset, length))
        {
            stash.add(
                route | FrameDescriptor.kind(type, dataFlags, length), epochs | value & 0xFFFF_FFFFL, buffer, offset, length);
        }
        if (isNudge)
        {
            pairs.onNudge(pair);
        }
        else if ((flags & FrameDescriptor.FLAG_LAST) != 0)
        {
            pairs.onSent(pair, 1);
        }
    }

    /** A message of this thread itself, behind all that went out before; false if it cannot go into a batch now. */
    boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!append(TYPE_DATA, FrameDescriptor.FLAGS_WHOLE, sender, receiver, tag, buffer, offset, length))
        {
            return false;
        }
        pairs.onSent(pair, 1);
        return true;
    }

    /** As {@link #onMessage(int, int, int, DirectBuffer, int, int)}: of two parts, one behind the other. */
    boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer head, final int headOffset,
        final int headLength, final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        if (sender != lastSender || receiver != lastReceiver || lastOpenings != pairs.openings())
        {
            lookUp(sender, receiver);
        }
        final int length = headLength + bodyLength;
        if (!stash.isEmpty() || !assembler.append(
            route | FrameDescriptor.kind(TYPE_DATA, FrameDescriptor.FLAGS_WHOLE, length), epochs | tag & 0xFFFF_FFFFL,
            head, headOffset, headLength, body, bodyOffset, bodyLength))
        {
            return false;
        }
        pairs.onSent(pair, 1);
        return true;
    }

    /** Whether messages like the one just taken may follow it in place. */
    boolean onTrain(final MessageTrain train)
    {
        return stash.isEmpty() && assembler.beginTrain(train);
    }

    /** So many have followed. */
    void onTrainEnd(final int count)
    {
        assembler.endTrain(count);
        pairs.onSent(pair, count);
    }

    /** False if it has to wait: there is no room in the batch, or something waits already. */
    private boolean append(
        final int type, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        if (sender != lastSender || receiver != lastReceiver || lastOpenings != pairs.openings())
        {
            lookUp(sender, receiver);
        }
        return stash.isEmpty() && assembler.append(
            route | FrameDescriptor.kind(type, flags, length), epochs | value & 0xFFFF_FFFFL, buffer, offset, length);
    }

    private void lookUp(final int sender, final int receiver)
    {
        lastSender = sender;
        lastReceiver = receiver;
        lastOpenings = pairs.openings();
        pair = pairs.pair(sender, receiver);
        route = pairs.priority() | FrameDescriptor.route(sender, receiver);
        epochs = FrameDescriptor.word(0, pairs.localEpoch(pair), pairs.peerEpoch(pair));
    }
}
