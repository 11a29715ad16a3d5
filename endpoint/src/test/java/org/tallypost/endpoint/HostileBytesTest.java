// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** What the fuzzer found worth keeping, and what it taught. */
@Tag("once")
class HostileBytesTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldGoOnWhateverIsDamaged()
    {
        FuzzCorpus.replay("EndpointFuzz", (bytes) -> EndpointFuzz.run(new File(directory.toFile(), "node"), bytes));
    }

    @Test
    void shouldJoinNoNodeThatIsNotSound()
    {
        FuzzCorpus.replay("NodeAttachFuzz", (bytes) -> NodeAttachFuzz.run(new File(directory.toFile(), "node"), bytes));
    }

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 16).livenessThread(false);
    }

    /** Its sender would write runs as long as the group agreed on, beyond the end of the file. */
    @Test
    void shouldNotSendToARingOfAnotherShape()
    {
        final MailboxException[] told = new MailboxException[1];
        final NodeContext context = context().errorHandler((t) -> told[0] = (MailboxException)t);
        try (Node node = Node.launch(context); Endpoint sender = node.open(0))
        {
            final Endpoint receiver = node.open(1);
            local(node).runtime().mailboxes().clear();
            final Mailbox forged = Mailbox.create(local(receiver).mailbox().file(), 1, 1, 2, 64, 1);
            forged.buffer().putLong(MailboxDescriptor.sourceLineOffset(0), CreditWord.of(1, 28));
            assertEquals(Endpoint.NOT_CONNECTED, sender.offer(1, 1, new UnsafeBuffer(new byte[2048]), 0, 2048));
            assertTrue(told[0].getMessage().contains("ringSlots=64, runSlots=1, expected"), told[0].getMessage());
            assertEquals(0, forged.writePosition());
        }
    }

    /** A file that is no bell kept everybody from being told that somebody had died. */
    @Test
    void shouldLeaveAloneWhatIsNoBell() throws Exception
    {
        try (Node node = Node.launch(context()); Endpoint endpoint = node.open(0))
        {
            for (final String name : new String[]{"bell-x-y", "bell-1-99999999999", "bell--1-1", "bell-7-7"})
            {
                assertTrue(new File(node.context().directory(), name).createNewFile());
            }
            local(node).wakeups().removeDeadBells();
            assertEquals(3, node.context().directory().listFiles((dir, name) -> name.startsWith(NodeFiles.BELL_PREFIX)).length);
            assertEquals(0, endpoint.poll(Fixtures.NOTHING, 1));
        }
    }

    /** A close waits for threads that are claiming; a mark that another process wrote is no claim. */
    @Test
    void shouldCloseThoughAMarkIsDamaged() throws InterruptedException, ExecutionException
    {
        final ExecutorService other = Executors.newSingleThreadExecutor();
        try
        {
            final Node node = Node.launch(context());
            final Endpoint sender = node.open(0);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            // the thread has a mark from now on, and then does nothing
            other.submit(() -> sender.offer(0, 1, message, 0, 8)).get();
            claimOf(node, 0).putLongVolatile(0, 1L);
            final Thread closing = new Thread(node::close, "closing");
            closing.start();
            Watchdog.await("end of close", () -> !closing.isAlive());
            closing.join();
        }
        finally
        {
            other.shutdownNow();
        }
    }

    private static UnsafeBuffer claimOf(final Node node, final int mark)
    {
        final File file = new File(node.context().directory(), NodeFiles.REGISTRY_NAME);
        // the claim is the first word of a mark's line, the marks are behind the entries of the processes
        return new UnsafeBuffer(MappedFiles.map(file, 128, "registry"),
            384 + (node.context().maxProcesses() + mark) * MailboxDescriptor.LINE_LENGTH, MailboxDescriptor.LINE_LENGTH);
    }

    /**
     * Nobody audits while somebody claims. A thread that has lost its credits does not get so far as to claim, and so does not
     * write over a mark that says it does; nor does one that sends nothing.
     */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "4294967296, 0", "4294967296, 1"})
    void shouldGetLostCreditsBackThoughAMarkIsDamaged(final long creditWord, final int mark)
        throws InterruptedException, ExecutionException
    {
        final ExecutorService other = Executors.newSingleThreadExecutor();
        try (Node node = Node.launch(context().livenessIntervalNs(1_000_000)); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = node.open(1);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            assertTrue(sender.offer(0, 1, message, 0, 8) >= 0);
            receiver.poll(Fixtures.NOTHING, 1);
            assertTrue(other.submit(() -> receiver.offer(1, 1, message, 0, 8)).get() >= 0);
            claimOf(node, mark).putLongVolatile(0, local(receiver).mailbox().claimKey() | 5);
            local(receiver).mailbox().buffer().putLongVolatile(MailboxDescriptor.sourceLineOffset(1), creditWord);
            Watchdog.await("credits", () ->
            {
                node.checkLiveness();
                receiver.poll(Fixtures.NOTHING, 1);
                return sender.offer(0, 1, message, 0, 8) >= 0;
            });
        }
        finally
        {
            other.shutdownNow();
        }
    }

    /**
     * Laps repeat in headers, so traffic goes on beside a write position that is some of their cycles off, and the consumer never
     * stands still; nothing can be audited until it is put right.
     */
    @ParameterizedTest
    @ValueSource(ints = {23, 43, 62, 63})
    void shouldGetLostCreditsBackWhileOthersSendBesideADamagedWritePosition(final int bit)
    {
        final NodeContext context = Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 40).livenessThread(false);
        try (Node node = Node.launch(context); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = node.open(1);
            node.open(2);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final Mailbox mailbox = local(receiver).mailbox();
            final int writePosition = MailboxDescriptor.WRITE_POSITION_OFFSET;
            mailbox.buffer().putLong(writePosition, mailbox.buffer().getLong(writePosition) ^ 1L << bit);
            mailbox.buffer().putLong(MailboxDescriptor.sourceLineOffset(2), 0L);
            for (int i = 0; i < 8; i++)
            {
                assertTrue(sender.offer(0, 1, message, 0, 8) >= 0, "message " + i);
                int delivered = 0;
                // one look at most at what may be wrong
                for (int polls = 0; polls < 200; polls++)
                {
                    delivered += receiver.poll(Fixtures.NOTHING, 1);
                }
                assertTrue(delivered > 0, "message " + i);
            }
            assertEquals(mailbox.readPosition(), mailbox.writePosition());
            assertTrue(Fixtures.isBalanced(receiver), () -> Fixtures.books(receiver));
        }
    }

    /** Of a sender that is connected, of one that never was, and of the receiver itself; beside a claim that is held. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 0})
    void shouldGoOnBehindAnOpenClaimThatNobodyHolds(final int source)
    {
        final List<Throwable> told = new ArrayList<>();
        final NodeContext context = Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 3, 40).livenessThread(false)
            .livenessIntervalNs(1_000_000).errorHandler(told::add);
        try (Node node = Node.launch(context); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = node.open(1);
            node.open(2);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final List<Integer> tags = new ArrayList<>();
            final MessageListener handler = (from, tag, buffer, offset, length) -> tags.add(tag);
            final Mailbox mailbox = local(receiver).mailbox();
            final MessageClaim held = new MessageClaim();
            assertTrue(sender.tryClaim(0, 1, 8, held) >= 0);
            assertTrue(sender.offer(0, 2, message, 0, 8) >= 0);
            assertTrue(sender.offer(0, 2, message, 0, 8) >= 0);
            assertTrue(sender.offer(0, 3, message, 0, 8) >= 0);
            // two in a row
            mailbox.settle(mailbox.readPosition() + 1, MailboxDescriptor.TYPE_CLAIMED, 0, 16, source);
            mailbox.settle(mailbox.readPosition() + 2, MailboxDescriptor.TYPE_CLAIMED, 0, 16, source);
            for (int i = 0; i < 10_000; i++)
            {
                node.checkLiveness();
                assertEquals(0, receiver.poll(handler, 4));
            }
            assertEquals(List.of(), told);
            held.commit();
            Watchdog.await("what comes behind the open claim", () ->
            {
                node.checkLiveness();
                receiver.poll(handler, 4);
                return tags.size() == 2;
            });
            assertEquals(List.of(1, 3), tags);
            // where nothing is claimed nobody waits, and the next message goes there
            mailbox.settle(mailbox.readPosition(), MailboxDescriptor.TYPE_CLAIMED, 0, 16, source);
            node.checkLiveness();
            assertTrue(sender.offer(0, 4, message, 0, 8) >= 0);
            assertEquals(1, receiver.poll(handler, 4));
            assertEquals(source == 1 ? 1 : 0, told.size(), told::toString);
            told.forEach((error) -> assertTrue(error.getMessage().contains("claims=2, file="), error.getMessage()));
            Watchdog.await("books that add up", () ->
            {
                receiver.poll(handler, 4);
                return Fixtures.isBalanced(receiver);
            });
        }
    }

    /** Else the receiver would take a claim that is held for nobody's. */
    @Test
    void shouldSayAgainWhoSends()
    {
        try (Node node = Node.launch(context().livenessIntervalNs(600_000_000_000L)); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = node.open(1);
            final MessageClaim held = new MessageClaim();
            assertTrue(sender.tryClaim(0, 1, 8, held) >= 0);
            final UnsafeBuffer words = local(receiver).mailbox().buffer();
            final int owner = MailboxDescriptor.sourceLineOffset(1) + PacketDescriptor.PAIR_OWNER_OFFSET;
            assertEquals(local(node).runtime().ownerWord(), words.getLong(owner));
            for (final long damage : new long[]{0, 7, -1, ~local(node).runtime().ownerWord()})
            {
                words.putLong(owner, damage);
                assertTrue(local(receiver).inbox().maySettle(1), "damage=" + damage);
                node.checkLiveness();
                assertEquals(local(node).runtime().ownerWord(), words.getLong(owner), "damage=" + damage);
            }
            held.commit();
            assertEquals(1, receiver.poll(Fixtures.NOTHING, 1));
        }
    }

    @Test
    void shouldGiveUpAClaimThatTheProgramHasLost()
    {
        final List<Throwable> told = new ArrayList<>();
        final NodeContext context = context().errorHandler(told::add);
        try (Node node = Node.launch(context); Endpoint receiver = node.open(0))
        {
            final Endpoint sender = node.open(1);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            for (int i = 0; i < 40; i++)
            {
                assertTrue(sender.tryClaim(0, 1, 8, new MessageClaim()) >= 0, "claim " + i);
                Watchdog.await("collection of the claim", () ->
                {
                    // that nothing can reach the claim any more is what is told: only a collection shows it
                    System.gc();
                    node.checkLiveness();
                    return receiver.poll(Fixtures.NOTHING, 4) > 0;
                });
                // of many errors of one kind the first ones are told each
                assertTrue(told.size() >= Math.min(i + 1, 4), told::toString);
            }
            assertTrue(sender.offer(0, 2, message, 0, 8) >= 0);
            assertEquals(1, receiver.poll(Fixtures.NOTHING, 4));
            assertTrue(Fixtures.isBalanced(receiver), () -> Fixtures.books(receiver));
        }
    }

    @Test
    void shouldNotJoinANodeWhoseFilesAreShorterThanWhatWasAgreed()
    {
        try (Node node = Node.launch(context()))
        {
            final File group = new File(node.context().directory(), Group.FILE_NAME);
            final UnsafeBuffer buffer = MappedFiles.map(group, 128, "group");
            buffer.putInt(GroupDescriptor.RANKS_OFFSET, Integer.MAX_VALUE);
            assertTrue(assertThrows(MailboxException.class, () -> Group.attach(group)).getMessage().contains("ranks="));
            buffer.putInt(GroupDescriptor.RANKS_OFFSET, 2);
        }
    }
}
