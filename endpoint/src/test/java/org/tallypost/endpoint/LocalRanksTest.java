// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ranks of its node a transport sees. */
class LocalRanksTest
{
    @TempDir
    private Path directory;

    private final List<Throwable> errors = new ArrayList<>();

    /** Two nodes; this one, 0, has ranks 0 and 1. */
    private static final class IdleTransport implements Transport, Agent
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
        public void conclude(final NodeSettings settings)
        {
            // nothing to conclude
        }

        @Override
        public Agent start(final NodePort port)
        {
            return this;
        }

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public String roleName()
        {
            return "idle";
        }
    }

    private static final class NoListener implements NodePortListener
    {
        @Override
        public void onLocalRank(final int rank, final int epoch, final boolean isOpen)
        {
            // the port is asked
        }

        @Override
        public void onPairOpened(final int local, final int localEpoch, final int peer, final int peerEpoch)
        {
            throw new AssertionError("there are no peers");
        }

        @Override
        public void onPairClosed(final int local, final int peer)
        {
            throw new AssertionError("there are no peers");
        }

        @Override
        public void onCredits(final int receiver, final int sender, final int credits)
        {
            throw new AssertionError("there are no peers");
        }

        @Override
        public void onRequest(final int receiver, final int sender)
        {
            throw new AssertionError("there are no peers");
        }

        @Override
        public void onRun(
            final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
            final DirectBuffer buffer, final int offset, final int length)
        {
            throw new AssertionError("nothing is sent");
        }
    }

    private Node launch()
    {
        return Node.launch(Fixtures.context(directory, Flow.DYNAMIC, Carrier.DIRECT, 3, 16).transport(new IdleTransport())
            .transportSettings(new TransportSettings().egressSlots(2048).thread(false)).errorHandler(errors::add));
    }

    @Test
    void shouldSeeOthersThoughOneHasNoMailbox()
    {
        try (Node node = launch(); Node other = launch(); Endpoint first = other.open(0); Endpoint second = other.open(1))
        {
            final File mailbox = first.mailbox().file();
            final File aside = new File(mailbox.getPath() + "-aside");
            assertTrue(mailbox.renameTo(aside));
            final TransportPort port = new TransportPort(node);
            for (int look = 0; look < 3; look++)
            {
                port.pollRanks(new NoListener());
                assertEquals(0, port.localEpoch(0));
                assertEquals(second.epoch(), port.localEpoch(1));
                assertEquals(1, errors.size(), () -> "told once: " + errors);
            }
            assertTrue(aside.renameTo(mailbox));
            port.pollRanks(new NoListener());
            assertEquals(first.epoch(), port.localEpoch(0), "looked at again though nobody came or went");
        }
    }
}
