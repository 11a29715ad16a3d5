// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import java.io.File;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

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
