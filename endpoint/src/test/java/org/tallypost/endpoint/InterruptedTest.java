// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.node.Node;

/** What is done by a thread with its interrupt flag set, as after the end of a pool. The error handler throws. */
class InterruptedTest
{
    @TempDir
    private Path directory;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 16).livenessThread(false);
    }

    @AfterEach
    void clear()
    {
        Thread.interrupted();
    }

    @Test
    void shouldConnectAndSend()
    {
        try (Node here = Node.launch(context()); Node there = Node.launch(context());
            Endpoint from = here.open(0); Endpoint to = there.open(1))
        {
            Thread.currentThread().interrupt();
            Fixtures.awaitOffer(from, 1, message, 8, Fixtures.NOTHING, to);
            assertTrue(Thread.interrupted(), "the flag is kept");
        }
    }

    @Test
    void shouldLaunchOpenAndClose()
    {
        Thread.currentThread().interrupt();
        final Node node = Node.launch(context().deleteOnClose(true));
        node.open(0).close();
        node.open(2);
        assertTrue(Thread.currentThread().isInterrupted(), "the flag is kept");
        node.close();
        assertTrue(Thread.interrupted(), "the flag is kept");
        assertFalse(context().directory().exists(), "left in good order, and the last one removes the directory");
    }

    @Test
    void shouldLeaveInGoodOrderThoughItHasToWaitForTheLock() throws InterruptedException
    {
        final Node stays = Node.launch(context());
        final Node leaves = Node.launch(context());
        final AtomicBoolean isKept = new AtomicBoolean();
        final Thread closing = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            leaves.close();
            isKept.set(Thread.interrupted());
        });
        NodeLock.locked(NodeLock.file(context().directory()), () ->
        {
            closing.start();
            Watchdog.await("wait for the lock", () -> closing.getState() == Thread.State.TIMED_WAITING);
            closing.interrupt();
            return null;
        });
        closing.join();
        assertTrue(isKept.get(), "the flag is kept");
        assertEquals(1, local(stays).runtime().registry().liveCount());
        stays.close();
    }
}
