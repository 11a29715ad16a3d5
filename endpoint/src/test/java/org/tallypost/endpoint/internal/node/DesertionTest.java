// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.node.Node;

/** Somebody comes to the directory of processes of which nothing but the heartbeat can be seen. */
class DesertionTest
{
    private static final int FIRST_ENTRY = 384;
    private static final int ENTRY_LENGTH = 128;
    private static final int START_TIME = FIRST_ENTRY + 16;
    private static final int NAMESPACE = FIRST_ENTRY + 24;
    private static final int HEARTBEAT = FIRST_ENTRY + 64;
    private static final long LONG_INTERVAL_NS = 400_000_000_000L;
    private static final long SHORT_INTERVAL_NS = 10_000_000L;

    @TempDir
    private Path directory;
    private final List<Throwable> told = new CopyOnWriteArrayList<>();

    private NodeContext context(final String group, final long intervalNs)
    {
        return new NodeContext().directory(node()).groupName(group).rankCount(2).livenessIntervalNs(intervalNs)
            .livenessThread(false).maxProcesses(4).maxSendingThreads(8).errorHandler(told::add);
    }

    private File node()
    {
        return new File(directory.toFile(), "node");
    }

    /** As if the first process was in a pid namespace of its own, and had stood still for a long time. */
    private void freeze()
    {
        final UnsafeBuffer registry = MappedFiles.map(new File(node(), NodeFiles.REGISTRY_NAME), FIRST_ENTRY, "registry");
        registry.putLong(NAMESPACE, 42);
        registry.putLong(HEARTBEAT, 1);
    }

    private Object groupFile() throws Exception
    {
        return Files.readAttributes(node().toPath().resolve(Group.FILE_NAME), BasicFileAttributes.class).fileKey();
    }

    @Test
    void shouldJoinAProcessThatIsFrozenWithinItsInterval() throws Exception
    {
        try (Node frozen = Node.launch(context("group", LONG_INTERVAL_NS)); Endpoint a = frozen.open(0))
        {
            final Object before = groupFile();
            freeze();
            try (Node newcomer = Node.launch(context("group", LONG_INTERVAL_NS)); Endpoint b = newcomer.open(1))
            {
                assertEquals(before, groupFile(), "the node is the same");
                assertEquals(0, newcomer.checkLiveness());
                assertEquals(0, frozen.checkLiveness(), "it goes on");
                assertFalse(a.isClosed());
                final int[] got = new int[1];
                final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
                Watchdog.await("a message from the one that was frozen", () ->
                {
                    a.offer(1, 0, message, 0, 8);
                    b.poll((source, tag, buffer, offset, length) -> got[0]++, 1);
                    return got[0] > 0;
                });
                final IllegalStateException ex = assertThrows(IllegalStateException.class, () -> newcomer.open(0));
                assertTrue(ex.getMessage().contains("heartbeat") && ex.getMessage().contains("" + LONG_INTERVAL_NS),
                    ex.getMessage());
            }
        }
        assertEquals(List.of(), told);
    }

    @Test
    void shouldRefuseOtherValuesAtOnceWhileSomebodyMayBeFrozenForLonger() throws Exception
    {
        try (Node frozen = Node.launch(context("group", LONG_INTERVAL_NS)); Endpoint a = frozen.open(0))
        {
            final Object before = groupFile();
            freeze();
            final MailboxException ex = assertThrows(
                MailboxException.class, () -> Node.launch(context("other", LONG_INTERVAL_NS)));
            assertTrue(ex.getMessage().contains("groupName") && ex.getMessage().contains("found=group"), ex.getMessage());
            assertEquals(before, groupFile());
            assertEquals(0, frozen.checkLiveness());
            assertFalse(a.isClosed());
        }
    }

    @Test
    void shouldRefuseOtherValuesAtOnceIfSomebodyIsProvenToLive() throws Exception
    {
        try (Node first = Node.launch(context("group", SHORT_INTERVAL_NS)); Endpoint a = first.open(0))
        {
            final Object before = groupFile();
            assertThrows(MailboxException.class, () -> Node.launch(context("other", SHORT_INTERVAL_NS)));
            assertEquals(before, groupFile());
            assertFalse(a.isClosed());
        }
    }

    @Test
    void shouldMakeANodeAnewIfItsProcessesWereSeenToBeSilent() throws Exception
    {
        try (Node gone = Node.launch(context("group", SHORT_INTERVAL_NS)); Endpoint a = gone.open(0))
        {
            freeze();
            try (Node newcomer = Node.launch(context("other", SHORT_INTERVAL_NS)); Endpoint b = newcomer.open(0))
            {
                assertFalse(b.isClosed());
                assertEquals(0, gone.checkLiveness());
                assertTrue(a.isClosed(), "it was declared gone");
                assertEquals(1, told.size(), told::toString);
                final String text = told.get(0).getMessage();
                assertTrue(text.startsWith("this process was declared gone") && text.contains("=" + SHORT_INTERVAL_NS), text);
            }
        }
    }

    @Test
    void shouldTakeTheFoundersInterval()
    {
        try (Node founder = Node.launch(context("group", LONG_INTERVAL_NS)))
        {
            assertEquals(List.of(), told);
            final NodeContext other = context("group", SHORT_INTERVAL_NS);
            try (Node second = Node.launch(other))
            {
                assertEquals(LONG_INTERVAL_NS, second.context().livenessIntervalNs());
                assertEquals(LONG_INTERVAL_NS, founder.context().livenessIntervalNs());
                assertEquals(1, told.size());
                final String text = told.get(0).getMessage();
                assertTrue(text.contains("found=" + SHORT_INTERVAL_NS) && text.contains("in use=" + LONG_INTERVAL_NS), text);
            }
        }
    }

    @Test
    void shouldRefuseAnIntervalThatNobodyCanHaveWritten()
    {
        try (Node founder = Node.launch(context("group", LONG_INTERVAL_NS)))
        {
            final UnsafeBuffer group = MappedFiles.map(local(founder).runtime().group().file(), 128, "group");
            for (final long value : new long[]{0, -1, Long.MIN_VALUE, 999_999})
            {
                group.putLong(GroupDescriptor.LIVENESS_INTERVAL_OFFSET, value);
                final MailboxException ex = assertThrows(
                    MailboxException.class, () -> Node.launch(context("group", LONG_INTERVAL_NS)));
                assertTrue(ex.getMessage().contains("livenessIntervalNs") && ex.getMessage().contains("found=" + value),
                    ex.getMessage());
            }
        }
    }

    /** It was killed a moment ago: the system knows it, and no process of the node has looked since. */
    @Test
    void shouldRemoveTheDirectoryThoughAnotherProcessDiedUnseen()
    {
        closeBeside(START_TIME, 1);
        assertFalse(node().exists());
    }

    @Test
    void shouldLeaveTheDirectoryToAProcessThatLives()
    {
        closeBeside(HEARTBEAT, 1);
        assertTrue(node().exists());
    }

    @Test
    void shouldLeaveTheDirectoryToAProcessOfWhichNothingIsKnown()
    {
        closeBeside(NAMESPACE, 42);
        assertTrue(node().exists());
    }

    /** Closes a node with deleteOnClose beside another process, in the entry of which a word was changed before. */
    private void closeBeside(final int offset, final long value)
    {
        final File registryFile = new File(node(), NodeFiles.REGISTRY_NAME);
        try (Node last = Node.launch(context("group", LONG_INTERVAL_NS).deleteOnClose(true)))
        {
            final int process = Registry.attach(registryFile).join(System.currentTimeMillis());
            assertEquals(1, process, "the second entry");
            assertEquals(2, local(last).runtime().registry().liveCount());
            final UnsafeBuffer registry = MappedFiles.map(registryFile, FIRST_ENTRY + 2 * ENTRY_LENGTH, "registry");
            registry.putLong(ENTRY_LENGTH + offset, value);
        }
        assertEquals(List.of(), told);
    }
}
