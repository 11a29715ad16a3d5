// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.SimulatedAccess;

/** What the system does for a process that dies. */
class SimulatedDeathTest
{
    @TempDir
    File directory;

    private Node launch(final Transport transport)
    {
        return Node.launch(new NodeContext().directory(directory).rankCount(3).livenessThread(false)
            .transport(transport).transportSettings(new TransportSettings().thread(false)));
    }

    /** Its threads are where they are; one of them may be in the midst of a duty cycle. */
    @Test
    void shouldFreeTheTransportOfADeadProcessThatIsInADutyCycle()
    {
        final AtomicInteger starts = new AtomicInteger();
        final AtomicInteger takenOver = new AtomicInteger();
        final Node[] nodes = new Node[2];
        final Runnable death = () ->
        {
            final Thread other = new Thread(() -> SimulatedAccess.release(nodes[0]), "the system");
            other.setDaemon(true);
            other.start();
            Watchdog.await("the lock of the dead process is free", () -> !other.isAlive());
            nodes[1].checkLiveness();
            takenOver.set(starts.get());
        };
        try (Node first = launch(new DyingTransport(starts, death)); Node second = launch(new DyingTransport(starts, death)))
        {
            nodes[0] = first;
            nodes[1] = second;
            assertEquals(1, starts.get(), "one process carries the packets");
            first.transportWork();
            assertEquals(2, takenOver.get(), "another process carries them");
        }
    }

    private record DyingTransport(AtomicInteger starts, Runnable death) implements Transport, Agent
    {
        @Override
        public RankMap rankMap()
        {
            return new RankMap(2, new int[]{0, 0, 1});
        }

        @Override
        public int node()
        {
            return 0;
        }

        @Override
        public void conclude(final NodeView settings)
        {
            // nothing to conclude
        }

        @Override
        public Agent start(final NodePort port)
        {
            starts.incrementAndGet();
            return this;
        }

        @Override
        public int doWork()
        {
            death.run();
            return 0;
        }

        @Override
        public String roleName()
        {
            return "dying";
        }
    }
}
