// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.endpoint.IdleTransport.FAR;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CarrierProcess;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.node.Node;

/** Runs of other nodes for which room is claimed together: all come, some come, or their writer dies. */
public class RunWriterTest
{
    /** A message that takes a slot. */
    public static final int LENGTH = 40;
    private static final int SLOTS = 256;
    private static final int[] LENGTHS = {LENGTH, 100, Endpoint.MAX_RUN_LENGTH, 0, 7, 48};

    @TempDir
    private Path directory;

    private final IdleTransport transport = new IdleTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
    private final List<Integer> received = new ArrayList<>();
    private Node node;
    private Endpoint to;
    private Endpoint near;
    private int sentNearby;
    private int firstCredits;

    public static NodeContext context(final File directory, final Transport transport, final int slots)
    {
        return Fixtures.context(directory.toPath(), Flow.STATIC, CreditReturn.DIRECT, IdleTransport.RANKS, slots)
            .transport(transport).expressLanes(0).checkInvariants(true)
            .transportSettings(new TransportSettings().egressSlots(2048).thread(false));
    }

    private void launch(final boolean isCarrier)
    {
        final NodeContext context = context(directory.toFile(), transport, SLOTS);
        context.transportSettings().carry(isCarrier);
        node = Node.launch(context);
        to = node.open(0);
        near = node.open(1);
    }

    /** Opens the pairs, until all slots of the sender on the other node are its own in both mailboxes. */
    private void open()
    {
        launch(true);
        port().pollRanks(transport);
        assertFalse(port().reserve(FAR, 0, 1), "nobody is there");
        port().openPeer(FAR, 1, transport);
        Fixtures.pollUntil("credits", Fixtures.NOTHING, () ->
        {
            port().pollCredits(transport);
            return transport.credits == 2 * (SLOTS - node.context().creditSlots());
        }, to, near);
        firstCredits = transport.credits;
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    private NodePort port()
    {
        return transport.port();
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            assertEquals((byte)(tag + i), buffer.getByte(offset + i), () -> "message " + tag);
        }
        received.add(tag);
    }

    private void deliver(final int receiver, final int tag, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            message.putByte(i, (byte)(tag + i));
        }
        assertTrue(port().deliver(false, PacketDescriptor.FLAGS_WHOLE, FAR, receiver, tag, message, 0, length));
    }

    /** All that was claimed is read, in order, and no slot of it is lost. */
    private void shouldHaveReceived(final Integer... tags)
    {
        Fixtures.pollUntil("all", this::onMessage, () -> to.backlogSlots() == 0 && near.backlogSlots() == 0, to, near);
        assertEquals(List.of(tags), received);
        port().pollCredits(transport);
        int freed = transport.credits - firstCredits;
        long claimed = -sentNearby;
        for (final Endpoint endpoint : List.of(to, near))
        {
            assertEquals(0, endpoint.counters().refused());
            Fixtures.assertConserved(endpoint);
            freed += local(endpoint).inbox().ledger().retrieved(FAR);
            claimed += local(endpoint).mailbox().writePosition();
        }
        assertEquals(claimed, freed, "what was given up is freed too: its credits were spent");
    }

    @Test
    void shouldWriteSeveralRunsWithOneClaim()
    {
        open();
        int slots = 0;
        for (final int length : LENGTHS)
        {
            slots += PacketDescriptor.slots(length);
        }
        final long written = local(to).mailbox().writePosition();
        assertTrue(port().reserve(FAR, 0, slots));
        assertEquals(written + slots, local(to).mailbox().writePosition());
        for (int i = 0; i < LENGTHS.length; i++)
        {
            assertEquals(0, to.poll(this::onMessage, 10));
            local(to).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
            deliver(0, i, LENGTHS[i]);
            assertEquals(i < LENGTHS.length - 1, local(to).mailbox().isArmed(), "the last one wakes");
            assertEquals(1, to.poll(this::onMessage, 10), "each can be read when it is there");
        }
        assertEquals(written + slots, local(to).mailbox().writePosition());
        port().release();
        deliver(0, 6, LENGTH);
        assertEquals(written + slots + 1, local(to).mailbox().writePosition());
        shouldHaveReceived(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void shouldPassOverWhatIsGivenUp()
    {
        open();
        assertTrue(port().reserve(FAR, 0, 100));
        deliver(0, 0, LENGTH);
        assertEquals(1, to.poll(this::onMessage, 10));
        message.setMemory(0, 1, (byte)1);
        assertTrue(near.offer(0, 1, message, 0, 1) >= 0);
        sentNearby = 1;
        assertEquals(0, to.poll(this::onMessage, 10), "what is claimed is waited for");
        local(to).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
        port().release();
        assertFalse(local(to).mailbox().isArmed());
        assertEquals(100 + 1, local(to).mailbox().writePosition());
        port().release();
        shouldHaveReceived(0, 1);
    }

    @Test
    void shouldGiveUpTheRestWhenARunHasNoPlaceThere()
    {
        open();
        assertTrue(port().reserve(FAR, 0, 5));
        deliver(0, 0, LENGTH);
        deliver(1, 1, LENGTH);
        assertEquals(5, local(to).mailbox().writePosition());
        assertTrue(port().reserve(FAR, 0, 2));
        deliver(0, 2, Endpoint.MAX_RUN_LENGTH);
        assertTrue(port().reserve(FAR, 0, 3));
        assertTrue(port().reserve(FAR, 1, 1));
        deliver(1, 3, LENGTH);
        assertEquals(5 + 2 + PacketDescriptor.RUN_SLOTS + 3, local(to).mailbox().writePosition());
        Fixtures.pollUntil("first", this::onMessage, () -> received.size() == 2, to);
        shouldHaveReceived(0, 2, 1, 3);
    }

    /** Neither for one that is gone from the other node, nor for its successor as long as the receiver counts the one before. */
    @Test
    void shouldWriteOnlyForTheIncarnationThatTheReceiverCounts()
    {
        open();
        final long credits = local(to).mailbox().buffer().getLongVolatile(MailboxDescriptor.sourceLineOffset(FAR));
        port().closePeer(FAR, transport);
        shouldWriteNothing();
        port().openPeer(FAR, 2, transport);
        assertTrue(port().unacknowledged(1) == 0 && local(node).runtime().group().rankWord(FAR) ==
            GroupDescriptor.rankWord(2, GroupDescriptor.STATE_OPEN), "it is open here");
        shouldWriteNothing();
        assertEquals(credits, local(to).mailbox().buffer().getLongVolatile(MailboxDescriptor.sourceLineOffset(FAR)),
            "it has not looked");
        Fixtures.pollUntil("the next incarnation", Fixtures.NOTHING, () -> port().reserve(FAR, 0, 1), to, near);
        deliver(0, 5, LENGTH);
        Fixtures.pollUntil("its message", this::onMessage, () -> to.backlogSlots() == 0, to, near);
        assertEquals(List.of(5), received);
        assertEquals(0, to.counters().refused());
        Fixtures.assertConserved(to);
    }

    @Test
    void shouldGiveCreditsOnlyToAPairThatIsOpen()
    {
        open();
        final UnsafeBuffer words = local(node).runtime().remote().buffer();
        final int line = local(node).runtime().remote().lineOffset(0, FAR);
        final long opened = words.getLongVolatile(line);
        port().addCredits(0, FAR, 3);
        assertEquals(opened + 3, words.getLongVolatile(line));
        assertEquals(2, port().takeCredits(0, FAR, 1));
        port().closePeer(FAR, transport);
        port().addCredits(0, FAR, 3);
        assertEquals(0, words.getLongVolatile(line), "nobody sends by it any more");
        assertEquals(0, port().takeCredits(0, FAR, 0));
        assertEquals(0, port().takeExcess(0, FAR, 0));
    }

    private void shouldWriteNothing()
    {
        final long written = local(to).mailbox().writePosition();
        assertFalse(port().reserve(FAR, 0, 1));
        assertFalse(port().deliver(false, PacketDescriptor.FLAGS_WHOLE, FAR, 0, 1, message, 0, LENGTH));
        assertFalse(port().respond(FAR, 0, 1));
        transport.credits = 0;
        port().pollCredits(transport);
        assertEquals(0, transport.credits, "credits of another incarnation");
        assertEquals(written, local(to).mailbox().writePosition());
    }

    @Test
    void shouldSkipWhatAProcessThatDiedLeft()
    {
        launch(false);
        try (ForkedJvm child = ForkedJvm.start(CarrierProcess.class, directory, SLOTS, 100, 10))
        {
            Fixtures.pollUntil("messages before the death", (source, tag, buffer, offset, length) ->
            {
                assertEquals(received.size(), tag);
                assertTrue(Fixtures.isWhole(buffer, offset, length));
                received.add(tag);
            }, () -> received.size() == 10, to, near);
            assertEquals(7, child.waitFor());
            assertEquals(100, local(to).mailbox().writePosition());
            received.clear();
            Fixtures.awaitOffer(near, 0, message, 0, this::onMessage, to, near);
            Fixtures.pollUntil("message behind", this::onMessage, () -> !received.isEmpty(), to, near);
            assertEquals(List.of(1), received);
            assertEquals(90, to.counters().skippedSlots());
        }
    }

    /** The transport's work may go from one thread to another: none claims by a mark that the other uses to send. */
    @Test
    void shouldClaimByTheMarkOfTheThreadThatWrites() throws Exception
    {
        open();
        deliver(0, 1, 10);
        final ClaimMark first = local(node).sendingThreads().mine().mark;
        final FutureTask<Boolean> other = new FutureTask<>(() ->
        {
            assertTrue(port().reserve(FAR, 0, 2));
            final boolean isOwn = local(node).sendingThreads().mine().mark.isClaiming() && !first.isClaiming();
            port().release();
            return isOwn;
        });
        new Thread(other, "writer").start();
        Watchdog.await("the other thread", other::isDone);
        assertTrue(other.get());
        shouldHaveReceived(1);
    }
}
