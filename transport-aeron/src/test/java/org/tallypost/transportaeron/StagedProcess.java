// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/** A child process with rank 1, on node 1. It exchanges long messages with rank 0 until it is killed. */
public final class StagedProcess
{
    static final int LENGTH = 1 << 20;

    private StagedProcess()
    {
    }

    static ForkedJvm start(final File directory, final Topology topology, final long livenessNs)
    {
        return ForkedJvm.start(
            StagedProcess.class, directory, topology.address(0).port(), topology.address(1).port(), livenessNs);
    }

    /** The messenger of either side. */
    static Messenger launch(final Endpoint endpoint, final RegionMemory memory)
    {
        return Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(2).regionMemory(memory)
            .stagingLength(MessengerContext.MIN_STAGING_LENGTH));
    }

    /**
     * Sends and receives.
     *
     * @param arguments directory, ports of the two nodes, liveness interval.
     */
    public static void main(final String[] arguments)
    {
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", Integer.parseInt(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[2]))), new int[]{1, 1});
        final Node node = Node.launch(new NodeContext().directory(new File(arguments[0])).groupName("test").rankCount(2)
            .slotsPerSender(16).maxSendingThreads(64).maxProcesses(16).livenessIntervalNs(Long.parseLong(arguments[3]))
            .transport(new AeronTransport(topology, 1).secret(NodesRig.SECRET).bulkTermLength(1 << 20)));
        final Endpoint endpoint = node.open(1);
        final Messenger messenger = launch(endpoint, RegionMemory.open(node, endpoint));
        final UnsafeBuffer out = new UnsafeBuffer(new byte[LENGTH]);
        final UnsafeBuffer in = new UnsafeBuffer(new byte[LENGTH]);
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        out.setMemory(0, LENGTH, (byte)1);
        boolean isTold = false;
        while (true)
        {
            messenger.receive(receive, messenger.world(), 0, 1, in, 0, LENGTH);
            messenger.send(send, messenger.world(), 0, 1, out, 0, LENGTH);
            while (!receive.isDone() || !send.isDone())
            {
                messenger.doWork();
                Thread.yield();
            }
            if (!isTold)
            {
                isTold = true;
                System.out.println(receive.result() + " " + send.result());
            }
        }
    }
}
