// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.LinkCounters;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The node's side of a transport: mailboxes here written as a network card would, words of pairs kept, ranks of other nodes shown
 * in the group. What leaves the node is {@link NodeEgress}'s.
 */
final class TransportPort implements NodePort, LocalRanks.Listener, PeerRanks.Listener
{
    private final NodeRuntime node;
    private final Wakeups wakeups;
    private final RemoteNodes nodes;
    private final RankMap map;
    private final UnsafeBuffer words;
    private final SentWords sent;
    private final RingDrain[] drains;
    private final LocalRanks locals;
    private final PeerRanks peers;
    private final NodeEgress egress;
    private final BulkMemory bulk;
    private final Mailbox[] mailboxes;
    /** Incarnations of ranks here with mailboxes that cannot be mapped, as was told. */
    private final int[] refusedEpochs;
    private final RunWriter writer;
    private final long ownerWord;
    private NodePortListener listener;
    private boolean isChanged;

    TransportPort(final NodeRuntime node, final SendingThreads threads, final Wakeups wakeups)
    {
        this.node = node;
        this.wakeups = wakeups;
        nodes = node.remote();
        map = nodes.map();
        words = nodes.buffer();
        sent = new SentWords(words);
        ownerWord = node.ownerWord();
        mailboxes = new Mailbox[map.rankCount(nodes.node())];
        writer = new RunWriter(threads, map, nodes.node(), mailboxes);
        refusedEpochs = new int[mailboxes.length];
        drains = new RingDrain[map.nodeCount()];
        for (int other = 0; other < drains.length; other++)
        {
            drains[other] = other == nodes.node() ? null : new RingDrain(node, other);
        }
        locals = new LocalRanks(node, drains);
        for (final int local : locals.ranks())
        {
            nodes.closeLines(local);
        }
        peers = new PeerRanks(node, drains);
        egress = new NodeEgress(nodes, drains, locals, peers, sent);
        bulk = new BulkMemory(node, locals);
    }

    /** Where the transport's own thread hands its messages on. */
    NodeEgress egress()
    {
        return egress;
    }

    @Override
    public Map<String, String> terms()
    {
        final NodeContext settings = node.context();
        final String layout = map.layout();
        final Map<String, String> terms = new LinkedHashMap<>();
        terms.put("groupName", settings.groupName());
        terms.put("rankCount", Integer.toString(settings.rankCount()));
        terms.put("nodes", Integer.toString(map.nodeCount()));
        terms.put("slotsPerSender", Integer.toString(settings.slotsPerSender()));
        terms.put("creditSlots", Integer.toString(settings.creditSlots()));
        terms.put("flow", settings.flow().name());
        terms.put("ranksOnNodes", layout.length() <= 512 ? layout : "hash " + Integer.toHexString(layout.hashCode()));
        return terms;
    }

    @Override
    public NodeView settings()
    {
        return node.context();
    }

    @Override
    public int pollRanks(final NodePortListener to)
    {
        listener = to;
        egress.forgetRoute(to);
        final int work = locals.poll(this) + peers.poll(this);
        if (isChanged)
        {
            isChanged = false;
            wakeups.membershipChanged();
        }
        return work;
    }

    @Override
    public boolean onLocalOpen(final int local, final int epoch)
    {
        final int index = map.localIndex(local);
        try
        {
            mailboxes[index] = node.mailboxes().get(local, epoch);
        }
        catch (final MailboxException ex)
        {
            // it may have closed since its word was read; the others still have to be looked at
            if (refusedEpochs[index] != epoch &&
                node.group().rankWordAcquire(local) == GroupDescriptor.rankWord(epoch, GroupDescriptor.STATE_OPEN))
            {
                refusedEpochs[index] = epoch;
                onError(ex);
            }
            return false;
        }
        listener.onLocalRank(local, epoch, true);
        for (int peer = 0; peer < map.rankCount(); peer++)
        {
            if (nodes.isRemote(peer) && peers.isOpen(peer))
            {
                openPair(local, epoch, peer, peers.epoch(peer));
            }
        }
        return true;
    }

    @Override
    public void onPeerOpen(final int peer, final int epoch)
    {
        isChanged = true;
        for (final int local : locals.ranks())
        {
            if (locals.openEpoch(local) != 0)
            {
                openPair(local, locals.openEpoch(local), peer, epoch);
            }
        }
    }

    private void openPair(final int local, final int localEpoch, final int peer, final int peerEpoch)
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

    @Override
    public void onLocalClosing(final int local)
    {
        bulk.onLocalGone(local);
        for (int peer = 0; peer < map.rankCount(); peer++)
        {
            if (nodes.isRemote(peer) && peers.isOpen(peer))
            {
                listener.onPairClosed(local, peer);
            }
        }
    }

    @Override
    public void onLocalDrained(final int local, final int epoch)
    {
        mailboxes[map.localIndex(local)] = null;
        listener.onLocalRank(local, epoch, false);
    }

    @Override
    public void onPeerDrained(final int peer, final int epoch)
    {
        for (final int local : locals.ranks())
        {
            tellLost(local, peer, epoch);
        }
    }

    /** All that can be counted was counted: what was sent to a peer and is not known to have arrived. */
    private void tellLost(final int local, final int peer, final int epoch)
    {
        final int line = nodes.lineOffset(local, peer);
        final long lost = unacknowledgedOf(line);
        if (lost > 0)
        {
            words.putLong(line + RemoteDescriptor.RECEIVED_OFFSET,
                RemoteDescriptor.sentCount(words.getLong(line + RemoteDescriptor.SENT_OFFSET)));
            event(new TransportEvent(TransportEvent.Kind.MESSAGES_LOST, map.nodeOf(peer), local, peer, epoch, lost,
                "rank " + peer + " on node " + map.nodeOf(peer) + " is gone: " + lost + " messages of rank " + local +
                " are not known to have reached its mailbox"));
        }
    }

    private long unacknowledgedOf(final int line)
    {
        sent.putOwed();
        return RemoteDescriptor.sentCount(words.getLong(line + RemoteDescriptor.SENT_OFFSET)) -
            (int)words.getLong(line + RemoteDescriptor.RECEIVED_OFFSET);
    }

    @Override
    public int localEpoch(final int rank)
    {
        return locals.openEpoch(rank);
    }

    @Override
    public void openPeer(final int peer, final int epoch, final NodePortListener to)
    {
        listener = to;
        egress.forgetRoute(to);
        peers.open(peer, epoch);
        peers.step(peer, this);
    }

    @Override
    public void closePeer(final int peer, final NodePortListener to)
    {
        egress.forgetRoute();
        if (!peers.close(peer))
        {
            return;
        }
        isChanged = true;
        for (final int local : locals.ranks())
        {
            words.putLongVolatile(nodes.lineOffset(local, peer), 0L);
            if (locals.openEpoch(local) != 0)
            {
                to.onPairClosed(local, peer);
            }
        }
        peers.step(peer, this);
    }

    @Override
    public int drain(final int other, final NodePortListener to, final int limit)
    {
        listener = to;
        return egress.drain(other, to, limit);
    }

    @Override
    public boolean deliver(
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
    public boolean reserve(final int sender, final int receiver, final int slots)
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
    public boolean deliverNext(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        return writer.writeNext(flags, value, buffer, offset, length);
    }

    @Override
    public void release()
    {
        writer.release();
    }

    @Override
    public boolean respond(final int sender, final int receiver, final int credits)
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
    public int pollCredits(final NodePortListener to)
    {
        // before the marks: credits for what is read by now are there when these are looked at
        int work = writer.pollNudges(to);
        for (final int local : locals.ranks())
        {
            work += pollMarks(local, RemoteDescriptor.GRANT, to) + pollMarks(local, RemoteDescriptor.REQUEST, to);
        }
        return work;
    }

    private int pollMarks(final int local, final int kind, final NodePortListener to)
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

    private void onMark(final int local, final int peer, final int kind, final NodePortListener to)
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
    public void addCredits(final int sender, final int receiver, final int credits)
    {
        final int line = nodes.lineOffset(sender, receiver);
        CreditWord.add(words, line, epoch(sender, receiver), credits);
        wakeups.granted(words, line, sender);
    }

    @Override
    public int takeCredits(final int sender, final int receiver, final int keep)
    {
        final int excess = takeExcess(sender, receiver, keep);
        return excess > 0 ? excess : takeOne(nodes.lineOffset(sender, receiver), epoch(sender, receiver));
    }

    @Override
    public int takeExcess(final int sender, final int receiver, final int keep)
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
    public void received(final int sender, final int receiver, final int more)
    {
        if (peers.isOpen(receiver))
        {
            final int at = nodes.lineOffset(sender, receiver) + RemoteDescriptor.RECEIVED_OFFSET;
            words.putLongRelease(at, words.getLong(at) + more);
        }
    }

    @Override
    public void nudgesRead(final int sender, final int receiver, final int more)
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
    public long unacknowledged(final int other)
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

    @Override
    public LinkCounters linkCounters(final int other)
    {
        return nodes.linkCounters(other);
    }

    @Override
    public BulkPort bulk()
    {
        return bulk;
    }

    @Override
    public void event(final TransportEvent event)
    {
        if (event.kind() == TransportEvent.Kind.LINK_UP || event.kind() == TransportEvent.Kind.LINK_DOWN)
        {
            FlightEvents.link(event.node(), event.kind() == TransportEvent.Kind.LINK_UP, event.text());
        }
        try
        {
            node.context().transportSettings().eventHandler().onEvent(event);
        }
        catch (final Throwable t)
        {
            onError(t);
        }
    }

    @Override
    public void onError(final Throwable error)
    {
        node.errors().onError(error);
    }
}
