// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import org.agrona.collections.MutableInteger;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.handshake.Sessions;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * What this node has to do with one other node: streams to it, streams from it, the handshake, and while they are linked
 * frames in both directions. {@link LinkEgress} sends, {@link LinkIngress} receives, {@link BulkLink} does both beside them. This
 * class knows whether there is a link.
 * For the agent's thread.
 *
 * <pre>
 *             both proven                  silence, gap, other image, damage, other link
 *   DOWN ---------------------&gt; UP --------------------------------------------------&gt; DOWN: peers gone, handshake anew
 * </pre>
 */
final class Link implements Handshake.Listener
{
    private final AeronSettings settings;
    private final NodePort port;
    private final NodePortListener listener;
    private final int peerNode;
    private final Drops drops = new Drops();
    private final EgressStream stream;
    /** Null if messages of high priority have no stream of their own. */
    private final EgressStream highStream;
    private final Handshake handshake;
    private final LinkEgress egress;
    private final LinkIngress ingress;
    private final Strangers strangers;
    /** Null if there are no bulk streams. */
    private final BulkLink bulk;
    private long nowNs;
    /** That this node gave, 0 while there is no link. */
    private int linkEpoch;
    private long linkCount;

    Link(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final GroupTerms terms, final MutableInteger epochs, final BulkPacing pacing)
    {
        this.settings = settings;
        this.port = port;
        this.listener = listener;
        this.peerNode = peerNode;
        final long repeatNs = Math.min(
            LinkEgress.REPEAT_NS, port.settings().livenessIntervalNs() / BeatFrames.PER_INTERVAL);
        stream = EgressStream.ofMessages(settings, port, peerNode);
        highStream = EgressStream.ofHigh(settings, port, peerNode);
        handshake = Handshake.create(new Handshake.Settings(
            settings.node(), peerNode, terms, settings.newSecret(), Handshake::newNonce, epochs, repeatNs), drops, stream, this);
        final LinkPairs pairs = new LinkPairs(port, settings.map(), settings.node(), peerNode, drops);
        final LinkPairs highPairs = LinkPairs.high(port, settings.map(), settings.node(), peerNode, drops);
        egress = new LinkEgress(settings, port, listener, peerNode, terms.hash(), pairs, highPairs, stream, highStream);
        bulk = !settings.hasBulk() ? null : new BulkLink(
            settings, port, peerNode, terms.hash(), pacing, drops, this::goDown);
        ingress = new LinkIngress(settings, port, peerNode, terms.hash(), handshake,
            new IngressFrames(port, listener, pairs, highPairs, drops, this::onBeat), drops, this::goDown);
        strangers = new Strangers(port, peerNode, settings.admissionNs(), this::image);
    }

    private Image image(final int session)
    {
        final Image found = ingress.image(session);
        return found == null && bulk != null ? bulk.image(session) : found;
    }

    /** Connects to a media driver: what comes from the other node is received from now on. */
    void subscribe(final Aeron aeron)
    {
        ingress.subscribe(aeron, strangers);
        if (bulk != null)
        {
            bulk.subscribe(aeron, strangers);
        }
    }

    /**
     * Begins to publish to the other node, or finds out what has come of it ({@link EgressStream#publish}). Then the handshake
     * begins.
     *
     * @return false if there is no answer yet.
     * @throws RuntimeException if it is not possible now; the next call begins anew.
     */
    boolean publish(final AeronConnection connection, final long now)
    {
        if (!stream.isPublishing() && !stream.publish(connection) ||
            highStream != null && !highStream.isPublishing() && !highStream.publish(connection) ||
            bulk != null && !bulk.publish(connection))
        {
            return false;
        }
        nowNs = now;
        startHandshake();
        return true;
    }

    private void startHandshake()
    {
        handshake.start(new Sessions(stream.sessionId(), bulk == null ? 0 : bulk.sessionId(),
            highStream == null ? 0 : highStream.sessionId()), nowNs);
    }

    /** It was not possible to publish to the other node. */
    void onUnreachable(final RuntimeException reason)
    {
        stream.onUnreachable(reason);
    }

    boolean isPublishing()
    {
        return stream.isPublishing() && (highStream == null || highStream.isPublishing()) &&
            (bulk == null || bulk.isPublishing());
    }

    /** The media driver is gone, or this node closes. */
    void disconnect(final String reason)
    {
        goDown(reason);
        closeStreams();
        ingress.unsubscribe();
        if (bulk != null)
        {
            bulk.unsubscribe();
        }
        strangers.clear();
    }

    /** What is to go out. */
    int send(final long now, final long pauseNs)
    {
        nowNs = now;
        ingress.pause(pauseNs);
        egress.pause(pauseNs);
        strangers.pause(pauseNs);
        handshake.poll(now);
        int work = strangers.rejectDue(now) + egress.send(now, ingress, here());
        work += bulk == null ? 0 : bulk.send(now, pauseNs);
        checkStreams();
        return work;
    }

    private void checkStreams()
    {
        final boolean isHighSpent = highStream != null && highStream.isSpent();
        // a stream may come as late as a node may prove itself
        final long limitNs = Math.max(port.settings().livenessIntervalNs(), settings.admissionNs());
        if (stream.isSpent() || isHighSpent || bulk != null && bulk.isSpent())
        {
            // the agent begins another one
            closeStreams();
            goDown("the " + (isHighSpent ? "high " : "") + "stream to node " + peerNode +
                " has come to its end, and begins anew");
        }
        else if (egress.isHighLate(nowNs, limitNs))
        {
            goDown("the high stream to node " + peerNode + " was not received there for " + limitNs / 1_000_000 + " ms");
        }
    }

    /** Which of the other node's further streams have come: flags of a BEAT frame. */
    private int here()
    {
        return (bulk != null && bulk.isHere() ? FrameDescriptor.FLAG_BULK : 0) |
            (ingress.isHighHere() ? FrameDescriptor.FLAG_HIGH : 0);
    }

    /** The other node has said which of this one's further streams it receives. */
    private void onBeat(final int flags)
    {
        if (bulk != null && (flags & FrameDescriptor.FLAG_BULK) != 0)
        {
            bulk.onReceived();
        }
        if ((flags & FrameDescriptor.FLAG_HIGH) != 0)
        {
            egress.onHighReceived();
        }
    }

    private void closeStreams()
    {
        stream.close();
        if (highStream != null)
        {
            highStream.close();
        }
        if (bulk != null)
        {
            bulk.closeStream();
        }
    }

    /** What has come in. */
    int receive()
    {
        return ingress.receive(nowNs) + (bulk == null ? 0 : bulk.receive());
    }

    /** Operations on memory of the other node; null if there are no bulk streams. */
    BulkLink bulk()
    {
        return bulk;
    }

    void onLocalRank(final int local, final int epoch, final boolean isOpen)
    {
        egress.onLocalRank(local, epoch, isOpen);
    }

    private void goDown(final String reason)
    {
        if (linkEpoch != 0)
        {
            over(reason);
            if (stream.isOpen() && (highStream == null || highStream.isOpen()) &&
                (bulk == null || bulk.isOpen()))
            {
                startHandshake();
            }
        }
    }

    /** Nothing of the link that stood is taken or sent any more. */
    private void over(final String reason)
    {
        final int endedEpoch = linkEpoch;
        linkEpoch = 0;
        ingress.close();
        egress.close();
        if (bulk != null)
        {
            bulk.close();
        }
        pairs().clear();
        if (highPairs() != null)
        {
            highPairs().clear();
        }
        for (final int peer : settings.map().ranks(peerNode))
        {
            port.closePeer(peer, listener);
        }
        port.event(new TransportEvent(
            TransportEvent.Kind.LINK_DOWN, peerNode, -1, -1, endedEpoch, 0, reason));
    }

    @Override
    public void onLinked(final int ownEpoch, final int peerEpoch, final Sessions sessions)
    {
        if (linkEpoch != 0)
        {
            over("node " + peerNode + " has begun anew");
        }
        linkEpoch = ownEpoch;
        linkCount++;
        strangers.onLinked(sessions.messages());
        egress.open(ownEpoch, peerEpoch, settings.firstBatch(), nowNs);
        ingress.open(ownEpoch, peerEpoch, sessions, nowNs);
        if (highStream != null)
        {
            strangers.onLinked(sessions.high());
        }
        if (bulk != null)
        {
            strangers.onLinked(sessions.bulk());
            bulk.open(ownEpoch, peerEpoch, sessions.bulk());
        }
        port.event(new TransportEvent(TransportEvent.Kind.LINK_UP, peerNode, -1, -1, ownEpoch, 0,
            "linked with node " + peerNode + " at " + settings.address(peerNode)));
    }

    @Override
    public void onRefused(final String text)
    {
        strangers.onRefused(text, linkEpoch != 0, nowNs);
    }

    @Override
    public void onBadProof(final int session)
    {
        strangers.onBadProof(session, nowNs);
    }

    int peerNode()
    {
        return peerNode;
    }

    boolean isUp()
    {
        return linkEpoch != 0;
    }

    /** How many times the link came up. */
    long linkCount()
    {
        return linkCount;
    }

    Drops drops()
    {
        return drops;
    }

    EgressStream stream()
    {
        return stream;
    }

    /** Of messages of high priority; null if there is none. */
    EgressStream highStream()
    {
        return highStream;
    }

    LinkIngress ingress()
    {
        return ingress;
    }

    LinkEgress egress()
    {
        return egress;
    }

    LinkPairs pairs()
    {
        return egress.pairs();
    }

    /** Pairs of high rings; null if there are no priorities. */
    LinkPairs highPairs()
    {
        return egress.highPairs();
    }

    /** Messages of either priority that have gone into batches. */
    long sentMessages()
    {
        return pairs().sentMessages() + (highPairs() == null ? 0 : highPairs().sentMessages());
    }

    /** Messages of either priority that have come. */
    long receivedMessages()
    {
        return pairs().receivedMessages() + (highPairs() == null ? 0 : highPairs().receivedMessages());
    }

    /** Batches of messages that have gone or come. */
    long batches()
    {
        return egress.batchCount() + ingress.batchCount();
    }

    /** Whether all that was sent to the other node has arrived there, as far as it can be known. */
    boolean isQuiet()
    {
        return egress.isQuiet() && (bulk == null || bulk.isQuiet());
    }

    @Override
    public String toString()
    {
        return "node=" + peerNode + ", isUp=" + (linkEpoch != 0) + ", links=" + linkCount + ", " + egress + ", " + ingress +
            ", " + strangers + ", " + (bulk == null ? "" : bulk + ", ") + drops;
    }
}
