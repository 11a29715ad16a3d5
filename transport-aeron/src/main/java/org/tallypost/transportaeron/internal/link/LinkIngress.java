// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import java.util.function.Consumer;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.handshake.Sessions;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * The receiving half of a link: the other node's stream of messages, by which the handshake goes too, and that of messages of
 * high priority if there is one. This one is looked at first, and again between pieces of the other. For the agent's thread.
 */
final class LinkIngress
{
    private static final int RECEIVE_LIMIT = 32;
    /** Fragments of the first stream between two looks at the high one. */
    private static final int PIECE_LIMIT = 4;

    private final AeronSettings settings;
    private final int peerNode;
    private final IngressStream low;
    /** Null if there is no high stream. */
    private final IngressStream high;
    private boolean isUp;

    /**
     * Of a link that does not stand yet.
     *
     * @param frames   where the frames go.
     * @param onBroken hears why the link cannot go on, and ends it.
     */
    LinkIngress(
        final AeronSettings settings, final NodePort port, final int peerNode, final int groupHash, final Handshake handshake,
        final IngressFrames frames, final Drops drops, final Consumer<String> onBroken)
    {
        this.settings = settings;
        this.peerNode = peerNode;
        final long intervalNs = port.settings().livenessIntervalNs();
        final BatchDecoder decoder = newDecoder(settings, peerNode, groupHash, drops);
        low = new IngressStream("the stream", peerNode, intervalNs, decoder, frames, handshake, drops, onBroken);
        if (settings.hasHigh(port.settings()))
        {
            final BatchDecoder highDecoder = newDecoder(settings, peerNode, groupHash, drops);
            decoder.joinHigh(highDecoder);
            high = new IngressStream("the high stream", peerNode, intervalNs, highDecoder, frames, null, drops, onBroken);
        }
        else
        {
            high = null;
        }
    }

    private static BatchDecoder newDecoder(
        final AeronSettings settings, final int peerNode, final int groupHash, final Drops drops)
    {
        return new BatchDecoder(settings.node(), peerNode, groupHash, BatchDescriptor.maxLength(settings.mtuLength()),
            FrameDescriptor.MAX_LENGTH, settings.map(), drops);
    }

    /** Connects to a media driver: what comes from the other node is received from now on. */
    void subscribe(final Aeron aeron, final Strangers strangers)
    {
        final String channel = settings.channel(settings.node());
        low.subscribe(aeron, channel, settings.stream(peerNode), strangers);
        if (high != null)
        {
            high.subscribe(aeron, channel, settings.highStream(peerNode), strangers);
        }
    }

    /** The media driver is gone, or this node closes. */
    void unsubscribe()
    {
        low.unsubscribe();
        if (high != null)
        {
            high.unsubscribe();
        }
    }

    /** A link begins with streams of the other node. */
    void open(final int ownEpoch, final int peerEpoch, final Sessions sessions, final long now)
    {
        isUp = true;
        low.open(ownEpoch, peerEpoch, settings.firstBatch(), sessions.messages(), now);
        if (high != null)
        {
            high.open(ownEpoch, peerEpoch, settings.firstBatch(), sessions.high(), now);
        }
    }

    /** The link is over: no batch is taken any more. */
    void close()
    {
        isUp = false;
        low.close();
        if (high != null)
        {
            high.close();
        }
    }

    /** While this node stood still it could not hear anything. */
    void pause(final long pauseNs)
    {
        low.pause(pauseNs);
        if (high != null)
        {
            high.pause(pauseNs);
        }
    }

    /** What has come in. */
    int receive(final long now)
    {
        final int work = high == null ? low.receive(now, RECEIVE_LIMIT) : receiveInPieces(now);
        if (isUp)
        {
            low.checkAlive();
        }
        if (isUp && high != null)
        {
            high.checkAlive();
        }
        return work;
    }

    private int receiveInPieces(final long now)
    {
        int work = high.receive(now, RECEIVE_LIMIT);
        int piece = PIECE_LIMIT;
        for (int left = RECEIVE_LIMIT; left > 0 && piece == PIECE_LIMIT; left -= PIECE_LIMIT)
        {
            piece = low.receive(now, PIECE_LIMIT);
            work += piece > 0 ? piece + high.receive(now, RECEIVE_LIMIT) : 0;
        }
        return work;
    }

    /** Whether the other node's high stream has come. */
    boolean isHighHere()
    {
        return high != null && high.isHere();
    }

    /** Batches of all streams of messages. */
    long batchCount()
    {
        return low.batchCount() + highBatchCount();
    }

    /** Messages and other frames of all streams of messages. */
    long frameCount()
    {
        return low.frameCount() + highFrameCount();
    }

    /** Bytes of batches, with their headers. */
    long byteCount()
    {
        return low.byteCount() + (high == null ? 0 : high.byteCount());
    }

    /** Batches of the high stream. */
    long highBatchCount()
    {
        return high == null ? 0 : high.batchCount();
    }

    /** Messages and other frames of the high stream. */
    long highFrameCount()
    {
        return high == null ? 0 : high.frameCount();
    }

    /** The stream of messages that was admitted; null if there is none. */
    Image image()
    {
        return low.image();
    }

    /** The high stream that was admitted; null if there is none, or it has not come. */
    Image highImage()
    {
        return high == null ? null : high.image();
    }

    /** Sequence of the last batch that was taken of the stream of messages. */
    int lastSequence()
    {
        return low.lastSequence();
    }

    /** Of the high stream, which there is. */
    int lastHighSequence()
    {
        return high.lastSequence();
    }

    /** A stream that comes in; null if there is none of that session. */
    Image image(final int session)
    {
        final Image found = low.image(session);
        return found == null && high != null ? high.image(session) : found;
    }

    @Override
    public String toString()
    {
        return "batches received=" + batchCount() + ", frames received=" + frameCount() + (high == null ? "" :
            ", high batches received=" + highBatchCount() + ", high frames received=" + highFrameCount());
    }
}
