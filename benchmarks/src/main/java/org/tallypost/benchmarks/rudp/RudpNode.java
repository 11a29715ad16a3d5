// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.process.Namespaces;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * One host of a real run: {@code receive INDEX HOSTS DIRECTORY}, or {@code send SLOW|FAST LENGTH REPEATS HOSTS DIRECTORY
 * RECEIVERS...}; the directory is for files of Aeron's drivers. It ends when its standard input does. The sender prints a line
 * for each broadcast: way, receivers, nanoseconds, packets sent, packets sent again.
 */
final class RudpNode
{
    static final String READY = "ready";
    static final String RUDP = "rudp";
    static final String TCP = "tcp";
    static final String AERON = "aeron";

    /** Each host has a network of its own, and all ports of it. */
    private static final int PORT = 7_801;
    private static final int DATA_PORT = 7_802;
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);

    private RudpNode()
    {
    }

    /**
     * Runs one host.
     *
     * @param arguments see above.
     * @throws IOException if a broadcast fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final Thread watch = new Thread(RudpNode::endWithInput, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        if (arguments[0].equals("receive"))
        {
            receive(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), new File(arguments[3]));
        }
        else
        {
            final RudpSettings settings = arguments[1].equals("SLOW") ? RudpSettings.SLOW : RudpSettings.FAST;
            try (MulticastHost multicast =
                new MulticastHost(new File(arguments[5]), 0, Integer.parseInt(arguments[4]) - 1, LIMIT_NS))
            {
                multicast.awaitOthers();
                send(settings.limits(settings.maxRounds(), settings.quietNs(), LIMIT_NS), Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3]), multicast,
                    Arrays.stream(arguments).skip(6).mapToInt(Integer::parseInt).toArray());
            }
        }
    }

    private static void endWithInput()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final IOException ignore)
        {
            // a broken pipe means the same as its end
        }
        Runtime.getRuntime().halt(1);
    }

    private static void receive(final int index, final int hosts, final File directory) throws IOException
    {
        try (RudpListener listener = new RudpListener(InetAddress.getByName(Namespaces.address(index)), PORT, DATA_PORT, 0, 0);
            MulticastHost multicast = new MulticastHost(directory, index, hosts - 1, LIMIT_NS))
        {
            final Thread thread = new Thread(() -> receive(multicast), "multicast");
            thread.setDaemon(true);
            thread.start();
            System.out.println(READY);
            while (true)
            {
                listener.receive(LIMIT_NS);
            }
        }
    }

    private static void receive(final MulticastHost multicast)
    {
        try
        {
            multicast.awaitOthers();
            multicast.receive();
        }
        catch (final IOException ex)
        {
            ex.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static RudpRoot root(final int receivers)
    {
        final List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = 1; i <= receivers; i++)
        {
            addresses.add(new InetSocketAddress(Namespaces.address(i), PORT));
        }
        return new RudpRoot(new InetSocketAddress(Namespaces.broadcastAddress(), DATA_PORT), addresses, LIMIT_NS);
    }

    /** By turns, so that what else the machine does hits all alike; the first turn is for the compiler. */
    private static void send(
        final RudpSettings settings, final int length, final int repeats, final MulticastHost multicast, final int[] receivers)
        throws IOException
    {
        final byte[] data = new byte[length];
        for (int i = 0; i <= repeats; i++)
        {
            for (final int count : receivers)
            {
                final RudpRoot root = root(count);
                final long startNs = System.nanoTime();
                root.broadcast(settings, data);
                final long middleNs = System.nanoTime();
                root.sendOneByOne(data);
                final long endNs = System.nanoTime();
                multicast.broadcast(data, count);
                final long multicastNs = System.nanoTime();
                multicast.settle();
                if (i > 0)
                {
                    System.out.println(RUDP + " " + count + " " + (middleNs - startNs) + " " + root.sent() + " " +
                        root.repeated());
                    System.out.println(TCP + " " + count + " " + (endNs - middleNs) + " 0 0");
                    System.out.println(AERON + " " + count + " " + (multicastNs - endNs) + " 0 0");
                }
            }
        }
    }
}
