// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Publication;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BatchSink;
import org.tallypost.transportaeron.internal.wire.BulkDecoder;
import org.tallypost.transportaeron.internal.wire.BulkEncoder;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * The two bulk streams of a link, by which ranks of one node use memory of the other. They go beside the streams of
 * messages, and do not take their window. They are up when the link is. For the agent's thread.
 *
 * <p>Aeron's receiver joins a stream at the position that the stream has then. What a sender has sent before, in the window
 * of a receiver that is gone, is lost. So nothing is sent before the other node says that this link's stream has come.
 *
 * <pre>
 *   ranks here   --&gt; BulkEgress  --&gt; BulkEncoder --&gt; stream --&gt;   other node
 *   memory here  &lt;-&gt; BulkAnswers --&gt;
 *                     ^  BulkIngress &lt;-- BulkDecoder &lt;-- stream &lt;--
 * </pre>
 */
final class BulkLink implements BatchSink
{
    /** Aeron's result for a publication that nobody receives. */
    private static final long NOT_RECEIVED = Publication.NOT_CONNECTED;

    private final AeronSettings settings;
    private final int peerNode;
    private final EgressStream stream;
    private final BulkEgress egress;
    private final BulkAnswers answers;
    private final BulkEncoder encoder;
    private final BulkIngress ingress;
    private final Consumer<String> onBroken;
    private final long intervalNs;
    private boolean isUp;
    /** Whether the other node has said that it receives the stream. */
    private boolean isReceived;
    /** Since when the stream has taken nothing, if it was offered something in the last duty cycle. */
    private long stuckNs;
    private boolean isStuck;
    private long framesBefore;
    private long refusedBefore;

    /**
     * Of a link that does not stand yet.
     *
     * @param onBroken hears why the link cannot go on, and ends it.
     */
    BulkLink(
        final AeronSettings settings, final NodePort port, final int peerNode, final int groupHash, final BulkPacing pacing,
        final Drops drops, final Consumer<String> onBroken)
    {
        this.settings = settings;
        this.peerNode = peerNode;
        this.onBroken = onBroken;
        intervalNs = port.settings().livenessIntervalNs();
        stream = EgressStream.ofBulk(settings, port, peerNode);
        encoder = new BulkEncoder(settings.node(), peerNode, groupHash, settings.bulkMtuLength(), this);
        egress = new BulkEgress(port.bulk(), encoder, pacing, drops);
        answers = new BulkAnswers(port.bulk(), encoder, pacing, drops);
        ingress = new BulkIngress(
            new BulkDecoder(settings.node(), peerNode, groupHash, settings.bulkMtuLength(), drops), egress, answers, drops,
            onBroken);
    }

    void subscribe(final Aeron aeron, final Strangers strangers)
    {
        ingress.subscribe(aeron, settings, peerNode, strangers);
    }

    /** Begins to publish, or finds out what has come of it, as {@link EgressStream#publish}. */
    boolean publish(final AeronConnection connection)
    {
        return stream.isPublishing() || stream.publish(connection);
    }

    boolean isPublishing()
    {
        return stream.isPublishing();
    }

    int sessionId()
    {
        return stream.sessionId();
    }

    boolean isSpent()
    {
        return stream.isSpent();
    }

    boolean isOpen()
    {
        return stream.isOpen();
    }

    /** The streams are not there any more, or have to begin anew. */
    void closeStream()
    {
        stream.close();
    }

    void unsubscribe()
    {
        ingress.unsubscribe();
    }

    void open(final int ownEpoch, final int peerEpoch, final int peerSession)
    {
        isUp = true;
        isReceived = false;
        isStuck = false;
        encoder.open(peerEpoch, ownEpoch);
        egress.open();
        answers.open();
        ingress.open(ownEpoch, peerEpoch, peerSession);
    }

    void close()
    {
        isUp = false;
        ingress.close();
        egress.close();
    }

    /** Answers first: the other node waits for these. */
    int send(final long nowNs, final long pauseNs)
    {
        checkStuck(nowNs, pauseNs);
        egress.beginCycle();
        return isUp ? answers.send() : 0;
    }

    /** Whether the other node's stream has come. */
    boolean isHere()
    {
        return ingress.isHere();
    }

    /** The other node receives this one's stream. */
    void onReceived()
    {
        isReceived = isUp;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return isReceived ? stream.offer(buffer, offset, length) : NOT_RECEIVED;
    }

    /** A stream that never takes anything is no link: operations would wait for ever. */
    private void checkStuck(final long nowNs, final long pauseNs)
    {
        final boolean wasStuck = isStuck;
        isStuck = isUp && encoder.refusedCount() != refusedBefore && encoder.frameCount() == framesBefore;
        refusedBefore = encoder.refusedCount();
        framesBefore = encoder.frameCount();
        stuckNs = wasStuck ? stuckNs + pauseNs : nowNs;
        // a stream may come as late as a node may prove itself
        final long limitNs = isReceived ? intervalNs : Math.max(intervalNs, settings.admissionNs());
        if (isStuck && nowNs - stuckNs > limitNs)
        {
            onBroken.accept("the bulk stream to node " + peerNode + (isReceived ? " has taken nothing for " :
                " was not received there for ") + limitNs / 1_000_000 + " ms");
        }
    }

    boolean onOperation(final BulkOperation operation)
    {
        return egress.onOperation(operation);
    }

    void onQueueGone(final int queue)
    {
        egress.onQueueGone(queue);
    }

    EgressStream stream()
    {
        return stream;
    }

    BulkIngress ingress()
    {
        return ingress;
    }

    int receive()
    {
        return ingress.receive();
    }

    Image image(final int session)
    {
        return ingress.image(session);
    }

    boolean isQuiet()
    {
        return !isUp || egress.isQuiet() && answers.isQuiet();
    }

    @Override
    public String toString()
    {
        return egress + ", " + answers + ", " + encoder + ", " + ingress;
    }
}
