// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;
import org.tallypost.node.Node;
import org.tallypost.node.NodeLeftovers;

/** What is removed of a node if nothing but the heartbeat of its processes can be seen, and if one of them lives. */
class LeftoversTest
{
    private static final int FIRST_ENTRY = 384;
    private static final int NAMESPACE = FIRST_ENTRY + 24;
    private static final long LONG_INTERVAL_NS = 400_000_000_000L;
    private static final long SHORT_INTERVAL_NS = 10_000_000L;

    @TempDir
    private Path directory;
    private final List<Throwable> told = new CopyOnWriteArrayList<>();

    private File node()
    {
        return new File(directory.toFile(), "node");
    }

    private NodeContext context(final long intervalNs)
    {
        return new NodeContext().directory(node()).rankCount(2).livenessIntervalNs(intervalNs)
            .livenessThread(false).errorHandler(told::add);
    }

    /** As if the first process was in a pid namespace of its own. */
    private void hide()
    {
        MappedFiles.map(new File(node(), NodeFiles.REGISTRY_NAME), FIRST_ENTRY, "registry").putLong(NAMESPACE, 42);
    }

    @Test
    void shouldRemoveTheNodeOfProcessesThatAreSilentForLongerThanTheInterval()
    {
        try (Node silent = Node.launch(context(SHORT_INTERVAL_NS)); Endpoint endpoint = silent.open(0))
        {
            hide();
            final NodeLeftovers found = NodeLeftovers.find(node());
            assertEquals(Liveness.UNKNOWN, found.liveness());
            assertEquals(List.of(), found.files(), "what may be in use is not left over");
            final NodeLeftovers removed = NodeLeftovers.remove(node());
            assertEquals(Liveness.DEAD, removed.liveness());
            assertEquals(List.of(), removed.stuck());
            assertFalse(node().exists());
            // as one that was declared gone it closes, and touches nothing
            silent.checkLiveness();
            assertTrue(endpoint.isClosed());
            assertFalse(node().exists());
        }
    }

    @Test
    void shouldLeaveProcessesAloneThatMayBeFrozenForLongerThanAnybodyWaits() throws IOException
    {
        try (Node silent = Node.launch(context(LONG_INTERVAL_NS)); Endpoint endpoint = silent.open(0))
        {
            hide();
            final Path bell = Files.writeString(node().toPath().resolve("bell-3-77"), "");
            final Path newer = Files.writeString(node().toPath().resolve("mailbox-0-2"), "");
            final Path strange = Files.writeString(node().toPath().resolve("mailbox-2-1"), "");
            final NodeLeftovers removed = NodeLeftovers.remove(node());
            assertEquals(Liveness.UNKNOWN, removed.liveness());
            assertEquals(List.of(bell.toFile()), removed.files());
            assertTrue(Files.exists(newer) && Files.exists(strange), "no incarnation that is over");
            assertEquals(0, silent.checkLiveness());
            assertFalse(endpoint.isClosed());
            assertTrue(endpoint.offer(0, 1, new UnsafeBuffer(new byte[8]), 0, 8) >= 0);
            Files.delete(newer);
            Files.delete(strange);
        }
        assertEquals(List.of(), told);
    }

    @Test
    void shouldTakeWhatAFounderLeftForANode() throws IOException
    {
        Node.launch(context(SHORT_INTERVAL_NS)).close();
        Files.delete(node().toPath().resolve(Group.FILE_NAME));
        assertEquals(Liveness.DEAD, NodeLeftovers.remove(node()).liveness());
        assertFalse(node().exists());
        assertThrows(MailboxException.class, () -> NodeLeftovers.remove(node()));
    }
}
