// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BulkDecoder;
import org.tallypost.transportaeron.internal.wire.BulkFrame;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * The receiving end of the other node's bulk stream: frames from the session that was proven, in sequence, each to where it
 * belongs. For the agent's thread.
 */
final class BulkIngress
{
    private static final int RECEIVE_LIMIT = 16;

    private final BulkDecoder decoder;
    private final BulkEgress egress;
    private final BulkAnswers answers;
    private final Drops drops;
    private final Consumer<String> onBroken;
    private final BulkFrame frame = new BulkFrame();
    private final FragmentHandler fragments = this::onFragment;
    private Subscription subscription;
    private Image image;
    private int session;
    private boolean isUp;
    private long frameCount;
    private long byteCount;

    BulkIngress(
        final BulkDecoder decoder, final BulkEgress egress, final BulkAnswers answers, final Drops drops,
        final Consumer<String> onBroken)
    {
        this.decoder = decoder;
        this.egress = egress;
        this.answers = answers;
        this.drops = drops;
        this.onBroken = onBroken;
    }

    void subscribe(final Aeron aeron, final AeronSettings settings, final int peerNode, final Strangers strangers)
    {
        subscription = aeron.addSubscription(settings.channel(settings.node()), settings.bulkStream(peerNode),
            (found) -> onImage(found.sessionId(), strangers),
            (lost) -> strangers.onImageGone(lost.sessionId()));
    }

    /** The session may have been proven before its stream has come. */
    private void onImage(final int found, final Strangers strangers)
    {
        if (!isUp || found != session)
        {
            strangers.onImage(found, System.nanoTime());
        }
    }

    void unsubscribe()
    {
        CloseHelper.quietClose(subscription);
        subscription = null;
    }

    void open(final int ownEpoch, final int peerEpoch, final int peerSession)
    {
        isUp = true;
        session = peerSession;
        decoder.open(ownEpoch, peerEpoch);
        image = null;
    }

    void close()
    {
        isUp = false;
        decoder.close();
        image = null;
    }

    /** What has come in. */
    int receive()
    {
        final int work = subscription == null ? 0 : subscription.poll(fragments, RECEIVE_LIMIT);
        if (isUp)
        {
            checkImage();
        }
        return work;
    }

    /** Whether the stream of the session that was proven has come. */
    boolean isHere()
    {
        return image != null;
    }

    /** Looks after the image: it comes by itself some time after the handshake, and must not go. */
    private void checkImage()
    {
        if (image == null)
        {
            image = image(session);
        }
        else if (image.isClosed())
        {
            onBroken.accept("the other node's bulk stream has ended");
        }
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (!isUp || header.sessionId() != session)
        {
            drops.add(Drop.NOT_ADMITTED);
        }
        else if ((header.flags() & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED)
        {
            drops.add(Drop.TRUNCATED);
        }
        else
        {
            final int count = decoder.decode(buffer, offset, length, frame);
            byteCount += count > 0 ? length : 0;
            if (count == BulkDecoder.BROKEN || count > 0 && !onFrame())
            {
                onBroken.accept("frames of the bulk stream are missing or damaged: " + drops);
            }
        }
    }

    private boolean onFrame()
    {
        frameCount++;
        return BulkOperation.isKind(frame.type) ? answers.onRequest(frame) : egress.onAnswer(frame);
    }

    long byteCount()
    {
        return byteCount;
    }

    /** The stream that was admitted; null if it has not come. */
    Image image()
    {
        return image;
    }

    /** A stream that comes in; null if there is none of that session. */
    Image image(final int of)
    {
        return subscription == null ? null : subscription.imageBySessionId(of);
    }

    @Override
    public String toString()
    {
        return "bulk frames received=" + frameCount;
    }
}
