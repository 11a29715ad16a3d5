// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.RankProcess;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.FormerMappings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;

/** Mailboxes of incarnations that are over do not stay mapped, and files that were begun do not stay at all. */
class FormerMailboxesTest
{
    private static final int RANKS = 2;
    private static final int SLOTS = 64;
    private static final int LENGTH = 16;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS);
    }

    /** Mailboxes that this process has mapped although their files are deleted. */
    private static long deletedMappings(final Node node)
    {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps")))
        {
            final String prefix = node.context().directory() + "/mailbox-";
            return maps.filter((line) -> line.contains(prefix) && line.endsWith("(deleted)")).count();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void exchange(final Endpoint from, final Endpoint to)
    {
        Fixtures.awaitOffer(from, to.rank(), message, LENGTH, Fixtures.NOTHING, to);
    }

    @Test
    void shouldBoundTheMappingsOfARankThatIsReopened()
    {
        try (Node node = Node.launch(context()))
        {
            for (int i = 1; i <= 200; i++)
            {
                node.open(0).close();
                assertTrue(local(node).runtime().mailboxes().formerCount() <= FormerMappings.MAX_COUNT + 1, () ->
                    "mapped=" + local(node).runtime().mailboxes().formerCount());
            }
        }
    }

    @Test
    void shouldLetGoOfMailboxesOfAPeerOfWhichItKnewEverySecondOne()
    {
        try (Node node = Node.launch(context().livenessThread(false));
            Node other = Node.launch(context().livenessThread(false)); Endpoint sender = node.open(0))
        {
            for (int i = 1; i <= 150; i++)
            {
                try (Endpoint receiver = other.open(1))
                {
                    if (i % 2 == 0)
                    {
                        exchange(sender, receiver);
                    }
                }
                node.checkLiveness();
                assertTrue(local(node).runtime().mailboxes().all().length <= RANKS, "mailboxes that are known");
                assertTrue(local(node).runtime().mailboxes().formerCount() <= FormerMappings.MAX_COUNT + 1, () ->
                    "mapped=" + local(node).runtime().mailboxes().formerCount());
            }
            Watchdog.await("the others to be unmapped", () ->
            {
                local(node).runtime().mailboxes().release();
                local(other).runtime().mailboxes().release();
                return deletedMappings(node) == 0;
            });
        }
    }

    @Test
    void shouldTellALossOnceAlthoughThePeerWasLetGo()
    {
        try (Node node = Node.launch(context().livenessThread(false));
            Node other = Node.launch(context().livenessThread(false)); Endpoint sender = node.open(0))
        {
            try (Endpoint receiver = other.open(1))
            {
                exchange(sender, receiver);
            }
            node.checkLiveness();
            assertEquals(null, local(sender).outbox().peers()[1], "let go");
            try (Endpoint successor = other.open(1))
            {
                assertEquals(Endpoint.PEER_GONE, sender.offer(1, 1, message, 0, LENGTH));
                Fixtures.pollUntil("a message", Fixtures.NOTHING, () ->
                {
                    final long result = sender.offer(1, 1, message, 0, LENGTH);
                    assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED,
                        () -> Endpoint.errorString(result));
                    return result >= 0;
                }, successor);
            }
        }
    }

    @Test
    void shouldNotLetGoOfAMailboxWhoseFileIsThereWhateverTheGroupSays()
    {
        try (Node node = Node.launch(context().livenessThread(false));
            Node other = Node.launch(context().livenessThread(false));
            Endpoint sender = node.open(0); Endpoint receiver = other.open(1))
        {
            exchange(sender, receiver);
            final Peer before = local(sender).outbox().peers()[1];
            local(node).runtime().group().leave(1, receiver.epoch(), GroupDescriptor.STATE_CLOSED);
            local(node).runtime().registry().membershipChanged();
            node.checkLiveness();
            assertEquals(before, local(sender).outbox().peers()[1]);
            other.checkLiveness();
            exchange(sender, receiver);
        }
    }

    @Test
    void shouldMakeRoomOnceAndRefuseWithTheNumbers()
    {
        try (Node node = Node.launch(context().livenessThread(false)))
        {
            final int[] attempts = new int[1];
            assertEquals("opened", RoomWait.withRoom(local(node).runtime(), node::checkLiveness, () ->
            {
                if (attempts[0]++ == 0)
                {
                    throw new NoRoomException("no room", null, 1);
                }
                return "opened";
            }));
            assertEquals(2, attempts[0]);
            final NoRoomException refusal = assertThrows(NoRoomException.class,
                () -> RoomWait.withRoom(local(node).runtime(), node::checkLiveness, () ->
            {
                throw new NoRoomException("no room for file", null, 1);
            }));
            assertTrue(refusal.getMessage().startsWith("no room for file, closed mailboxes that are mapped here="));
            try (Node other = Node.launch(context().livenessThread(false)))
            {
                assertTrue(local(other).runtime().registry().liveCount() > 1);
                assertEquals("room at last", RoomWait.withRoom(local(node).runtime(), node::checkLiveness, () ->
                {
                    if (attempts[0]++ < 5)
                    {
                        throw new NoRoomException("no room", null, 1);
                    }
                    return "room at last";
                }), "others may let go of something");
            }
        }
    }

    @Test
    void shouldRemoveFilesThatWereBegunAndNotShown() throws IOException
    {
        final File begun;
        try (Node node = Node.launch(context().livenessThread(false)))
        {
            begun = new File(node.context().directory(), ".mailbox-1-1-123.new");
            assertTrue(begun.createNewFile());
            final File foreign = new File(node.context().directory(), "notes.new");
            assertTrue(foreign.createNewFile());
            Node.launch(context().livenessThread(false)).close();
            assertFalse(begun.exists(), "a process that joins removes it");
            assertTrue(foreign.exists());
            try (ForkedJvm child = RankProcess.start(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS, 1, 1))
            {
                assertEquals("ready", child.readLine());
                assertTrue(begun.createNewFile());
                node.checkLiveness();
                assertTrue(begun.exists(), "somebody may be making it");
                child.kill();
            }
            Watchdog.await("the file to be removed with the death", () ->
            {
                node.checkLiveness();
                return !begun.exists();
            });
        }
    }
}
