// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Ranks that come, go, die and come back: what the others are told, and what becomes of the credits. */
@Tag("once")
class ComingAndGoingTest
{
    private static final int RANKS = 3;
    private static final int SLOTS = 16;
    private static final int LENGTH = 200;
    /** Of a process, in the registry. */
    private static final int STATE_GONE = 2;

    @TempDir
    private Path directory;

    private final List<ForkedJvm> children = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[2048]);

    private NodeContext context(final CreditReturn creditReturn)
    {
        return Fixtures.context(directory, Flow.DYNAMIC, creditReturn, RANKS, SLOTS).checkInvariants(true);
    }

    private ForkedJvm child(final CreditReturn creditReturn, final Integer... ranks)
    {
        final ForkedJvm child = RankProcess.start(directory, Flow.DYNAMIC, creditReturn, RANKS, SLOTS, 1, ranks);
        children.add(child);
        assertEquals("ready", child.readLine());
        return child;
    }

    @AfterEach
    void endChildren()
    {
        children.forEach(ForkedJvm::close);
    }

    /** Sends until a code comes, and returns it; others than NO_CREDIT and NOT_CONNECTED. */
    private long sendUntilCode(final Endpoint from, final int dest)
    {
        final long[] code = new long[1];
        Fixtures.pollUntil("code", Fixtures.NOTHING, () ->
        {
            final long result = from.offer(dest, 1, message, 0, LENGTH);
            code[0] = result;
            return result < 0 && result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED;
        }, from);
        return code[0];
    }

    private void sendMany(final Endpoint from, final int dest, final int count, final Endpoint... polled)
    {
        for (int i = 0; i < count; i++)
        {
            Fixtures.awaitOffer(from, dest, message, LENGTH, Fixtures.NOTHING, polled);
        }
    }

    private static long received(final ForkedJvm child)
    {
        child.writeLine("count");
        return Long.parseLong(child.readLine().split(" ")[1]);
    }

    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldTellThatAReceiverWasKilledAndGoOnWithItsSuccessor(final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(context(creditReturn)); Endpoint sender = node.open(0))
        {
            assertEquals(Endpoint.NOT_CONNECTED, sender.offer(1, 1, message, 0, LENGTH));
            for (int i = 0; i < 3; i++)
            {
                final ForkedJvm child = child(creditReturn, 1, 2);
                sendMany(sender, 1, 500, sender);
                Watchdog.await("all received", () -> received(child) == 500);
                child.kill();
                assertEquals(Endpoint.PEER_GONE, sendUntilCode(sender, 1));
            }
            // the successor is there before the sender tries again: it is told nevertheless
            child(creditReturn, 1);
            sendMany(sender, 1, 10, sender);
            children.get(children.size() - 1).kill();
            final ForkedJvm successor = child(creditReturn, 1);
            Watchdog.await("rank opened anew", () -> GroupDescriptor.epoch(local(node).runtime().group().rankWord(1)) == 5);
            assertEquals(Endpoint.PEER_GONE, sendUntilCode(sender, 1));
            sendMany(sender, 1, 500, sender);
            Watchdog.await("all received", () -> received(successor) == 500);
        }
    }

    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldTellThatAReceiverClosedAndGoOnWithItsSuccessor(final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(context(creditReturn)); Node other = Node.launch(context(creditReturn));
            Endpoint sender = node.open(0))
        {
            for (int i = 0; i < 20; i++)
            {
                try (Endpoint receiver = other.open(1))
                {
                    sendMany(sender, 1, 50, sender, receiver);
                }
                assertEquals(Endpoint.PEER_GONE, sendUntilCode(sender, 1));
                assertEquals(Endpoint.PEER_GONE, sender.newSend().start(1, 1, message, 0, LENGTH));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldTakeBackTheCreditsOfSendersThatCloseAndLetTheirSuccessorsIn(final Flow flow, final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, RANKS, SLOTS).checkInvariants(true));
            Node other = Node.launch(Fixtures.context(directory, flow, creditReturn, RANKS, SLOTS).checkInvariants(true));
            Endpoint receiver = node.open(0))
        {
            for (int i = 1; i <= 20; i++)
            {
                final Endpoint sender = (i % 2 == 0 ? node : other).open(1);
                assertEquals(i, sender.epoch());
                sendMany(sender, 0, 30, receiver, sender);
                // some that the receiver has not read when the sender goes, and one that is given up
                while (sender.offer(0, 1, message, 0, 1) >= 0)
                {
                    Thread.onSpinWait();
                }
                sender.close();
                assertEquals(Endpoint.CLOSED, sender.offer(0, 1, message, 0, LENGTH));
                assertTrue(sender.isClosed());
                assertEquals(Endpoint.CLOSED, sender.poll(Fixtures.NOTHING, 1));
                Fixtures.assertConserved(receiver);
            }
            Fixtures.pollUntil("credits back", Fixtures.NOTHING, () -> local(receiver).inbox().ledger().isGone(1), receiver);
            assertEquals(0, local(receiver).inbox().ledger().currentCredits(1));
            try (Endpoint last = node.open(1))
            {
                sendMany(last, 0, 100, receiver, last);
                Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver, last);
                Fixtures.assertConserved(receiver);
                assertEquals(0, receiver.counters().refused());
                assertEquals(0, receiver.counters().repairedCredits());
            }
        }
    }

    /** The rank moves to another process while a thread of the first one has withdrawn credits and not yet claimed. */
    @Test
    void shouldWaitForTheClaimsOfTheFormerHolderOfARank()
    {
        try (Node node = Node.launch(context(CreditReturn.DIRECT)); Node former = Node.launch(context(CreditReturn.DIRECT));
            Node later = Node.launch(context(CreditReturn.DIRECT)); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = former.open(1);
            sendMany(sender, 0, 1, receiver);
            final SendingThread thread = local(former).sendingThreads().mine();
            final Peer peer = new Peer(local(former).runtime().mailboxes().get(0, 1), local(node).runtime().group().rankWord(0),
                1, 1, 100);
            thread.mark.intend(peer.claimKey, 1);
            assertTrue(peer.tryWithdraw(peer.creditWord(), 1));
            sender.close();
            try (Endpoint successor = later.open(1))
            {
                for (int i = 0; i < 10_000; i++)
                {
                    receiver.poll(Fixtures.NOTHING, 10);
                }
                assertFalse(local(receiver).inbox().ledger().isGone(1), "a claim is on the way");
                assertEquals(1, local(receiver).inbox().countedEpoch(2));
                assertEquals(Endpoint.NOT_CONNECTED, successor.offer(0, 1, message, 0, 1));
                final long position = peer.mailbox.claim(thread.mark, 1);
                peer.mailbox.publish(thread.mark, position, PacketDescriptor.TYPE_NUDGE, 0, 0, 1);
                sendMany(successor, 0, 100, receiver, successor);
                Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
                Fixtures.assertConserved(receiver);
                assertEquals(0, receiver.counters().refused());
            }
        }
    }

    /**
     * A sender was killed between withdrawing and claiming. Between the moment at which its process is known to be gone, so that
     * its claim counts for nothing, and that at which its rank is, the books are looked at: nothing in them was damaged.
     */
    @Test
    void shouldNotTakeWhatADeadSenderWithdrewForDamage()
    {
        try (Node node = Node.launch(context(CreditReturn.DIRECT).livenessThread(false)); Endpoint receiver = node.open(0))
        {
            final Node other = Node.launch(context(CreditReturn.DIRECT).livenessThread(false));
            final Endpoint sender = other.open(1);
            sendMany(sender, 0, 1, receiver);
            Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
            final SendingThread thread = local(other).sendingThreads().mine();
            final Peer peer = new Peer(local(other).runtime().mailboxes().get(0, 1), local(node).runtime().group().rankWord(0),
                1, 1, 100);
            thread.mark.intend(peer.claimKey, 2);
            assertTrue(peer.tryWithdraw(peer.creditWord(), 2));
            final int held = local(receiver).inbox().ledger().currentCredits(1);
            // the state of a process is the first word of its entry
            MappedFiles.map(new File(other.context().directory(), NodeFiles.REGISTRY_NAME), 384, "registry")
                .putIntVolatile(384 + local(other).runtime().process() * MailboxDescriptor.LINE_LENGTH, STATE_GONE);
            for (int i = 0; i < 16; i++)
            {
                // makes it look for damage
                local(receiver).mailbox().buffer().putLongVolatile(MailboxDescriptor.READ_POSITION_OFFSET, -1);
                Fixtures.pollUntil("look", Fixtures.NOTHING, () -> local(receiver).mailbox().readPosition() >= 0, receiver);
            }
            assertEquals(0, receiver.counters().repairedCredits());
            assertEquals(held, local(receiver).inbox().ledger().currentCredits(1));
            Fixtures.pollUntil("end of the dead", Fixtures.NOTHING, () ->
            {
                node.checkLiveness();
                return local(receiver).inbox().ledger().isGone(1);
            }, receiver);
            Fixtures.assertConserved(receiver);
            assertEquals(0, receiver.counters().repairedCredits());
            other.close();
        }
    }

    @Test
    void shouldNotLetAThreadSendThroughAnEndpointThatIsBeingClosed() throws InterruptedException
    {
        try (Node node = Node.launch(context(CreditReturn.DIRECT)); Endpoint receiver = node.open(0))
        {
            for (int i = 0; i < 30; i++)
            {
                final Node other = Node.launch(context(CreditReturn.DIRECT));
                final Endpoint sender = other.open(1);
                final List<Thread> threads = new ArrayList<>();
                final AtomicReference<Throwable> failure = new AtomicReference<>();
                for (int t = 0; t < 2; t++)
                {
                    final Thread thread = new Thread(() ->
                    {
                        long result = 0;
                        while (result != Endpoint.CLOSED)
                        {
                            result = sender.offer(0, 1, new UnsafeBuffer(new byte[100]), 0, 100);
                        }
                    });
                    thread.setUncaughtExceptionHandler((which, t2) -> failure.set(t2));
                    threads.add(thread);
                    thread.start();
                }
                final long until = receiver.counters().received() + 20;
                Fixtures.pollUntil("some messages", Fixtures.NOTHING,
                    () -> receiver.counters().received() >= until, receiver);
                other.close();
                for (final Thread thread : threads)
                {
                    thread.join();
                }
                assertEquals(null, failure.get());
                Fixtures.assertConserved(receiver);
            }
            Fixtures.pollUntil("reclaimed", Fixtures.NOTHING, () -> local(receiver).inbox().ledger().isGone(1), receiver);
            assertTrue(Fixtures.isBalanced(receiver), Fixtures.books(receiver));
            assertEquals(0, receiver.counters().skippedSlots());
            assertEquals(0, receiver.counters().repairedCredits());
        }
    }

    @Test
    void shouldTakeOverADirectoryOfTheDead()
    {
        final ForkedJvm child = child(CreditReturn.DIRECT, 0, 1, 2);
        child.kill();
        // with other values too: no rank is left that would mind
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.PACKET, 2, 32));
            Endpoint endpoint = node.open(0))
        {
            assertEquals(1, endpoint.epoch());
            sendMany(endpoint, 0, 100, endpoint);
            assertFalse(new File(directory.toFile(), "node/mailbox-2-1").exists());
        }
    }

    @Test
    void shouldFoundOneNodeWhenTwoComeAtTheSameMoment() throws Exception
    {
        for (int i = 0; i < 50; i++)
        {
            final Path place = directory.resolve("round-" + i);
            final CyclicBarrier barrier = new CyclicBarrier(2);
            final Node[] nodes = new Node[2];
            final Thread[] threads = new Thread[2];
            for (int t = 0; t < 2; t++)
            {
                final int which = t;
                threads[t] = new Thread(() ->
                {
                    try
                    {
                        barrier.await();
                    }
                    catch (final Exception ex)
                    {
                        throw new AssertionError(ex);
                    }
                    nodes[which] = Node.launch(
                        Fixtures.context(place, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 16).deleteOnClose(true)
                            .livenessThread(false));
                });
                threads[t].start();
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertNotNull(nodes[0]);
            assertNotNull(nodes[1]);
            assertEquals(2, local(nodes[0]).runtime().registry().liveCount());
            assertEquals(2, local(nodes[1]).runtime().registry().liveCount());
            try (Endpoint a = nodes[0].open(0); Endpoint b = nodes[1].open(1))
            {
                sendMany(a, 1, 1, b);
            }
            nodes[0].close();
            nodes[1].close();
            assertFalse(new File(place.toFile(), "node").exists());
        }
    }

    @Test
    void shouldFoundOneNodeWhenTwoProcessesComeAtTheSameMoment()
    {
        for (int i = 0; i < 3; i++)
        {
            final Path place = directory.resolve("round-" + i);
            final ForkedJvm first = RankProcess.start(place, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS, 1, 0);
            final ForkedJvm second = RankProcess.start(place, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS, 2, 1);
            children.add(first);
            children.add(second);
            assertEquals("ready", first.readLine());
            assertEquals("ready", second.readLine());
            second.writeLine("send");
            Watchdog.await("messages", () -> received(first) > 0);
            second.writeLine("quit");
            while (!second.readLine().equals("done"))
            {
                Thread.onSpinWait();
            }
            first.writeLine("exit");
            second.writeLine("exit");
            assertEquals(0, first.waitFor());
            assertEquals(0, second.waitFor());
        }
    }

    @Test
    void shouldRefuseARankThatIsOpenAndAGroupWithOtherValues()
    {
        try (Node node = Node.launch(context(CreditReturn.DIRECT)); Endpoint endpoint = node.open(2))
        {
            final IllegalStateException open = assertThrows(IllegalStateException.class, () -> node.open(endpoint.rank()));
            assertTrue(open.getMessage().contains("rank=2"), open.getMessage());
            assertTrue(open.getMessage().contains("pid=" + ProcessHandle.current().pid()), open.getMessage());
            assertThrows(IllegalArgumentException.class, () -> node.open(RANKS));
            assertThrows(IllegalArgumentException.class, () -> node.open(-1));
            refused(context(CreditReturn.PACKET), "creditReturn", "DIRECT", "PACKET");
            refused(context(CreditReturn.DIRECT).slotsPerSender(32), "slotsPerSender", "16", "32");
            refused(context(CreditReturn.DIRECT).rankCount(4), "rankCount", "3", "4");
            refused(context(CreditReturn.DIRECT).flow(Flow.STATIC), "flow", "DYNAMIC", "STATIC");
            refused(context(CreditReturn.DIRECT).creditSlots(3), "creditSlots", "2", "3");
            refused(context(CreditReturn.DIRECT).groupName("other"), "groupName", "test", "other");
            refused(context(CreditReturn.DIRECT).piggyback(true), "piggyback", "false", "true");
            assertEquals(1, local(node).runtime().registry().liveCount(), "what was refused has not joined");
        }
    }

    private static void refused(
        final NodeContext context, final String what, final String found, final String expected)
    {
        final String text = assertThrows(MailboxException.class, () -> Node.launch(context)).getMessage();
        assertTrue(text.contains(what) && text.contains("found=" + found) && text.contains("expected=" + expected), text);
    }
}
