// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.tallypost.thesis.rudp.RudpSender;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * Broadcasts data to receivers: by RUDP, or, to compare, by a connection to one after the other. Both connect for each broadcast,
 * as ECCLib does, and end when all receivers have said that they have everything. All waits end: see the settings, and the limit.
 */
public final class RudpRoot
{
    private static final long LOOK_MS = 1;
    private static final byte[] NOTHING = {};

    private final InetSocketAddress group;
    private final List<InetSocketAddress> receivers;
    private final long limitNs;
    private long sent;
    private long repeated;

    /**
     * Has sent nothing.
     *
     * @param group     address and port to which datagrams go; a broadcast address.
     * @param receivers where each listens for connections.
     * @param limitNs   longest time of a broadcast.
     */
    public RudpRoot(final InetSocketAddress group, final List<InetSocketAddress> receivers, final long limitNs)
    {
        this.group = group;
        this.receivers = List.copyOf(receivers);
        this.limitNs = limitNs;
    }

    /**
     * Broadcasts by RUDP.
     *
     * @param settings imposed on all.
     * @param data     to be sent.
     * @throws IOException if a receiver is gone, does not answer, or still misses packets after the limit of rounds.
     */
    public void broadcast(final RudpSettings settings, final byte[] data) throws IOException
    {
        final List<ControlChannel> controls = new ArrayList<>();
        try (Selector selector = Selector.open(); DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET))
        {
            channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
            channel.configureBlocking(true);
            final long startNs = System.nanoTime();
            final SessionTerms terms = new SessionTerms(ThreadLocalRandom.current().nextLong(), data.length, settings);
            for (final InetSocketAddress receiver : receivers)
            {
                final ControlChannel control = ControlChannel.connect(receiver, selector);
                controls.add(control);
                control.send(ControlChannel.SESSION, 0, 0, terms.encoded());
            }
            final RudpSender sender = new RudpSender(settings, data.length, receivers.size());
            final BitSet ready = new BitSet();
            while (ready.cardinality() < controls.size())
            {
                poll(controls, sender, ready);
                check(sender, startNs, "receivers to be ready, of which " + ready + " are");
                await(selector);
            }
            while (!sender.isEnded())
            {
                sendDue(controls, sender, channel, terms, data);
                if (!poll(controls, sender, ready) && sender.isWaiting())
                {
                    await(selector);
                }
                sender.onTime(System.nanoTime());
                check(sender, startNs, "burst " + sender.burst());
            }
            check(sender, startNs, "the end");
            for (final ControlChannel control : controls)
            {
                control.send(ControlChannel.END, 0, 0, NOTHING);
            }
            sent = sender.sent();
            repeated = sender.repeated();
        }
        finally
        {
            closeAll(controls);
        }
    }

    private static void await(final Selector selector) throws IOException
    {
        selector.select(LOOK_MS);
        selector.selectedKeys().clear();
    }

    private void check(final RudpSender sender, final long startNs, final String what) throws IOException
    {
        if (sender.failure() != null)
        {
            throw new IOException("RUDP: " + sender.failure());
        }
        if (System.nanoTime() - startNs > limitNs)
        {
            throw new IOException("RUDP: waited " + TimeUnit.NANOSECONDS.toMillis(limitNs) + " ms (limitNs) for " + what);
        }
    }

    /** Whether any message came. */
    private static boolean poll(final List<ControlChannel> controls, final RudpSender sender, final BitSet ready)
        throws IOException
    {
        final int[] messages = new int[1];
        for (int i = 0; i < controls.size(); i++)
        {
            final int receiver = i;
            final boolean isOpen = controls.get(i).poll((kind, first, second, bytes) ->
            {
                messages[0]++;
                if (kind == ControlChannel.READY)
                {
                    ready.set(receiver);
                }
                else if (kind == ControlChannel.ANSWER)
                {
                    sender.onAnswer(receiver, first, second, BitSet.valueOf(bytes));
                }
                else
                {
                    throw new IOException(controls.get(receiver).name() + ": found a message of kind " + kind +
                        ", expected that it is ready, or an answer");
                }
            });
            if (!isOpen)
            {
                sender.onGone(receiver);
            }
        }
        return messages[0] > 0;
    }

    private void sendDue(
        final List<ControlChannel> controls,
        final RudpSender sender,
        final DatagramChannel channel,
        final SessionTerms terms,
        final byte[] data) throws IOException
    {
        final ByteBuffer datagram = ByteBuffer.allocate(SessionTerms.HEADER_LENGTH + terms.settings().packetLength());
        int sequence = sender.nextPacket(System.nanoTime());
        while (sequence != RudpSender.NONE)
        {
            final int length = terms.settings().lengthOf(data.length, sequence);
            datagram.clear().putLong(terms.session()).putInt(sequence).putInt(length)
                .put(data, sequence * terms.settings().packetLength(), length).flip();
            channel.send(datagram, group);
            // with the timer answers may come meanwhile; they wait in their connections
            sequence = sender.nextPacket(System.nanoTime());
        }
        if (sender.takeAsk())
        {
            for (final ControlChannel control : controls)
            {
                control.send(ControlChannel.LAST, sender.burst(), sender.round(), NOTHING);
            }
        }
    }

    /**
     * Sends the data by a connection to one receiver after the other, and then waits until each has said that it has all.
     *
     * @param data to be sent.
     * @throws IOException if a receiver is gone, or the limit is over.
     */
    public void sendOneByOne(final byte[] data) throws IOException
    {
        final List<ControlChannel> controls = new ArrayList<>();
        final BitSet done = new BitSet();
        try (Selector selector = Selector.open())
        {
            final long startNs = System.nanoTime();
            for (final InetSocketAddress receiver : receivers)
            {
                final ControlChannel control = ControlChannel.connect(receiver, selector);
                controls.add(control);
                control.send(ControlChannel.BYTES, data.length, 0, NOTHING);
                write(control, selector, ByteBuffer.wrap(data), startNs);
            }
            while (done.cardinality() < controls.size())
            {
                awaitEnd(controls, done);
                checkLimit(startNs, "receivers to have everything; these have: " + done);
                await(selector);
            }
        }
        finally
        {
            closeAll(controls);
        }
    }

    private void write(final ControlChannel control, final Selector selector, final ByteBuffer left, final long startNs)
        throws IOException
    {
        final SelectionKey key = control.channel().keyFor(selector);
        key.interestOps(SelectionKey.OP_WRITE);
        while (left.hasRemaining())
        {
            control.channel().write(left);
            checkLimit(startNs, control.name() + " to take " + left.remaining() + " bytes");
            if (left.hasRemaining())
            {
                await(selector);
            }
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    private static void awaitEnd(final List<ControlChannel> controls, final BitSet done) throws IOException
    {
        for (int i = 0; i < controls.size(); i++)
        {
            final int receiver = i;
            final boolean isOpen = controls.get(i).poll((kind, first, second, bytes) ->
                done.set(receiver, kind == ControlChannel.END));
            if (!isOpen && !done.get(receiver))
            {
                throw new IOException("receiver " + receiver + " is gone: " + controls.get(i).name());
            }
        }
    }

    private void checkLimit(final long startNs, final String what) throws IOException
    {
        if (System.nanoTime() - startNs > limitNs)
        {
            throw new IOException("TCP: waited " + TimeUnit.NANOSECONDS.toMillis(limitNs) + " ms (limitNs) for " + what);
        }
    }

    private static void closeAll(final List<ControlChannel> controls) throws IOException
    {
        for (final ControlChannel control : controls)
        {
            control.close();
        }
    }

    /**
     * Packets of the last broadcast that ended well.
     *
     * @return their number, with those that were sent again.
     */
    public long sent()
    {
        return sent;
    }

    /**
     * Packets of the last broadcast that were sent again.
     *
     * @return their number.
     */
    public long repeated()
    {
        return repeated;
    }
}
