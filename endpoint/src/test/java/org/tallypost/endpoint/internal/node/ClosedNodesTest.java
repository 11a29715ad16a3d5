// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.FormerMappings;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;

/** What a node had mapped does not stay mapped when it is closed, or could not be launched. */
@Tag("once")
class ClosedNodesTest
{
    /** Each of them leaves three mappings. */
    private static final int ROUNDS = 3 * FormerMappings.MAX_COUNT;
    /** What a collection may leave, since a frame that is not over holds it, is far from what all rounds leave. */
    private static final int MAX_MAPPED = 2 * FormerMappings.MAX_COUNT;

    @TempDir
    private Path directory;

    private NodeContext context(final Transport transport)
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, IdleTransport.RANKS, 16).livenessThread(false)
            .deleteOnClose(true).transport(transport)
            .transportSettings(new TransportSettings().thread(false));
    }

    /** What other tests have closed in this JVM goes, or something holds it. */
    private int heldByOthers()
    {
        ClosedNodes.release();
        return ClosedNodes.count();
    }

    private void openAndClose()
    {
        try (Node node = Node.launch(context(new IdleTransport())))
        {
            node.open(0);
            node.open(1);
        }
    }

    @Test
    void shouldBoundTheMappingsOfNodesThatCannotBeLaunched()
    {
        final int before = heldByOthers();
        final Transport noRoom = new IdleTransport()
        {
            @Override
            public Agent start(final NodePort nodePort)
            {
                throw new NoRoomException("no room for the transport", null, 1);
            }
        };
        for (int i = 0; i < ROUNDS; i++)
        {
            assertThrows(NoRoomException.class, () -> Node.launch(context(noRoom)));
            assertTrue(ClosedNodes.count() <= before + MAX_MAPPED, () ->
                "mapped=" + ClosedNodes.count() + " before=" + before);
        }
    }

    @Test
    void shouldBoundTheMappingsOfNodesThatAreClosed()
    {
        final int before = heldByOthers();
        for (int i = 0; i < ROUNDS; i++)
        {
            openAndClose();
            assertTrue(ClosedNodes.count() <= before + MAX_MAPPED, () ->
                "mapped=" + ClosedNodes.count() + " before=" + before);
        }
    }
}
