// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_GRANT;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_NUDGED;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_RECEIPT;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_REQUEST;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_RESPONSE;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.PairPort;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * The pairs of a link, in both directions: credits, receipts, requests, responses, and which of the counts have to be told. A
 * count waits here as one bit, however often it changes. For the agent's thread.
 */
final class LinkPairs
{
    private static final int FULL_REPEAT = 10;
    /** Slots of a sender in a high ring that are not for data. */
    private static final int HIGH_CREDIT_SLOTS = 1;
    /** In the order in which they are told: the credits for a nudge before that it was read. */
    private static final int[] CONTROLS = {TYPE_RESPONSE, TYPE_REQUEST, TYPE_GRANT, TYPE_RECEIPT, TYPE_NUDGED};
    /** So long what nobody waits for waits for other frames to go with. */
    private static final long COMPANY_NS = 200_000;

    private final PairPort port;
    /** In the headers of all frames of these pairs: {@link FrameDescriptor#HIGH}, or 0. */
    private final long priority;
    private final RankMap map;
    private final int[] locals;
    private final int[] peers;
    private final EgressPairs egress;
    private final IngressPairs ingress;
    private final int[] localEpochs;
    private final int[] peerEpochs;
    /** What waits to be told, by kind of control frame. */
    private final PairSet[] dirty = new PairSet[FrameDescriptor.TYPE_BEAT];
    /** Pairs with a count that was not 0 at some repetition: a count wraps round to 0, and has to be repeated then as well. */
    private final PairSet[] begun = new PairSet[FrameDescriptor.TYPE_BEAT];
    /** Requests that could not be answered yet. */
    private final PairSet owing;
    private final PairSet recent;
    /** Messages that were sent when the leases were looked at last. */
    private final int[] sentBefore;
    private int repeats;
    private long dirtyNs;
    private boolean isTimed;
    /** Somebody may wait for what is to be told. */
    private boolean isUrgent;
    private int openings;
    /** For the packets for which room was claimed. */
    private boolean isReceiptDirty;

    /** Pairs of mailboxes. */
    LinkPairs(final NodePort port, final RankMap map, final int ownNode, final int peerNode, final Drops drops)
    {
        this(port, 0, port.settings().slotsPerSender(), port.settings().creditSlots(), map, ownNode, peerNode, drops);
    }

    private LinkPairs(
        final PairPort port, final long priority, final int slotsPerSender, final int keep, final RankMap map, final int ownNode,
        final int peerNode, final Drops drops)
    {
        this.port = port;
        this.priority = priority;
        this.map = map;
        locals = map.ranks(ownNode);
        peers = map.ranks(peerNode);
        final int pairs = locals.length * peers.length;
        final int dataRegion = (slotsPerSender - keep) * map.rankCount();
        egress = new EgressPairs(pairs, dataRegion, drops);
        ingress = new IngressPairs(pairs, drops);
        localEpochs = new int[pairs];
        peerEpochs = new int[pairs];
        for (final int type : CONTROLS)
        {
            dirty[type] = new PairSet(pairs);
            begun[type] = new PairSet(pairs);
        }
        owing = new PairSet(pairs);
        recent = new PairSet(pairs);
        sentBefore = new int[pairs];
    }

    /** Pairs of high rings; null if there are no priorities. */
    static LinkPairs high(
        final NodePort port, final RankMap map, final int ownNode, final int peerNode, final Drops drops)
    {
        final int slots = port.settings().highSlots();
        return slots == 0 ? null :
            new LinkPairs(port.high(), FrameDescriptor.HIGH, slots, HIGH_CREDIT_SLOTS, map, ownNode, peerNode, drops);
    }

    /** In the headers of all frames of these pairs. */
    long priority()
    {
        return priority;
    }

    /** Number of the pair of a rank here and one there. */
    int pair(final int local, final int peer)
    {
        return map.localIndex(local) * peers.length + map.localIndex(peer);
    }

    void open(final int local, final int localEpoch, final int peer, final int peerEpoch)
    {
        final int pair = pair(local, peer);
        openings++;
        localEpochs[pair] = localEpoch;
        peerEpochs[pair] = peerEpoch;
        egress.open(pair, localEpoch, peerEpoch);
        ingress.open(pair, peerEpoch, localEpoch);
        owing.remove(pair);
        for (final int type : CONTROLS)
        {
            dirty[type].remove(pair);
            begun[type].remove(pair);
        }
    }

    /** Nothing is written for the pair any more; what is known to have arrived is still of interest. */
    void close(final int local, final int peer)
    {
        ingress.close(pair(local, peer));
    }

    /** The link is over. */
    void clear()
    {
        for (final int type : CONTROLS)
        {
            dirty[type].clear();
        }
        owing.clear();
        recent.clear();
        isUrgent = false;
        isTimed = false;
        for (int pair = 0; pair < localEpochs.length; pair++)
        {
            egress.close(pair);
            ingress.close(pair);
        }
    }

    /** How often a pair was opened: as long as it is the same, so are the epochs of all pairs. */
    int openings()
    {
        return openings;
    }

    int localEpoch(final int pair)
    {
        return localEpochs[pair];
    }

    int peerEpoch(final int pair)
    {
        return peerEpochs[pair];
    }

    void onSent(final int pair, final int messages)
    {
        egress.onSent(pair, messages);
    }

    /** Messages of all pairs that have gone into batches. */
    long sentMessages()
    {
        return egress.sentMessages();
    }

    /** Messages of all pairs that have come. */
    long receivedMessages()
    {
        return ingress.receivedMessages();
    }

    void onNudge(final int pair)
    {
        egress.onNudge(pair);
    }

    void onCredits(final int local, final int peer, final int credits)
    {
        final int pair = pair(local, peer);
        if (ingress.isOpen(pair))
        {
            ingress.grant(pair, credits);
            tell(TYPE_GRANT, pair);
            isUrgent |= ingress.isGrantUrgent(pair);
        }
    }

    void onRequest(final int local, final int peer)
    {
        final int pair = pair(local, peer);
        if (ingress.isOpen(pair))
        {
            ingress.request(pair);
            tell(TYPE_REQUEST, pair);
            isUrgent = true;
        }
    }

    /** A receiver here has read nudges: the sender waits for that. */
    void onNudgesRead(final int local, final int peer, final int nudges)
    {
        final int pair = pair(local, peer);
        if (ingress.isOpen(pair))
        {
            ingress.onNudgesRead(pair, nudges);
            tell(TYPE_NUDGED, pair);
            isUrgent = true;
        }
    }

    private void tell(final int type, final int pair)
    {
        dirty[type].add(pair);
        recent.add(pair);
    }

    /** Whether a packet of a peer may be written to the mailbox of a rank here. */
    boolean onPacket(
        final int local, final int peer, final int peerEpoch, final int localEpoch, final int slots, final boolean isEnd)
    {
        final int pair = pair(local, peer);
        if (!ingress.onPacket(pair, peerEpoch, localEpoch, slots, isEnd))
        {
            return false;
        }
        if (isEnd)
        {
            tell(TYPE_RECEIPT, pair);
        }
        isUrgent |= ingress.isGrantUrgent(pair);
        return true;
    }

    /** Claims room in a mailbox for packets of a peer that come next, if all of them are paid for as far as can be seen now. */
    boolean reserve(final int local, final int peer, final int peerEpoch, final int localEpoch, final int slots)
    {
        final int pair = pair(local, peer);
        isReceiptDirty = false;
        if (!ingress.mayTake(pair, peerEpoch, localEpoch, slots) || !port.reserve(peer, local, slots))
        {
            return false;
        }
        ingress.reserve(pair, slots);
        isUrgent |= ingress.isGrantUrgent(pair);
        return true;
    }

    /** Writes the next packet for which room was claimed; false if it has no place there. */
    boolean deliverNext(final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!port.deliverNext(flags, value, buffer, offset, length))
        {
            return false;
        }
        final boolean isEnd = (flags & FrameDescriptor.FLAG_LAST) != 0;
        final int pair = ingress.onNextRun(FrameDescriptor.slots(FrameDescriptor.TYPE_DATA, 0, length), isEnd);
        if (isEnd && !isReceiptDirty)
        {
            isReceiptDirty = true;
            tell(TYPE_RECEIPT, pair);
        }
        return true;
    }

    /** The packets for which room was claimed have come, or do not come: what is left of the room is given up. */
    void release()
    {
        ingress.release();
        port.release();
    }

    /** A control frame of a pair. */
    void onControl(
        final int type, final int local, final int peer, final int value, final int peerEpoch, final int localEpoch)
    {
        final int pair = pair(local, peer);
        switch (type)
        {
            case TYPE_GRANT:
                final int credits = egress.onGrant(pair, localEpoch, peerEpoch, value);
                if (credits > 0)
                {
                    port.addCredits(local, peer, credits);
                }
                break;
            case TYPE_RECEIPT:
                final int before = egress.unacknowledged(pair);
                egress.onReceipt(pair, localEpoch, peerEpoch, value);
                port.received(local, peer, before - egress.unacknowledged(pair));
                break;
            case TYPE_NUDGED:
                final int nudges = egress.onNudged(pair, localEpoch, peerEpoch, value);
                if (nudges > 0)
                {
                    port.nudgesRead(local, peer, nudges);
                }
                break;
            case TYPE_REQUEST:
                if (egress.onRequest(pair, localEpoch, peerEpoch, value))
                {
                    owing.add(pair);
                }
                break;
            default:
                final int back = ingress.onReturned(pair, peerEpoch, localEpoch, value);
                if (back > 0)
                {
                    port.respond(peer, local, back);
                }
                break;
        }
    }

    /**
     * Answers requests for which there are credits now.
     *
     * @param keep credits that stay with each sender.
     */
    void answer(final int keep)
    {
        for (int pair = owing.next(0); pair >= 0; pair = owing.next(pair + 1))
        {
            final int credits = port.takeCredits(locals[pair / peers.length], peers[pair % peers.length], keep);
            if (credits > 0)
            {
                egress.giveBack(pair, credits);
                owing.remove(pair);
                tell(TYPE_RESPONSE, pair);
                isUrgent = true;
            }
        }
    }

    /**
     * Gives back what senders hold beyond their static slots that have sent nothing since the last call.
     *
     * @param keep credits that stay with each sender.
     */
    void endLeases(final int keep)
    {
        for (int pair = 0; pair < localEpochs.length; pair++)
        {
            final int sent = egress.sent(pair);
            if (egress.isOpen(pair) && sent == sentBefore[pair])
            {
                final int credits = port.takeExcess(locals[pair / peers.length], peers[pair % peers.length], keep);
                if (credits > 0)
                {
                    egress.giveBack(pair, credits);
                    owing.remove(pair);
                    tell(TYPE_RESPONSE, pair);
                    isUrgent = true;
                }
            }
            sentBefore[pair] = sent;
        }
    }

    /** Counts that changed are told once more after a while, and all of them now and then. */
    void repeat()
    {
        final boolean isFull = ++repeats % FULL_REPEAT == 0;
        for (int pair = 0; pair < localEpochs.length; pair++)
        {
            if (isFull && ingress.isOpen(pair))
            {
                recent.add(pair);
            }
        }
        for (int pair = recent.next(0); pair >= 0; pair = recent.next(pair + 1))
        {
            for (final int type : CONTROLS)
            {
                // between two repetitions no count grows by 2^32: it is seen before it is 0 again
                if (count(type, pair) != 0)
                {
                    begun[type].add(pair);
                }
                if (begun[type].contains(pair))
                {
                    dirty[type].add(pair);
                }
            }
        }
        recent.clear();
    }

    private int count(final int type, final int pair)
    {
        switch (type)
        {
            case TYPE_RESPONSE:
                return egress.returned(pair);
            case TYPE_REQUEST:
                return ingress.requested(pair);
            case TYPE_GRANT:
                return ingress.granted(pair);
            case TYPE_NUDGED:
                return ingress.nudged(pair);
            default:
                return ingress.received(pair);
        }
    }

    /**
     * Tells what there is to tell: at once what somebody may wait for or what goes with other frames, the rest when it has waited
     * for company long enough.
     *
     * @return number of frames.
     */
    int tellDue(final BatchAssembler assembler, final long nowNs)
    {
        return isDue(assembler, nowNs) ? tellAll(assembler) : 0;
    }

    /**
     * Tells all there is to tell.
     *
     * @return number of frames; what found no room is tried again.
     */
    int tellAll(final BatchAssembler assembler)
    {
        isUrgent = false;
        isTimed = false;
        int count = 0;
        for (final int type : CONTROLS)
        {
            count += tell(type, assembler);
        }
        isUrgent = !isQuiet();
        return count;
    }

    private boolean isDue(final BatchAssembler assembler, final long nowNs)
    {
        if (isUrgent || assembler.pendingFrames() > 0 || isQuiet())
        {
            return true;
        }
        if (!isTimed)
        {
            isTimed = true;
            dirtyNs = nowNs;
        }
        return nowNs - dirtyNs >= COMPANY_NS;
    }

    private int tell(final int type, final BatchAssembler assembler)
    {
        final PairSet set = dirty[type];
        int count = 0;
        for (int pair = set.next(0); pair >= 0; pair = set.next(pair + 1))
        {
            if (!assembler.appendControl(
                priority | FrameDescriptor.header(type, 0, locals[pair / peers.length], peers[pair % peers.length], 0),
                FrameDescriptor.word(count(type, pair), localEpochs[pair], peerEpochs[pair])))
            {
                return count;
            }
            if (type == TYPE_GRANT)
            {
                ingress.grantTold(pair);
            }
            set.remove(pair);
            count++;
        }
        return count;
    }

    boolean isQuiet()
    {
        for (final int type : CONTROLS)
        {
            if (!dirty[type].isEmpty())
            {
                return false;
            }
        }
        return true;
    }
}
