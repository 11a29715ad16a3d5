// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A node that cannot be reached is nothing to the others, wherever it stands in the list. */
@Timeout(1800)
@Tag("once")
class UnknownHostTest
{
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    /** No name has a label of more than 63 characters: no name server is asked. */
    private static final String UNKNOWN = "n".repeat(64) + ".invalid";

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);

    @TempDir
    private File directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldReachTheOthersWhereverTheUnknownOneStands(final int unknown)
    {
        try (NodesRig rig = new NodesRig(directory, 3, 1).withHost(unknown, UNKNOWN))
        {
            final int first = unknown == 0 ? 1 : 0;
            final int last = unknown == 2 ? 1 : 2;
            rig.launch(first);
            rig.launch(last);
            rig.pollUntil("a message", NOTHING, () -> rig.endpoint(first).offer(last, 0, message, 0, 40) >= 0);
            rig.pollUntil("its arrival", NOTHING, () -> rig.endpoint(last).counters().received() == 1);
            Watchdog.await("two errors, one of each node", () -> rig.errors.size() >= 2);
            for (final Throwable error : rig.errors)
            {
                assertTrue(error.getMessage().startsWith("node " + unknown + " at " + UNKNOWN) &&
                    error.getMessage().indexOf('\n') < 0, error::getMessage);
            }
            assertEquals(2, rig.errors.size(), rig.errors::toString);
        }
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() throws IOException
    {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)))
        {
            final NodeAddress own = new NodeAddress("127.0.0.1", taken.getLocalPort());
            final AeronTransport transport = new AeronTransport(
                Topology.blocks(List.of(own, new NodeAddress("127.0.0.2", taken.getLocalPort())), new int[]{1, 1}), 0)
                .secret(NodesRig.SECRET);
            final IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Node.launch(
                new NodeContext().directory(new File(directory, "taken")).rankCount(2).transport(transport)));
            assertTrue(refused.getMessage().startsWith("cannot receive at " + own) &&
                refused.getMessage().contains("ddress already in use") && refused.getMessage().indexOf('\n') < 0,
                refused::getMessage);
        }
    }
}
