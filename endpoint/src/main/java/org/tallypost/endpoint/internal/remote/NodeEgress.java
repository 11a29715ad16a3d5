// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.transport.MessageTrain;
import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The way of messages out of the node. What the rings to other nodes hold, and what the transport's own thread sends past them,
 * is handed to the transport and counted in the words of the pairs. For the thread that carries packets.
 */
final class NodeEgress implements PacketHandler
{
    private final RemoteNodes nodes;
    private final RingDrain[] drains;
    private final LocalRanks locals;
    private final PeerRanks peers;
    private final SentWords sent;
    private PairListener listener;
    /** Runs of one sender for one receiver follow each other: what was found out for the last one, if its source is not -1. */
    private int routeSource = -1;
    private long routeWord;
    private int routeDest;
    private int routeSentOffset;
    private RingDrain routeDrain;
    private int trainSentOffset;
    /** Whether {@link #send} was left by an Error when the message had been handed on. */
    private boolean isHandedOn;
    /** Whether the transport took the last message of its own thread into a batch, and did not have to keep it for later. */
    private boolean isLastTaken;
    private boolean isRouteOpen;

    NodeEgress(
        final RemoteNodes nodes, final RingDrain[] drains, final LocalRanks locals, final PeerRanks peers, final SentWords sent)
    {
        this.nodes = nodes;
        this.drains = drains;
        this.locals = locals;
        this.peers = peers;
        this.sent = sent;
    }

    /** Ranks come or go: the way of each message is found out anew. Messages go to a listener from now on. */
    void forgetRoute(final PairListener to)
    {
        listener = to;
        routeSource = -1;
    }

    /** Hands on what the ring to another node holds, at most so many runs. */
    int drain(final int other, final PairListener to, final int limit)
    {
        listener = to;
        return drains[other].poll(this, limit);
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        final boolean isNudge = type == PacketDescriptor.TYPE_NUDGE;
        if (length < PacketDescriptor.WORD_LENGTH || !isNudge && type != PacketDescriptor.TYPE_DATA)
        {
            return;
        }
        final long word = from.getLong(offset);
        if ((source != routeSource || (word ^ routeWord) >>> Integer.SIZE != 0) && !route(source, word))
        {
            return;
        }
        if (!isNudge && (flags & PacketDescriptor.FLAG_LAST) != 0)
        {
            sent.countRun(routeSentOffset, routeDrain);
        }
        if (isRouteOpen)
        {
            final int value = isNudge ? MailboxDescriptor.slots(length) : (int)word;
            if (isNudge)
            {
                sent.countNudge(nodes.lineOffset(source, routeDest));
            }
            listener.onRun(isNudge, flags & PacketDescriptor.FLAGS_WHOLE, source, routeDest, value, from,
                offset + PacketDescriptor.WORD_LENGTH, isNudge ? 0 : length - PacketDescriptor.WORD_LENGTH);
        }
    }

    /**
     * Hands on a message of the transport's own thread without the ring, where nothing lies that this thread has sent.
     *
     * @param source  of the message, a rank of this node.
     * @param word    of the run, as it would be in the ring.
     * @param from    that holds the message.
     * @param offset  of the message.
     * @param length  of the message, at most that of a run.
     * @param isBound whether another of its batch, right before it, was handed on.
     * @return false if it has to go by the ring: nothing happened; never, if it is bound.
     */
    boolean send(
        final int source, final long word, final DirectBuffer from, final int offset, final int length, final boolean isBound)
    {
        if ((source != routeSource || (word ^ routeWord) >>> Integer.SIZE != 0) && !routePastRing(source, word))
        {
            return false;
        }
        // may fail: before anything has happened
        final long more = sent.more(routeSentOffset, 1);
        isLastTaken = isRouteOpen && listener.onMessage(source, routeDest, (int)word, from, offset, length);
        if (!isLastTaken)
        {
            if (!isBound)
            {
                return false;
            }
            listener.onRun(false, PacketDescriptor.FLAGS_WHOLE, source, routeDest, (int)word, from, offset, length);
        }
        isHandedOn = true;
        putSent(routeSentOffset, more);
        isHandedOn = false;
        return true;
    }

    /** As {@link #send(int, long, DirectBuffer, int, int, boolean)}: a message of two parts, not bound. */
    boolean send(
        final int source, final long word, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        if ((source != routeSource || (word ^ routeWord) >>> Integer.SIZE != 0) && !routePastRing(source, word))
        {
            return false;
        }
        // may fail: before anything has happened
        final long more = sent.more(routeSentOffset, 1);
        isLastTaken = isRouteOpen && listener.onMessage(
            source, routeDest, (int)word, head, headOffset, headLength, body, bodyOffset, bodyLength);
        if (!isLastTaken)
        {
            return false;
        }
        isHandedOn = true;
        putSent(routeSentOffset, more);
        isHandedOn = false;
        return true;
    }

    /** Finds the way of a message that goes past the ring, in which nothing of its sender lies; false if there is none. */
    private boolean routePastRing(final int source, final long word)
    {
        if (!route(source, word))
        {
            return false;
        }
        // all of the ring up to here was counted; a place that is not renewed for 2^32 slots would be taken for another.
        // If that fails, the way is asked for anew
        routeSource = -1;
        sent.put(routeSentOffset, sent.atPlace(routeSentOffset, routeDrain));
        routeSource = source;
        return true;
    }

    /** Whether an Error has ended the last {@link #send} after its message was handed on: told once. */
    boolean endHandedOn()
    {
        final boolean wasHandedOn = isHandedOn;
        isHandedOn = false;
        return wasHandedOn;
    }

    /** What an Error keeps from its word is put first when somebody asks for a way, as {@link #send} and each run then do. */
    private void putSent(final int offset, final long word)
    {
        try
        {
            sent.put(offset, word);
        }
        catch (final Throwable t)
        {
            routeSource = -1;
            throw t;
        }
    }

    /** Whether messages like the one that {@link #send} has just handed on may follow it in place. */
    boolean beginTrain(final MessageTrain train)
    {
        trainSentOffset = routeSentOffset;
        // nothing overtakes what the transport has had to keep
        return isLastTaken && listener.onTrain(train);
    }

    /** Those that have followed are counted, if there are any. */
    void endTrain(final MessageTrain train)
    {
        if (train.count() == 0)
        {
            train.end();
            return;
        }
        sent.putOwed();
        // may fail: then the train is not ended
        final long more = sent.more(trainSentOffset, train.count());
        listener.onTrainEnd(train.end());
        putSent(trainSentOffset, more);
    }

    /** Finds out where a run goes, until ranks come or go; false if nowhere. */
    private boolean route(final int source, final long word)
    {
        routeSource = -1;
        sent.putOwed();
        final int dest = RemoteDescriptor.dest(word);
        if (nodes.isRemote(source) || dest >= nodes.map().rankCount() || !nodes.isRemote(dest) ||
            !RemoteDescriptor.isOfView(word, peers.viewEpoch(dest)) ||
            !RemoteDescriptor.isOfSender(word, locals.sendingEpoch(source)))
        {
            return false;
        }
        routeSource = source;
        routeWord = word;
        routeDest = dest;
        routeSentOffset = nodes.lineOffset(source, dest) + RemoteDescriptor.SENT_OFFSET;
        routeDrain = drains[nodes.map().nodeOf(dest)];
        isRouteOpen = peers.isOpen(dest);
        return true;
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        // room in the ring is what its read position says
    }
}
