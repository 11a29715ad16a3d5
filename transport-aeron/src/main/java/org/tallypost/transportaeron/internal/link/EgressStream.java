// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.ExclusivePublication;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.transportaeron.internal.driver.AeronConnection;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BatchSink;

/**
 * A stream to one other node: asked for, had, at its end. For the agent's thread.
 */
final class EgressStream implements BatchSink
{
    private static final long NONE = -1;

    private final AeronSettings settings;
    private final NodePort port;
    private final int peerNode;
    private final int number;
    private final Supplier<String> channel;
    private ExclusivePublication publication;
    /** Of the publication that the driver was asked for. */
    private long publicationId = NONE;
    /** Why the other node could not be reached, as it was told. */
    private String unreachable;
    private boolean isSpent;
    private long sentBytes;

    private EgressStream(
        final AeronSettings settings, final NodePort port, final int peerNode, final int number, final Supplier<String> channel)
    {
        this.number = number;
        this.channel = channel;
        this.settings = settings;
        this.port = port;
        this.peerNode = peerNode;
    }

    /** By which the handshake goes, and messages of every priority. */
    static EgressStream ofMessages(final AeronSettings settings, final NodePort port, final int peerNode)
    {
        return new EgressStream(settings, port, peerNode, settings.stream(settings.node()),
            () -> settings.publicationChannel(port.settings(), peerNode));
    }

    /** For messages of high priority alone; null if there are no such streams. */
    static EgressStream ofHigh(final AeronSettings settings, final NodePort port, final int peerNode)
    {
        return !settings.hasHigh(port.settings()) ? null : new EgressStream(settings, port, peerNode,
            settings.highStream(settings.node()), () -> settings.highChannel(port.settings(), peerNode));
    }

    static EgressStream ofBulk(final AeronSettings settings, final NodePort port, final int peerNode)
    {
        return new EgressStream(
            settings, port, peerNode, settings.bulkStream(settings.node()), () -> settings.bulkChannel(peerNode));
    }

    /**
     * Begins to publish to the other node, or finds out what has come of it. Its name may not be known yet, and to look it up may
     * take long: the driver does it on a thread of its own, and nobody waits for it.
     *
     * @return false if there is no answer yet.
     * @throws RuntimeException if it is not possible now; the next call begins anew.
     */
    boolean publish(final AeronConnection connection)
    {
        if (publicationId == NONE)
        {
            publicationId = connection.beginToPublish(channel.get(), number);
        }
        final long id = publicationId;
        publicationId = NONE;
        publication = connection.publication(id);
        if (publication == null)
        {
            publicationId = id;
            return false;
        }
        unreachable = null;
        return true;
    }

    /** It was not possible to publish to the other node: told once for each reason. */
    void onUnreachable(final RuntimeException reason)
    {
        final String text = firstLine(reason.getMessage());
        if (!text.equals(unreachable))
        {
            unreachable = text;
            port.onError(new IllegalStateException("node " + peerNode + " at " + settings.address(peerNode) +
                " cannot be reached, and is tried again: " + text, reason));
        }
    }

    /** The first line of a text that may have several, or be null; what Aeron puts before an error's own words is left out. */
    static String firstLine(final String text)
    {
        final String line = String.valueOf(text).split("\\R", 2)[0];
        return line.replaceFirst("^(ERROR|WARN) - ", "");
    }

    boolean isPublishing()
    {
        return publication != null;
    }

    /** Whether something can be said on it: there is a publication, and the driver has not closed it. */
    boolean isOpen()
    {
        return publication != null && !publication.isClosed();
    }

    /** Whether its driver has heard of a receiver: what is offered then is taken, as long as there is room. */
    boolean isConnected()
    {
        return publication != null && publication.isConnected();
    }

    /** Aeron session of a stream that is there. */
    int sessionId()
    {
        return publication.sessionId();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (publication == null)
        {
            return -1;
        }
        long result = publication.offer(buffer, offset, length);
        if (result == ExclusivePublication.ADMIN_ACTION)
        {
            // a term has ended: the next one is there already
            result = publication.offer(buffer, offset, length);
        }
        sentBytes += result >= 0 ? length : 0;
        isSpent |= result == ExclusivePublication.MAX_POSITION_EXCEEDED || result == ExclusivePublication.CLOSED;
        return result;
    }

    /** Bytes that were taken, on all streams so far. */
    long sentBytes()
    {
        return sentBytes;
    }

    /** Aeron's number of a stream that is open. */
    long registrationId()
    {
        return publication.registrationId();
    }

    /** Whether it has come to its end, after 2^31 terms, or was closed: the agent begins another one. */
    boolean isSpent()
    {
        return isSpent;
    }

    /** Closes what there is. */
    void close()
    {
        isSpent = false;
        final ExclusivePublication old = publication;
        publication = null;
        publicationId = NONE;
        CloseHelper.quietClose(old);
    }
}
