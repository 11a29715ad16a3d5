// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.remote.RunWriterTest;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.node.Node;

/**
 * A child process that carries the packets of a node: it claims room for several runs of a rank of another node, delivers some of
 * them, and dies.
 */
public final class CarrierProcess
{
    private CarrierProcess()
    {
    }

    /**
     * Delivers some, and dies.
     *
     * @param arguments directory of the node, slots for each sender, runs claimed, runs delivered.
     */
    public static void main(final String[] arguments)
    {
        final IdleTransport transport = new IdleTransport();
        Node.launch(RunWriterTest.context(new File(arguments[0]), transport, Integer.parseInt(arguments[1])));
        final int claimed = Integer.parseInt(arguments[2]);
        final NodePort port = transport.port();
        while (transport.credits < 2 * claimed)
        {
            port.pollRanks(transport);
            port.openPeer(IdleTransport.FAR, 1, transport);
            port.pollCredits(transport);
            Thread.yield();
        }
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RunWriterTest.LENGTH]);
        boolean isOpen = port.reserve(IdleTransport.FAR, 0, claimed);
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++)
        {
            Fixtures.fill(message, 0, RunWriterTest.LENGTH, IdleTransport.FAR, i);
            isOpen &= port.deliver(false, PacketDescriptor.FLAGS_WHOLE, IdleTransport.FAR, 0, i, message, 0,
                RunWriterTest.LENGTH);
        }
        Runtime.getRuntime().halt(isOpen ? 7 : 1);
    }
}
