// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What happens when several peers connect at once to a listener that has room for few connections and does not accept at once:
 * the kernel drops what has no room, and it is tried again after its timeout. Runs over the loopback.
 */
final class Backlog
{
    private static final int PEERS = 7;
    private static final long ACCEPT_AFTER_NS = 200_000_000L;
    private static final long LIMIT_NS = 20_000_000_000L;

    private Backlog()
    {
    }

    /** For people: when the last peer was connected, with little room and with much. */
    static String shown() throws IOException
    {
        return String.format(Locale.ROOT, "%d peers connect at once, accepted after 0.2 s: with a backlog of 5 the last one is " +
            "connected after %.2f s, with 128 after %.2f s", PEERS, lastNs(5) / 1e9, lastNs(128) / 1e9);
    }

    private static long lastNs(final int backlog) throws IOException
    {
        final List<SocketChannel> opened = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open())
        {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
            server.configureBlocking(false);
            final long startNs = System.nanoTime();
            for (int i = 0; i < PEERS; i++)
            {
                final SocketChannel peer = SocketChannel.open();
                opened.add(peer);
                peer.configureBlocking(false);
                peer.connect(server.getLocalAddress());
            }
            int connected = 0;
            long lastNs = 0;
            final boolean[] isConnected = new boolean[PEERS];
            while (connected < PEERS)
            {
                lastNs = System.nanoTime() - startNs;
                if (lastNs > LIMIT_NS)
                {
                    throw new IOException("waited " + LIMIT_NS / 1_000_000 + " ms for " + PEERS + " connections over the " +
                        "loopback, " + connected + " are there");
                }
                for (int i = 0; i < PEERS; i++)
                {
                    if (!isConnected[i] && opened.get(i).finishConnect())
                    {
                        isConnected[i] = true;
                        connected++;
                    }
                }
                final SocketChannel accepted = lastNs > ACCEPT_AFTER_NS ? server.accept() : null;
                if (accepted != null)
                {
                    opened.add(accepted);
                }
                Thread.yield();
            }
            return lastNs;
        }
        finally
        {
            for (final SocketChannel channel : opened)
            {
                channel.close();
            }
        }
    }
}
