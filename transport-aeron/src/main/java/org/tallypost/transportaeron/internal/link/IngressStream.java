// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.transportaeron.internal.handshake.Handshake;
import org.tallypost.transportaeron.internal.wire.BatchDecoder;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FragmentCollector;

/**
 * The receiving end of one of the other node's streams of messages: batches from the session that was proven, in sequence, and
 * whether it is still heard of. A batch that comes behind one of the other stream stays where it is until that was taken. For the
 * agent's thread.
 */
final class IngressStream
{
    private final String name;
    private final int peerNode;
    private final StreamWatch watch;
    private final BatchDecoder decoder;
    private final IngressFrames frames;
    /** Null if no steps of the handshake come by this stream. */
    private final Handshake handshake;
    private final Drops drops;
    private final Consumer<String> onBroken;
    private final FragmentCollector fragments = new FragmentCollector(this::onMessage);
    private final BatchCounts counts = new BatchCounts();
    private Subscription subscription;
    private Image image;
    private int session;
    private boolean isUp;
    private long nowNs;

    /**
     * Of a link that does not stand yet.
     *
     * @param name      of the stream, in texts.
     * @param handshake that goes by this stream, null if none does.
     * @param onBroken  hears why the link cannot go on, and ends it.
     */
    IngressStream(
        final String name, final int peerNode, final long intervalNs, final BatchDecoder decoder, final IngressFrames frames,
        final Handshake handshake, final Drops drops, final Consumer<String> onBroken)
    {
        this.name = name;
        this.peerNode = peerNode;
        watch = new StreamWatch(intervalNs);
        this.decoder = decoder;
        this.frames = frames;
        this.handshake = handshake;
        this.drops = drops;
        this.onBroken = onBroken;
    }

    void subscribe(final Aeron aeron, final String channel, final int stream, final Strangers strangers)
    {
        subscription = aeron.addSubscription(channel, stream, (found) -> onImage(found.sessionId(), strangers),
            (lost) -> strangers.onImageGone(lost.sessionId()));
    }

    /** The session may have been proven before its stream has come. */
    private void onImage(final int found, final Strangers strangers)
    {
        if (!isUp || found != session || image != null)
        {
            strangers.onImage(found, System.nanoTime());
        }
    }

    void unsubscribe()
    {
        CloseHelper.quietClose(subscription);
        subscription = null;
    }

    /** A link begins with the stream of a session, and with its first batch. */
    void open(final int ownEpoch, final int peerEpoch, final long first, final int peerSession, final long now)
    {
        isUp = true;
        session = peerSession;
        decoder.open(ownEpoch, peerEpoch, first);
        fragments.admit(peerSession);
        image = image(peerSession);
        watch.open(handshake != null, now);
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
        watch.pause(pauseNs);
    }

    /**
     * What has come in.
     *
     * @param now   the time.
     * @param limit most fragments.
     * @return their number.
     */
    int receive(final long now, final int limit)
    {
        nowNs = now;
        return subscription == null ? 0 : subscription.controlledPoll(fragments, limit);
    }

    private Action onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final boolean isStep =
            length >= BatchDescriptor.HEADER_LENGTH && BatchDescriptor.kind(buffer, offset) != BatchDescriptor.KIND_BATCH;
        if (isStep && handshake != null)
        {
            handshake.onMessage(header.sessionId(), buffer, offset, length, nowNs);
        }
        else if (!isUp || header.sessionId() != session)
        {
            drops.add(Drop.NOT_ADMITTED);
        }
        else
        {
            return onBatch(buffer, offset, length);
        }
        return Action.CONTINUE;
    }

    private Action onBatch(final DirectBuffer buffer, final int offset, final int length)
    {
        final int count = decode(buffer, offset, length);
        if (count == BatchDecoder.WAITING)
        {
            watch.onWait(decoder.taken(), nowNs);
            return Action.ABORT;
        }
        if (count == BatchDecoder.BROKEN)
        {
            onBroken.accept("packets of " + name + " are missing or damaged: " + drops);
        }
        else if (count >= 0)
        {
            watch.onBatch(nowNs);
            counts.add(count, length);
        }
        return Action.CONTINUE;
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

    /** Looks after a stream of a link that stands: it may come some time after the handshake, and must not go. */
    void checkAlive()
    {
        if (image == null)
        {
            image = image(session);
        }
        if (watch.isStuck(nowNs))
        {
            onBroken.accept("a batch of " + name + " of node " + peerNode + " comes behind one that has not come for " +
                watch.limitMs() + " ms");
        }
        else if (watch.isSilent(nowNs))
        {
            onBroken.accept("nothing was heard of " + (handshake == null ? name + " of " : "") + "node " + peerNode + " for " +
                watch.limitMs() + " ms");
        }
        else if (image != null && image.isClosed())
        {
            onBroken.accept(name + " of node " + peerNode + " has ended");
        }
    }

    /** Whether the stream of the session that was proven has come. */
    boolean isHere()
    {
        return image != null;
    }

    long batchCount()
    {
        return counts.batches();
    }

    long frameCount()
    {
        return counts.frames();
    }

    /** Bytes of batches, with their headers. */
    long byteCount()
    {
        return counts.bytes();
    }

    /** The stream that was admitted; null if it is not there. */
    Image image()
    {
        return image;
    }

    /** Sequence of the last batch that was taken. */
    int lastSequence()
    {
        return (int)decoder.taken() - 1;
    }

    /** A stream that comes in; null if there is none of that session. */
    Image image(final int of)
    {
        return subscription == null ? null : subscription.imageBySessionId(of);
    }
}
