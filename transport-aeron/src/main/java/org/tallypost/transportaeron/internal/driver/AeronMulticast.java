// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import java.io.File;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.tallypost.endpoint.transport.Multicast;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.transportaeron.internal.handshake.Handshake;

/**
 * Sends to all nodes at once by a stream of Aeron, and receives those of the others. A sender goes as fast as the slowest of
 * all receivers that have the group's tag, and is connected only while all of them are there. One that says nothing for
 * {@link #SILENCE_NS} is not there. Time for which this thread does not call does not count.
 */
public final class AeronMulticast implements Multicast
{
    /** Longer than a receiver's thread has no turn on a busy machine. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);
    /** Nobody has to call for as long as the group lives. */
    private static final long LIFE_NS = TimeUnit.DAYS.toNanos(365);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ROLE_TAG = 'G';
    private static final String DIRECTORY_PREFIX = "aeron-multicast-";
    private static final String DRIVER_DIRECTORY = "driver";

    private final AeronConnection connection;
    private final Subscription[] from;
    private final File driverDirectory;
    private final FragmentHandler fragments = (buffer, offset, length, header) -> onFragment(buffer, offset, length);
    private ExclusivePublication publication;
    private Handler handler;
    private long lastNs = System.nanoTime();

    /**
     * Launches a driver, or connects to one, and waits until the driver has answered.
     *
     * @param of      settings of the node's transport.
     * @param group   where it sends to.
     * @param view    of the node.
     * @param rank    that does it.
     * @param onError hears of what goes wrong later.
     */
    public AeronMulticast(
        final AeronSettings of, final MulticastSettings group, final NodeView view, final int rank, final ErrorHandler onError)
    {
        final AeronSettings settings = new MulticastStreams(of, MulticastSettings.TERM_LENGTH);
        driverDirectory = new File(view.directory(), DRIVER_DIRECTORY);
        if (settings.aeronDirectory() == null)
        {
            // Aeron makes its files for everybody to read
            MappedFiles.ensureDirectory(driverDirectory);
        }
        // another driver, or its client, takes the other for gone if this thread does not call for long: then it is over
        final long lifeNs = settings.aeronDirectory() == null ? LIFE_NS : view.livenessIntervalNs();
        if (!AeronConnection.isPossible(settings, lifeNs))
        {
            throw new IllegalStateException("no media driver for multicast: found none in aeronDirectory=" +
                settings.aeronDirectory());
        }
        connection = new AeronConnection(settings, new File(driverDirectory, DIRECTORY_PREFIX + rank), lifeNs, onError);
        from = new Subscription[settings.map().nodeCount()];
        try
        {
            final String channel = CommonContext.UDP_CHANNEL + "?endpoint=" + group.address() + "|interface=" +
                group.networkInterface();
            final long tag = ByteBuffer.wrap(settings.newSecret().prove(ROLE_TAG, new byte[0])).getLong() >>> 1;
            for (int node = 0; node < from.length; node++)
            {
                from[node] = node == settings.node() ? null : connection.aeron().addSubscription(
                    channel + "|gtag=" + tag + "|rcv-wnd=" + MulticastSettings.TERM_LENGTH / 2, settings.stream(node));
            }
            publish(settings, channel + "|fc=tagged,g:" + tag + "/" + (from.length - 1) + ",t:" + SILENCE_NS + "ns");
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    private void publish(final AeronSettings settings, final String channel)
    {
        final int mtuLength =
            Math.min(settings.mtuLength(), FrameDescriptor.computeMaxMessageLength(MulticastSettings.TERM_LENGTH));
        final int session = StreamGuard.session(
            settings.newSecret(), settings.node(), StreamGuard.TO_ALL, ByteBuffer.wrap(Handshake.newNonce()).getInt());
        final long id = connection.beginToPublish(channel + "|mtu=" + mtuLength + "|term-length=" +
            MulticastSettings.TERM_LENGTH + "|session-id=" + session, settings.stream(settings.node()));
        final long endNs = System.nanoTime() + ANSWER_NS;
        publication = connection.publication(id);
        while (publication == null)
        {
            if (System.nanoTime() - endNs >= 0)
            {
                throw new IllegalStateException("the media driver has not answered: found no publication after " +
                    TimeUnit.NANOSECONDS.toSeconds(ANSWER_NS) + " s, channel=" + channel);
            }
            work();
            Thread.yield();
            publication = connection.publication(id);
        }
    }

    @Override
    public int maxLength()
    {
        return publication.maxPayloadLength();
    }

    @Override
    public int offer(final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset, final int length)
    {
        long result = send(head, headLength, data, offset, length);
        if (result == Publication.ADMIN_ACTION)
        {
            // a term has ended: the next one is there already
            result = send(head, headLength, data, offset, length);
        }
        return result >= 0 ? 0 :
            result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION ? NOT_NOW : NOT_CONNECTED;
    }

    private long send(
        final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset, final int length)
    {
        return length == 0 ? publication.offer(head, 0, headLength) :
            publication.offer(head, 0, headLength, data, offset, length);
    }

    @Override
    public int work()
    {
        final long nowNs = System.nanoTime();
        final long sinceNs = nowNs - lastNs;
        lastNs = nowNs;
        return connection.isClosed() ? 0 : connection.doWork(nowNs, sinceNs > PAUSE_NS ? sinceNs : 0, true);
    }

    @Override
    public int poll(final int node, final Handler to, final int limit)
    {
        work();
        handler = to;
        return from[node] == null || from[node].isClosed() ? 0 : from[node].poll(fragments, limit);
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length)
    {
        handler.onPiece(buffer, offset, length);
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(connection);
        driverDirectory.delete();
    }
}
