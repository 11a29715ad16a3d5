// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.node.Node;

/** A process was stopped while it holds the lock of the node: what goes on all the same. The error handler throws. */
class HeldLockTest
{
    @TempDir
    private Path directory;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
    private Node node;
    private Endpoint endpoint;
    private ForkedJvm holder;

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 16).livenessThread(false);
    }

    @BeforeEach
    void holdTheLock()
    {
        node = Node.launch(context());
        endpoint = node.open(0);
        node.open(1);
        holder = ForkedJvm.start(LockHoldingProcess.class, context().directory());
        assertEquals(LockHoldingProcess.HELD, holder.readLine());
        holder.stop();
    }

    @AfterEach
    void end()
    {
        holder.close();
        node.close();
    }

    @Test
    void shouldSendByAThreadThatHasNotSentBefore() throws InterruptedException
    {
        final AtomicLong result = new AtomicLong();
        final Thread fresh = new Thread(() -> result.set(endpoint.offer(1, 1, message, 0, 8)));
        fresh.start();
        fresh.join();
        assertTrue(result.get() >= 0, () -> Endpoint.errorString(result.get()));
    }

    @Test
    void shouldGoOnSayingThatItLivesWhatIsDamagedAtThatTimeIsRepairedLater()
    {
        final File file = new File(context().directory(), Group.FILE_NAME);
        final UnsafeBuffer words = MappedFiles.map(file, GroupDescriptor.RANK_WORDS_OFFSET, "group");
        final long open = GroupDescriptor.rankWord(endpoint.epoch(), GroupDescriptor.STATE_OPEN);
        words.putLongVolatile(GroupDescriptor.rankWordOffset(0), 0L);
        node.checkLiveness();
        assertEquals(0L, words.getLongVolatile(GroupDescriptor.rankWordOffset(0)), "written without the lock");
        holder.kill();
        Watchdog.await("repair", () ->
        {
            node.checkLiveness();
            return words.getLongVolatile(GroupDescriptor.rankWordOffset(0)) == open;
        });
    }

    @Test
    void shouldUseNodesOfOtherDirectories()
    {
        try (Node other = Node.launch(context().directory(directory.resolve("other").toFile()).deleteOnClose(true));
            Endpoint own = other.open(1))
        {
            assertFalse(own.isClosed());
        }
        assertFalse(directory.resolve("other").toFile().exists(), "the last one removes it");
    }
}
