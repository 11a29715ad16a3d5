// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.endpoint.transport.PairPort;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The pairs of ranks here and on other nodes, with one priority: mailboxes here written as a network card would, words of pairs
 * kept. What leaves the node is {@link NodeEgress}'s. For the thread that carries packets.
 */
class PairRings implements PairPort
{
    private final NodeRuntime node;
    private final Wakeups wakeups;
    private final RemoteNodes nodes;
    private final RankMap map;
    private final UnsafeBuffer words;
    private final SentWords sent;
    private final RingDrain[] drains;
    private final Mailbox[] mailboxes;
    private final RunWriter writer;
    private final long ownerWord;
    private LocalRanks locals;
    private PeerRanks peers;
    private NodeEgress egress;

    /** Pairs that are closed, of a node or of its high rings. {@link #begin} comes next. */
    PairRings(final NodeRuntime node, final SendingThreads threads, final Wakeups wakeups)
    {
        this.node = node;
        this.wakeups = wakeups;
        nodes = node.remote();
        map = nodes.map();
        words = nodes.buffer();
        sent = new SentWords(words);
        ownerWord = node.ownerWord();
        mailboxes = new Mailbox[map.rankCount(nodes.node())];
        writer = new RunWriter(threads, map, nodes.node(), mailboxes, node.mailboxes().firstId());
        drains = new RingDrain[map.nodeCount()];
        for (int other = 0; other < drains.length; other++)
        {
            drains[other] = other == nodes.node() ? null : new RingDrain(node, other);
        }
    }

    /** With the ranks that are there, of both priorities. */
    final void begin(final LocalRanks allLocals, final PeerRanks allPeers)
    {
        locals = allLocals;
        peers = allPeers;
        egress = new NodeEgress(nodes, drains, locals, peers, sent);
    }

    /** Consumers of the rings, by node; null for this one. */
    final RingDrain[] drains()
    {
        return drains;
    }

    /** What leaves the node. */
    final NodeEgress egress()
    {
        return egress;
    }

    /** A rank here is open, and its mailbox is written from now on. May throw: then it is not. */
    final void openMailbox(final int local, final int epoch)
    {
        mailboxes[map.localIndex(local)] = node.mailboxes().get(local, epoch);
    }

    /** The mailbox of a rank here is not written any more. */
    final void closeMailbox(final int local)
    {
        mailboxes[map.localIndex(local)] = null;
    }

    /** A rank here and a peer are both open: all counts of the pair begin at 0. */
    final void openPair(
        final int local, final int localEpoch, final int peer, final int peerEpoch, final PairListener listener)
    {
        final int line = nodes.lineOffset(local, peer);
        sent.putOwed();
        words.putLong(line + RemoteDescriptor.SENT_OFFSET,
            RemoteDescriptor.sentWord(0, drains[map.nodeOf(peer)].position() - 1));
        words.putLong(line + RemoteDescriptor.RECEIVED_OFFSET, 0L);
        words.putLong(line + RemoteDescriptor.NUDGES_OFFSET, 0L);
        words.putLong(line + RemoteDescriptor.NUDGES_READ_OFFSET, 0L);
        writer.forgetNudges(local, peer);
        words.putLong(line + PacketDescriptor.AWAITED_OFFSET, 0L);
        listener.onPairOpened(local, localEpoch, peer, peerEpoch);
        // what the receiver here has put into the sender's word before this
        nodes.mark(local, peer, RemoteDescriptor.GRANT);
        CreditWord.set(words, line, RemoteDescriptor.pairEpoch(localEpoch, peers.viewEpoch(peer)), 0);
    }

    private long unacknowledgedOf(final int line)
    {
        sent.putOwed();
        return RemoteDescriptor.sentCount(words.getLong(line + RemoteDescriptor.SENT_OFFSET)) -
            (int)words.getLong(line + RemoteDescriptor.RECEIVED_OFFSET);
    }

    @Override
    public final int drain(final int other, final PairListener to, final int limit)
    {
        return egress.drain(other, to, limit);
    }

    @Override
    public final boolean deliver(
        final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        final Mailbox mailbox = mailboxes[map.localIndex(receiver)];
        if (mailbox == null || !isOurs(mailbox, sender))
        {
            return false;
        }
        writer.write(mailbox, isNudge, flags, sender, value, buffer, offset, length);
        return true;
    }

    @Override
    public final boolean reserve(final int sender, final int receiver, final int slots)
    {
        final Mailbox mailbox = mailboxes[map.localIndex(receiver)];
        if (mailbox == null || !isOurs(mailbox, sender))
        {
            return false;
        }
        writer.reserve(mailbox, sender, slots);
        return true;
    }

    @Override
    public final boolean deliverNext(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        return writer.writeNext(flags, value, buffer, offset, length);
    }

    @Override
    public final void release()
    {
        writer.release();
    }

    @Override
    public final boolean respond(final int sender, final int receiver, final int credits)
    {
        final Mailbox mailbox = mailboxes[map.localIndex(receiver)];
        if (mailbox == null || !isOurs(mailbox, sender) || credits < 1)
        {
            return false;
        }
        writer.respond(mailbox, sender, credits);
        return true;
    }

    /**
     * Whether a receiver counts with the sender's incarnation that is open here. It closes the pair only after this thread has
     * closed the peer, or after this process was declared gone.
     */
    private boolean isOurs(final Mailbox mailbox, final int sender)
    {
        return peers.isOpen(sender) && CreditWord.epoch(
            CreditWord.get(mailbox.buffer(), MailboxDescriptor.sourceLineOffset(sender))) == peers.viewEpoch(sender);
    }

    @Override
    public final int pollCredits(final PairListener to)
    {
        // before the marks: credits for what is read by now are there when these are looked at
        int work = writer.pollNudges(to);
        for (final int local : locals.ranks())
        {
            work += pollMarks(local, RemoteDescriptor.GRANT, to) + pollMarks(local, RemoteDescriptor.REQUEST, to);
        }
        return work;
    }

    private int pollMarks(final int local, final int kind, final PairListener to)
    {
        final int offset = nodes.marksOffset(local, kind);
        if (words.getLongVolatile(offset) == 0)
        {
            return 0;
        }
        // SYNC POINT remote-mark: cleared before it is looked at, at both levels
        words.getAndSetLong(offset, 0L);
        int work = 0;
        for (int first = 0; first < map.rankCount(); first += Long.SIZE)
        {
            final int at = offset + RemoteDescriptor.LINE_LENGTH + first / Long.SIZE * Long.BYTES;
            long bits = words.getLongVolatile(at) == 0 ? 0 : words.getAndSetLong(at, 0L);
            while (bits != 0)
            {
                final int peer = first + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                if (peer < map.rankCount() && nodes.isRemote(peer) && peers.isOpen(peer))
                {
                    work++;
                    onMark(local, peer, kind, to);
                }
            }
        }
        return work;
    }

    private void onMark(final int local, final int peer, final int kind, final PairListener to)
    {
        final Mailbox mailbox = mailboxes[map.localIndex(local)];
        if (mailbox == null || locals.openEpoch(local) == 0)
        {
            return;
        }
        if (kind == RemoteDescriptor.REQUEST)
        {
            to.onRequest(local, peer);
            return;
        }
        final int line = MailboxDescriptor.sourceLineOffset(peer);
        if (isOurs(mailbox, peer))
        {
            // the claims that the receiver has to wait for when it closes the pair: before any packet
            mailbox.buffer().putLongVolatile(line + PacketDescriptor.PAIR_OWNER_OFFSET, ownerWord);
            final int credits = CreditWord.take(mailbox.buffer(), line, peers.viewEpoch(peer), Integer.MAX_VALUE, 0);
            if (credits > 0)
            {
                to.onCredits(local, peer, credits);
            }
        }
    }

    @Override
    public final void addCredits(final int sender, final int receiver, final int credits)
    {
        final int line = nodes.lineOffset(sender, receiver);
        CreditWord.add(words, line, epoch(sender, receiver), credits);
        wakeups.granted(words, line, sender);
    }

    @Override
    public final int takeCredits(final int sender, final int receiver, final int keep)
    {
        final int excess = takeExcess(sender, receiver, keep);
        return excess > 0 ? excess : takeOne(nodes.lineOffset(sender, receiver), epoch(sender, receiver));
    }

    @Override
    public final int takeExcess(final int sender, final int receiver, final int keep)
    {
        final int line = nodes.lineOffset(sender, receiver);
        final int epoch = epoch(sender, receiver);
        final int excess = CreditWord.take(words, line, epoch, Integer.MAX_VALUE, keep + 1);
        // and the one that pays, if nobody has used it meanwhile: the response gives back one less then
        return excess > 0 ? excess + takeOne(line, epoch) : 0;
    }

    private int takeOne(final int line, final int epoch)
    {
        return CreditWord.take(words, line, epoch, 1, 0);
    }

    private int epoch(final int sender, final int receiver)
    {
        return RemoteDescriptor.pairEpoch(locals.openEpoch(sender), peers.viewEpoch(receiver));
    }

    @Override
    public final void received(final int sender, final int receiver, final int more)
    {
        if (peers.isOpen(receiver))
        {
            final int at = nodes.lineOffset(sender, receiver) + RemoteDescriptor.RECEIVED_OFFSET;
            words.putLongRelease(at, words.getLong(at) + more);
        }
    }

    @Override
    public final void nudgesRead(final int sender, final int receiver, final int more)
    {
        if (peers.isOpen(receiver))
        {
            final int line = nodes.lineOffset(sender, receiver);
            words.getAndAddLong(line + RemoteDescriptor.NUDGES_READ_OFFSET, more);
            // a sender that waits may need another nudge
            wakeups.granted(words, line, sender);
        }
    }

    @Override
    public final long unacknowledged(final int other)
    {
        if (!drains[other].isEmpty())
        {
            return 1;
        }
        long sum = 0;
        for (final int local : locals.ranks())
        {
            for (int peer = 0; peer < map.rankCount(); peer++)
            {
                sum += map.nodeOf(peer) == other && peers.isOpen(peer) ? unacknowledgedOf(nodes.lineOffset(local, peer)) : 0;
            }
        }
        return sum;
    }

    /** A peer is gone: no credit of its pairs can be withdrawn from now on. */
    final void closePair(final int local, final int peer)
    {
        words.putLongVolatile(nodes.lineOffset(local, peer), 0L);
    }

    /** All that can be counted was counted: the messages for a peer that are not known to have arrived, told once. */
    final long takeLost(final int local, final int peer)
    {
        final int line = nodes.lineOffset(local, peer);
        final long lost = unacknowledgedOf(line);
        if (lost > 0)
        {
            words.putLong(line + RemoteDescriptor.RECEIVED_OFFSET,
                RemoteDescriptor.sentCount(words.getLong(line + RemoteDescriptor.SENT_OFFSET)));
        }
        return lost;
    }
}
