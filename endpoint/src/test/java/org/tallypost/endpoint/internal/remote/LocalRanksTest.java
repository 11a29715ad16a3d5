// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.node.Node;

/** Which ranks of its node a transport sees. */
class LocalRanksTest
{
    @TempDir
    private Path directory;

    private final List<Throwable> errors = new ArrayList<>();

    private Node launch()
    {
        return Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, IdleTransport.RANKS, 16)
            .transport(new IdleTransport()).transportSettings(new TransportSettings().egressSlots(2048).thread(false))
            .errorHandler(errors::add));
    }

    @Test
    void shouldSeeOthersThoughOneHasNoMailbox()
    {
        try (Node node = launch(); Node other = launch(); Endpoint first = other.open(0); Endpoint second = other.open(1))
        {
            final File mailbox = local(first).mailbox().file();
            final File aside = new File(mailbox.getPath() + "-aside");
            assertTrue(mailbox.renameTo(aside));
            final TransportPort port = new TransportPort(
                local(node).runtime(), local(node).sendingThreads(), local(node).wakeups());
            for (int look = 0; look < 3; look++)
            {
                port.pollRanks(new IdleTransport());
                assertEquals(0, port.localEpoch(0));
                assertEquals(second.epoch(), port.localEpoch(1));
                assertEquals(1, errors.size(), () -> "told once: " + errors);
            }
            assertTrue(aside.renameTo(mailbox));
            port.pollRanks(new IdleTransport());
            assertEquals(first.epoch(), port.localEpoch(0), "looked at again though nobody came or went");
        }
    }
}
