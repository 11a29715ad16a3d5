// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.util.List;
import org.tallypost.deck.Deck;
import org.tallypost.deck.DeckContext;
import org.tallypost.deck.MailBox;
import org.tallypost.deck.Message;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process with rank 1, on node 1. It owns a mail box, and tells what comes there until it is killed. */
public final class OwnerOfNode
{
    static final long LIVENESS_NS = 5_000_000_000L;

    private OwnerOfNode()
    {
    }

    static ForkedJvm start(final File directory, final Topology topology, final String name)
    {
        return ForkedJvm.start(OwnerOfNode.class, directory, topology.address(0).port(), topology.address(1).port(), name);
    }

    /**
     * Retrieves messages with an int each.
     *
     * @param arguments directory, ports of the two nodes, name of the mail box.
     */
    public static void main(final String[] arguments)
    {
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", Integer.parseInt(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[2]))), new int[]{1, 1});
        final Node node = Node.launch(new NodeContext().directory(new File(arguments[0])).groupName("test").rankCount(2)
            .slotsPerSender(16).maxSendingThreads(64).maxProcesses(16).livenessIntervalNs(LIVENESS_NS)
            .transport(new AeronTransport(topology, 1).secret(NodesRig.SECRET)));
        final Deck deck = Deck.launch(new DeckContext().endpoint(node.open(1)).rankCount(2).timeoutNs(Deck.FOREVER));
        final MailBox box = deck.createMailBox(arguments[3]);
        final Message got = deck.newMessage(0);
        while (true)
        {
            box.retrieve(got);
            System.out.println("found " + got.unpackInt());
        }
    }
}
