// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FragmentCollector;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * The receiving half of a link: steps of the handshake from anybody, batches from the stream that was admitted, and whether the
 * other node is still heard of. For the agent's thread.
 */
final class LinkIngress
{
    private static final int RECEIVE_LIMIT = 32;

    private final int peerNode;
    private final long intervalNs;
    private final Handshake handshake;
    private final IngressFrames frames;
    private final Drops drops;
    private final Consumer<String> onBroken;
    private final BatchDecoder decoder;
    private final FragmentCollector fragments = new FragmentCollector(this::onMessage);
    private Subscription subscription;
    private Image image;
    private boolean isUp;
    private long nowNs;
    private long heardNs;
    private long batchesReceived;

    /**
     * Of a link that does not stand yet.
     *
     * @param bulk     hears that the other node receives its stream; null if there are no bulk streams.
     * @param onBroken hears why the link cannot go on, and ends it.
     */
    LinkIngress(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final int groupHash, final Handshake handshake, final LinkPairs pairs, final LinkPairs highPairs, final BulkLink bulk,
        final Drops drops, final Consumer<String> onBroken)
    {
        this.peerNode = peerNode;
        this.handshake = handshake;
        frames = new IngressFrames(port, listener, pairs, highPairs, drops, bulk);
        this.drops = drops;
        this.onBroken = onBroken;
        intervalNs = port.settings().livenessIntervalNs();
        decoder = new BatchDecoder(settings.node(), peerNode, groupHash, BatchDescriptor.maxLength(settings.mtuLength()),
            FrameDescriptor.MAX_LENGTH, settings.map(), drops);
    }

    /** Connects to a media driver: what comes from the other node is received from now on. */
    void subscribe(final Aeron aeron, final AeronSettings settings, final Strangers strangers)
    {
        subscription = aeron.addSubscription(settings.channel(settings.node()), settings.stream(peerNode),
            (found) -> strangers.onImage(found.sessionId(), System.nanoTime()),
            (lost) -> strangers.onImageGone(lost.sessionId()));
    }

    /** The media driver is gone, or this node closes. */
    void unsubscribe()
    {
        CloseHelper.quietClose(subscription);
        subscription = null;
    }

    /** A link begins with the stream of a session. */
    void open(final int ownEpoch, final int peerEpoch, final int peerSession, final long now)
    {
        isUp = true;
        decoder.open(ownEpoch, peerEpoch);
        fragments.admit(peerSession);
        image = subscription.imageBySessionId(peerSession);
        heardNs = now;
    }

    /** The link is over: no batch is taken any more. */
    void close()
    {
        isUp = false;
        decoder.close();
        image = null;
    }

    /** While this node stood still it could not hear anything. */
    void pause(final long pauseNs)
    {
        heardNs += pauseNs;
    }

    /** What has come in. */
    int receive(final long now)
    {
        nowNs = now;
        final int work = subscription == null ? 0 : subscription.poll(fragments, RECEIVE_LIMIT);
        if (isUp)
        {
            checkAlive();
        }
        return work;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (length >= BatchDescriptor.HEADER_LENGTH && BatchDescriptor.kind(buffer, offset) != BatchDescriptor.KIND_BATCH)
        {
            handshake.onMessage(header.sessionId(), buffer, offset, length, nowNs);
        }
        else if (!isUp || header.sessionId() != handshake.peerSession())
        {
            drops.add(Drop.NOT_ADMITTED);
        }
        else
        {
            final int count = decode(buffer, offset, length);
            if (count == BatchDecoder.BROKEN)
            {
                onBroken.accept("packets are missing or damaged: " + drops);
            }
            else if (count >= 0)
            {
                heardNs = nowNs;
                batchesReceived++;
                frames.onBatch(count, length);
            }
        }
    }

    private int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            return decoder.decode(buffer, offset, length, frames);
        }
        finally
        {
            frames.release();
        }
    }

    private void checkAlive()
    {
        // a little less than the interval: it is to be told within that
        final long silenceNs = intervalNs - (intervalNs >> 3);
        if (nowNs - heardNs > silenceNs)
        {
            onBroken.accept("nothing was heard of node " + peerNode + " for " + silenceNs / 1_000_000 + " ms");
        }
        else if (image != null && image.isClosed())
        {
            onBroken.accept("the stream of node " + peerNode + " has ended");
        }
    }

    long batchCount()
    {
        return batchesReceived;
    }

    IngressFrames frames()
    {
        return frames;
    }

    /** The stream that was admitted; null if there is none. */
    Image image()
    {
        return image;
    }

    /** Sequence of the last batch that was taken. */
    int lastSequence()
    {
        return decoder.nextSequence() - 1;
    }

    /** A stream that comes in; null if there is none of that session. */
    Image image(final int session)
    {
        return subscription == null ? null : subscription.imageBySessionId(session);
    }

    @Override
    public String toString()
    {
        return "batches received=" + batchesReceived + ", frames received=" + frames.frameCount();
    }
}
