// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;

/** Files of a node that has others: what is computed from the agreed numbers of ranks and slots lies in them. */
class RemoteFilesTest
{
    private static final int RANKS = 5;
    private static final int SLOTS = 2048;

    @TempDir
    private Path directory;

    private NodeContext context;

    /** Two nodes; this one, 0, has ranks 0 to 2. */
    private static final class NoTransport implements Transport
    {
        @Override
        public RankMap rankMap()
        {
            return new RankMap(2, new int[]{0, 0, 0, 1, 1});
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
            throw new AssertionError("not launched here");
        }
    }

    @BeforeEach
    void create()
    {
        context = Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16).transport(new NoTransport())
            .transportSettings(new TransportSettings().egressSlots(SLOTS));
        context.conclude();
        MappedFiles.ensureDirectory(context.directory());
        RemoteNodes.create(context);
    }

    private void shouldRefuse(final String... words)
    {
        shouldTell(() -> RemoteNodes.attach(context), words);
    }

    private static void shouldTell(final Executable attempt, final String... words)
    {
        final String message = assertThrows(MailboxException.class, attempt).getMessage();
        for (final String word : words)
        {
            assertTrue(message.contains(word), "expected <" + word + "> in: " + message);
        }
    }

    @Test
    void shouldAttachWhatWasCreated()
    {
        final RemoteNodes nodes = RemoteNodes.attach(context);
        assertEquals(SLOTS, nodes.ring(1).ringSlots());
        nodes.buffer().putLong(nodes.lineOffset(2, 4) + RemoteDescriptor.LINE_LENGTH - Long.BYTES, 1L);
    }

    @Test
    void shouldRefuseFewerPairsThanThereAre()
    {
        final File file = new File(context.directory(), RemoteNodes.FILE_NAME);
        final UnsafeBuffer old = MappedFiles.map(file, RemoteDescriptor.MARKS_OFFSET, "remote");
        final int length = old.capacity() - RemoteDescriptor.LINE_LENGTH;
        MappedFiles.create(file, length, (b) ->
        {
            b.putBytes(0, old, 0, length);
            b.putLong(RemoteDescriptor.FILE_LENGTH_OFFSET, length);
        });
        shouldRefuse("another length", "file=" + file, "found=" + length, "expected=" + old.capacity());
    }

    @Test
    void shouldRefuseRingsOfAnotherShape()
    {
        final File file = new File(context.directory(), RemoteNodes.RING_PREFIX + 1);
        final int runSlots = PacketDescriptor.RUN_SLOTS;
        Mailbox.create(file, RANKS + 1, 1, RANKS, SLOTS, 1);
        shouldRefuse("another ring", "file=" + file, "2048, 1]", "2048, " + runSlots + "]");
        Mailbox.create(file, RANKS + 1, 1, RANKS, SLOTS / 2, runSlots);
        shouldRefuse("another ring", "1024, ");
        Mailbox.create(file, RANKS + 1, 1, RANKS - 1, SLOTS, runSlots);
        shouldRefuse("another ring", "found=[6, 4, ");
        Mailbox.create(file, 0, 1, RANKS, SLOTS, runSlots);
        shouldRefuse("another ring", "found=[0, 5, ");
    }

    @Test
    void shouldReadFromOutsideWhichRanksAreHere()
    {
        final RemoteNodes.Placement found = RemoteNodes.readPlacement(context.directory());
        assertEquals(0, found.node());
        assertEquals("0x3 1x2", found.map().layout());
        assertNull(RemoteNodes.readPlacement(directory.toFile()), "no other nodes");
    }

    @Test
    void shouldRefuseRanksOnOtherNodes()
    {
        final int at = (int)RemoteDescriptor.nodeOfRankOffset(RANKS, 3, 2);
        harm(at, 1);
        shouldRefuse("another node of rank 2", "found=1", "expected=0");
        harm(at, 2);
        shouldTell(() -> RemoteNodes.readPlacement(context.directory()), "rank=2", "found node=2", "expected=0 to 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {RemoteDescriptor.RANKS_OFFSET, RemoteDescriptor.NODES_OFFSET, RemoteDescriptor.NODE_OFFSET,
        RemoteDescriptor.LOCALS_OFFSET})
    void shouldReadNothingPastADamagedHeader(final int offset)
    {
        for (final int value : new int[]{-1, 0, 1, 2, 4, 5, 6, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            harm(offset, value);
            try
            {
                final RemoteNodes.Placement found = RemoteNodes.readPlacement(context.directory());
                assertEquals(RANKS, found.map().rankCount(), "offset=" + offset + ", value=" + value);
            }
            catch (final MailboxException ex)
            {
                assertTrue(ex.getMessage().contains("file="), ex::getMessage);
            }
        }
    }

    private void harm(final int offset, final int value)
    {
        MappedFiles.map(new File(context.directory(), RemoteNodes.FILE_NAME), RemoteDescriptor.MARKS_OFFSET, "remote")
            .putInt(offset, value);
    }
}
