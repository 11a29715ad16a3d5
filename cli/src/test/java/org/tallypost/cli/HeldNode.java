// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/** A process with two open ranks, one of which has sent a message to the other, and a shared file, that waits to be killed. */
public final class HeldNode
{
    private HeldNode()
    {
    }

    /**
     * Starts the process, and waits until its ranks are open.
     *
     * @param directory of the node.
     * @return the process.
     */
    public static ForkedJvm start(final Path directory)
    {
        final ForkedJvm holder = ForkedJvm.start(HeldNode.class, directory);
        Watchdog.await("two open ranks", () -> "open".equals(holder.pollLine()));
        return holder;
    }

    /**
     * The options of the node.
     *
     * @param directory of the node.
     * @return a new context.
     */
    public static NodeContext context(final File directory)
    {
        return new NodeContext().directory(directory).groupName("held").rankCount(3);
    }

    /**
     * The options of a node with a link to another one, which is never there.
     *
     * @param directory of the node.
     * @return a new context.
     */
    public static NodeContext linkedContext(final File directory)
    {
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", freePort()), new NodeAddress("127.0.0.1", freePort())), new int[]{2, 1});
        return context(directory).deleteOnClose(true).transport(
            new AeronTransport(topology, 0).secret("a secret of the tests, not random".getBytes(StandardCharsets.US_ASCII)));
    }

    private static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * The process.
     *
     * @param args the directory.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final Node node = Node.launch(context(new File(args[0])));
        node.createShared("held", 4_096);
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        if (sender.offer(receiver.rank(), 1, new UnsafeBuffer(new byte[8]), 0, 8) < 0)
        {
            throw new IllegalStateException("the message was refused");
        }
        System.out.println("open");
        Thread.currentThread().join();
    }
}
