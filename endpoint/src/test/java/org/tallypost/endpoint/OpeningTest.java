// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.UnshownMailbox;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.UnshownFiles;
import org.tallypost.node.Node;

/** A rank's mailbox is made without the node's lock, and shown under it. */
class OpeningTest
{
    private static final int RANKS = 3;
    private static final int SLOTS = 16;
    private static final int LENGTH = 8;

    @TempDir
    private Path directory;
    private Node node;
    private Node other;
    private ExecutorService executor;

    @BeforeEach
    void setUp()
    {
        node = Node.launch(context());
        other = Node.launch(context());
        executor = Executors.newSingleThreadExecutor();
    }

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS).livenessThread(false);
    }

    @AfterEach
    void close()
    {
        executor.shutdownNow();
        node.close();
        other.close();
    }

    private static String suffix(final Node of)
    {
        return UnshownFiles.suffix(local(of).runtime().process(), local(of).runtime().incarnation());
    }

    private String[] unshown()
    {
        return node.context().directory().list((parent, name) -> UnshownFiles.isName(name));
    }

    private String[] mailboxes()
    {
        return node.context().directory().list((parent, name) -> name.startsWith("mailbox-"));
    }

    /** Something that happens while another thread has made the mailbox of rank 0, and waits for the lock. */
    private Future<Endpoint> openDuring(final Runnable action)
    {
        return NodeLock.locked(NodeLock.file(node.context().directory()), () ->
        {
            final Future<Endpoint> opening = executor.submit(() -> node.open(0));
            Watchdog.await("a mailbox that is made while somebody else has the lock", () ->
                Arrays.stream(unshown()).anyMatch((name) -> name.endsWith(suffix(node))));
            action.run();
            return opening;
        });
    }

    private static Throwable failure(final Future<?> opening) throws InterruptedException
    {
        try
        {
            return new AssertionError("opened: " + opening.get());
        }
        catch (final ExecutionException ex)
        {
            return ex.getCause();
        }
    }

    @Test
    void shouldMakeTheMailboxWithoutTheLockAndShowItUnderIt() throws Exception
    {
        final Endpoint sender = other.open(1);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final Future<Endpoint> opening = openDuring(() ->
        {
            assertArrayEquals(new String[]{"mailbox-1-1"}, mailboxes());
            assertEquals(Endpoint.NOT_CONNECTED, sender.offer(0, 1, message, 0, LENGTH));
        });
        final Endpoint opened = opening.get();
        assertEquals(1, opened.epoch());
        assertEquals(0, unshown().length);
        Fixtures.awaitOffer(sender, 0, message, LENGTH, Fixtures.NOTHING, opened);
    }

    @Test
    void shouldRefuseARankThatAnotherProcessHasOpenedMeanwhile() throws Exception
    {
        final Throwable failure = failure(openDuring(() -> other.open(0)));
        assertInstanceOf(IllegalStateException.class, failure);
        assertTrue(failure.getMessage().startsWith("rank is open already: rank=0"), failure::getMessage);
        assertArrayEquals(new String[]{"mailbox-0-1"}, mailboxes());
        assertEquals(0, unshown().length);
        assertTrue(
            local(other).runtime().group().isHeld(0, 1, local(other).runtime().process(), local(other).runtime().incarnation()));
    }

    @Test
    void shouldMakeAnotherMailboxIfTheRankWasOpenMeanwhile() throws Exception
    {
        final Endpoint opened = openDuring(() -> other.open(0).close()).get();
        assertEquals(2, opened.epoch());
        assertArrayEquals(new String[]{"mailbox-0-2"}, mailboxes());
        assertEquals(0, unshown().length);
    }

    @Test
    void shouldNotOpenInAProcessThatWasDeclaredGoneMeanwhile() throws Exception
    {
        final int process = local(node).runtime().process();
        final Throwable failure = failure(openDuring(() ->
            local(node).runtime().registry().leave(process, local(node).runtime().registry().incarnation(process))));
        assertInstanceOf(IllegalStateException.class, failure);
        assertTrue(failure.getMessage().startsWith("this process was declared gone"), failure::getMessage);
        assertEquals(0, mailboxes().length);
        assertEquals(0, unshown().length);
        assertEquals(1, other.open(0).epoch());
    }

    @Test
    void shouldDeleteTheMailboxOfAProcessThatDied() throws Exception
    {
        try (ForkedJvm child = RankProcess.start(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS, 1, 1))
        {
            assertEquals("ready", child.readLine());
            child.kill();
        }
        assertArrayEquals(new String[]{"mailbox-1-1"}, mailboxes());
        assertEquals(2, node.open(1).epoch());
        assertArrayEquals(new String[]{"mailbox-1-2"}, mailboxes());
    }

    @Test
    void shouldRemoveWhatAProcessBeganOnlyWhenThatProcessIsGone() throws Exception
    {
        try (ForkedJvm child = RankProcess.start(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS, 1, 1))
        {
            assertEquals("ready", child.readLine());
            final int process = local(node).runtime().group().ownerProcess(1);
            final UnshownMailbox begun = local(node).runtime().mailboxes().prepare(
                UnshownFiles.suffix(process, local(node).runtime().group().ownerIncarnation(1)), 0, 1);
            try (UnshownMailbox own = local(node).runtime().mailboxes().prepare(suffix(node), 2, 1))
            {
                assertTrue(new File(node.context().directory(), ".mailbox-2-1-123.new").createNewFile());
                Node.launch(context()).close();
                assertEquals(2, unshown().length, "what a live process makes is left alone, what nobody makes is removed");
                assertFalse(local(node).runtime().group().isOwnerLive(0, local(node).runtime().registry()));
                child.kill();
                Watchdog.await("the file to be removed by the one that notices the death", () ->
                {
                    node.checkLiveness();
                    return unshown().length == 1;
                });
                own.show();
                assertEquals(0, unshown().length);
            }
            assertEquals(1, node.open(0).epoch(), "the rank is as it was");
            begun.close();
        }
    }
}
