// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import org.agrona.collections.MutableInteger;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * What this node has to do with one other node: a stream to it, a stream from it, the handshake, and while they are linked
 * frames in both directions. {@link LinkEgress} sends, {@link LinkIngress} receives. This class knows whether there is a link.
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
    private final Handshake handshake;
    private final LinkPairs pairs;
    private final LinkEgress egress;
    private final LinkIngress ingress;
    private final Strangers strangers;
    private boolean isUp;
    private long nowNs;
    private int linkEpoch;
    private long linkCount;

    Link(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final GroupTerms terms, final MutableInteger epochs)
    {
        this.settings = settings;
        this.port = port;
        this.listener = listener;
        this.peerNode = peerNode;
        final long repeatNs = Math.min(
            LinkEgress.REPEAT_NS, port.settings().livenessIntervalNs() / LinkEgress.BEATS_PER_INTERVAL);
        stream = new EgressStream(settings, port, peerNode);
        handshake = Handshake.create(new Handshake.Settings(
            settings.node(), peerNode, terms, settings.newSecret(), Handshake::newNonce, epochs, repeatNs), drops, stream, this);
        pairs = new LinkPairs(port, settings.map(), settings.node(), peerNode, drops);
        egress = new LinkEgress(settings, port, listener, peerNode, terms.hash(), pairs, stream);
        ingress = new LinkIngress(settings, port, peerNode, terms.hash(), handshake,
            new IngressFrames(port, listener, pairs, drops), drops, this::goDown);
        strangers = new Strangers(port, peerNode, settings.admissionNs(), ingress::image);
    }

    /** Connects to a media driver: what comes from the other node is received from now on. */
    void subscribe(final Aeron aeron)
    {
        ingress.subscribe(aeron, settings, strangers);
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
        if (!stream.publish(connection))
        {
            return false;
        }
        nowNs = now;
        handshake.start(stream.sessionId(), now);
        return true;
    }

    /** It was not possible to publish to the other node. */
    void onUnreachable(final RuntimeException reason)
    {
        stream.onUnreachable(reason);
    }

    boolean isPublishing()
    {
        return stream.isPublishing();
    }

    /** The media driver is gone, or this node closes. */
    void disconnect(final String reason)
    {
        goDown(reason);
        stream.close();
        ingress.unsubscribe();
        strangers.clear();
    }

    /** What is to go out. */
    int send(final long now, final long pauseNs)
    {
        nowNs = now;
        ingress.pause(pauseNs);
        strangers.pause(pauseNs);
        handshake.poll(now);
        final int work = strangers.rejectDue(now) + egress.send(now, ingress.lastSequence());
        if (stream.isSpent())
        {
            // the agent begins another one
            stream.close();
            goDown("the stream to node " + peerNode + " has come to its end, and begins anew");
        }
        return work;
    }

    /** What has come in. */
    int receive()
    {
        return ingress.receive(nowNs);
    }

    void onLocalRank(final int local, final int epoch, final boolean isOpen)
    {
        egress.onLocalRank(local, epoch, isOpen);
    }

    private void goDown(final String reason)
    {
        if (isUp)
        {
            isUp = false;
            over(reason);
            if (stream.isOpen())
            {
                handshake.start(stream.sessionId(), nowNs);
            }
        }
    }

    /** Nothing of the link that stood is taken or sent any more. */
    private void over(final String reason)
    {
        ingress.close();
        egress.close();
        pairs.clear();
        for (final int peer : settings.map().ranks(peerNode))
        {
            port.closePeer(peer, listener);
        }
        port.event(new TransportEvent(
            TransportEvent.Kind.LINK_DOWN, peerNode, -1, -1, linkEpoch, 0, reason));
    }

    @Override
    public void onLinked(final int ownEpoch, final int peerEpoch, final int peerSession)
    {
        if (isUp)
        {
            over("node " + peerNode + " has begun anew");
        }
        isUp = true;
        linkEpoch = ownEpoch;
        linkCount++;
        strangers.onLinked(peerSession);
        egress.open(ownEpoch, peerEpoch, nowNs);
        ingress.open(ownEpoch, peerEpoch, peerSession, nowNs);
        port.event(new TransportEvent(TransportEvent.Kind.LINK_UP, peerNode, -1, -1, ownEpoch, 0,
            "linked with node " + peerNode + " at " + settings.address(peerNode)));
    }

    @Override
    public void onRefused(final String text)
    {
        strangers.onRefused(text, isUp, nowNs);
    }

    @Override
    public void onBadProof(final int session)
    {
        strangers.onBadProof(session, nowNs);
    }

    EgressRuns runs()
    {
        return egress.runs();
    }

    LinkPairs pairs()
    {
        return pairs;
    }

    /** Whether all that was sent to the other node has arrived there, as far as it can be known. */
    boolean isQuiet()
    {
        return egress.isQuiet();
    }

    @Override
    public String toString()
    {
        return "node=" + peerNode + ", isUp=" + isUp + ", links=" + linkCount + ", " + egress + ", " + ingress + ", " +
            strangers + ", " + drops;
    }
}
