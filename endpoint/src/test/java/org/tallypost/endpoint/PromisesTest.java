// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** What the endpoint promises beside carrying messages: codes, misuse, counters from outside, credits of the idle. */
class PromisesTest
{
    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[4096]);

    private NodeContext context(final Flow flow, final int ranks, final int slots)
    {
        return Fixtures.context(directory, flow, CreditReturn.DIRECT, ranks, slots).checkInvariants(true);
    }

    @Test
    void shouldTakeDynamicCreditsBackFromASenderThatIsIdleAndNeverPolls()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, 4, 40)); Endpoint receiver = node.open(0);
            Endpoint idle = node.open(1); Endpoint busy = node.open(2))
        {
            final int k = 2;
            for (int i = 0; i < 2_000; i++)
            {
                Fixtures.awaitOffer(idle, 0, message, 500, Fixtures.NOTHING, receiver);
            }
            drain(receiver);
            assertTrue(local(receiver).inbox().ledger().intendedQuota(1) > 38, "it is to have more than its share");
            assertTrue(Fixtures.wordCredits(receiver, 1) > 38, Fixtures.books(receiver));
            // from now on rank 1 neither sends nor polls
            for (int i = 0; i < 2_000; i++)
            {
                Fixtures.awaitOffer(busy, 0, message, 500, Fixtures.NOTHING, receiver);
            }
            drain(receiver);
            assertEquals(k, Fixtures.wordCredits(receiver, 1), Fixtures.books(receiver));
            assertEquals(k, local(receiver).inbox().ledger().intendedQuota(1));
            assertTrue(Fixtures.wordCredits(receiver, 2) > 38, Fixtures.books(receiver));
            assertTrue(receiver.counters().creditsRevoked() > 0);
            // and it can send again at any time
            for (int i = 0; i < 100; i++)
            {
                Fixtures.awaitOffer(idle, 0, message, 2_000, Fixtures.NOTHING, receiver);
            }
            Fixtures.assertConserved(receiver);
            assertEquals(0, receiver.counters().repairedCredits());
        }
    }

    private static void drain(final Endpoint endpoint)
    {
        Fixtures.pollUntil("the rest", Fixtures.NOTHING, () -> endpoint.backlogSlots() == 0, endpoint);
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldSayWhatIsTooLongAndWhereThereIsNoRank(final Flow flow)
    {
        try (Node node = Node.launch(context(flow, 2, 16)); Endpoint a = node.open(0); Endpoint b = node.open(1))
        {
            assertEquals(Endpoint.TOO_LONG, a.offer(1, 0, message, 0, Endpoint.MAX_RUN_LENGTH + 1));
            assertEquals(Endpoint.TOO_LONG, a.tryClaim(1, 0, Endpoint.MAX_RUN_LENGTH + 1, new MessageClaim()));
            final UnsafeBuffer huge = new UnsafeBuffer(new byte[Endpoint.MAX_MESSAGE_LENGTH + 1]);
            assertEquals(Endpoint.TOO_LONG, a.newSend().start(1, 0, huge, 0, Endpoint.MAX_MESSAGE_LENGTH + 1));
            // 33 slots, of 14 (static) or 26 (dynamic) that this sender can ever have
            final long result = a.offer(1, 0, message, 0, Endpoint.MAX_RUN_LENGTH);
            assertTrue(flow == Flow.NONE ? result >= 0 : result == Endpoint.TOO_LONG, Endpoint.errorString(result));
            assertThrows(IndexOutOfBoundsException.class, () -> a.offer(1, 0, message, 4000, 97));
            assertThrows(IndexOutOfBoundsException.class, () -> a.offer(1, 0, message, -1, 1));
            assertThrows(IllegalArgumentException.class, () -> a.tryClaim(1, 0, -1, new MessageClaim()));
            assertEquals(0, b.counters().refused());
        }
    }

    @Test
    void shouldRefuseToUseAHandleOrClaimTwice()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, 2, 16)); Endpoint a = node.open(0); Endpoint b = node.open(1))
        {
            final MessageClaim claim = new MessageClaim();
            assertThrows(IllegalStateException.class, claim::commit);
            assertTrue(a.tryClaim(1, 0, 10, claim) >= 0);
            assertEquals(10, claim.buffer().capacity());
            assertThrows(IllegalStateException.class, () -> a.tryClaim(1, 0, 10, claim));
            claim.abort();
            assertThrows(IllegalStateException.class, claim::abort);
            final LongSend send = a.newSend();
            assertThrows(IllegalStateException.class, send::progress);
            assertEquals(Endpoint.NO_CREDIT, send.start(1, 0, message, 0, 4096));
            assertTrue(send.isActive());
            assertThrows(IllegalStateException.class, () -> send.start(1, 0, message, 0, 1));
            assertEquals(Endpoint.NO_CREDIT, a.offer(1, 0, message, 0, 1), "it has taken all credits");
            assertEquals(Endpoint.NO_CREDIT, a.newSend().start(1, 0, message, 0, 1));
            send.abort();
            assertFalse(send.isActive());
            final int[] lengths = new int[1];
            Fixtures.awaitOffer(a, 1, message, 7, (source, tag, buffer, offset, length) -> lengths[0] = length, b);
            Fixtures.pollUntil("delivery", (source, tag, buffer, offset, length) -> lengths[0] = length,
                () -> lengths[0] == 7, b);
            assertEquals(1, b.counters().received());
        }
    }

    @Test
    void shouldReportWhatAHandlerThrowsAndGoOn()
    {
        final List<Throwable> errors = new ArrayList<>();
        try (Node node = Node.launch(context(Flow.STATIC, 1, 64).errorHandler(errors::add)); Endpoint a = node.open(0))
        {
            a.offer(0, 1, message, 0, 1);
            a.offer(0, 2, message, 0, 1);
            a.offer(0, 3, message, 0, 1);
            assertEquals(3, pollAll(a, (source, tag, buffer, offset, length) ->
            {
                if (tag == 1)
                {
                    throw new IllegalArgumentException("thrown on purpose");
                }
                if (tag == 2)
                {
                    a.poll(Fixtures.NOTHING, 1);
                }
            }));
            assertEquals(3, a.counters().received());
            assertEquals(2, errors.size());
            assertEquals("thrown on purpose", errors.get(0).getMessage());
            assertTrue(errors.get(1) instanceof IllegalStateException, errors.toString());
            assertTrue(errors.get(1).getMessage().contains("within a message handler"), errors.toString());
            assertEquals(0, a.backlogSlots());
        }
    }

    private static int pollAll(final Endpoint endpoint, final MessageListener handler)
    {
        final int[] count = new int[1];
        Fixtures.pollUntil("delivery", (source, tag, buffer, offset, length) ->
        {
            count[0]++;
            handler.onMessage(source, tag, buffer, offset, length);
        }, () -> endpoint.backlogSlots() == 0, endpoint);
        return count[0];
    }

    @Test
    void shouldRefuseEverythingWhenClosed()
    {
        final Node node = Node.launch(context(Flow.DYNAMIC, 2, 16).deleteOnClose(true));
        final Endpoint a = node.open(0);
        final Endpoint b = node.open(1);
        Fixtures.awaitOffer(a, 1, message, 5, Fixtures.NOTHING, b);
        final LongSend send = a.newSend();
        assertEquals(Endpoint.NO_CREDIT, send.start(1, 0, message, 0, 4096));
        node.close();
        node.close();
        assertTrue(a.isClosed() && b.isClosed());
        assertEquals(Endpoint.CLOSED, a.offer(1, 0, message, 0, 1));
        assertEquals(Endpoint.CLOSED, a.tryClaim(1, 0, 1, new MessageClaim()));
        assertEquals(Endpoint.CLOSED, send.progress());
        assertFalse(send.isActive());
        assertEquals(Endpoint.CLOSED, a.newSend().start(1, 0, message, 0, 1));
        assertEquals(Endpoint.CLOSED, b.poll(Fixtures.NOTHING, 1));
        assertThrows(IllegalStateException.class, () -> node.open(0));
        assertFalse(node.context().directory().exists());
    }

    @Test
    void shouldShowCountersFromOutside()
    {
        final File place = context(Flow.DYNAMIC, 3, 16).directory();
        assertThrows(MailboxException.class, () -> NodeStat.attach(place));
        try (Node node = Node.launch(context(Flow.DYNAMIC, 3, 16)); Endpoint a = node.open(0))
        {
            final Endpoint b = node.open(2);
            for (int i = 0; i < 100; i++)
            {
                Fixtures.awaitOffer(a, 2, message, 100, Fixtures.NOTHING, b);
            }
            Fixtures.pollUntil("delivery", Fixtures.NOTHING, () -> b.backlogSlots() == 0, b);
            a.offer(2, 0, message, 0, 40);
            final NodeStat stat = NodeStat.attach(place);
            assertEquals("test", stat.groupName());
            assertEquals(3, stat.rankCount());
            assertEquals(Flow.DYNAMIC, stat.flow());
            assertEquals(CreditReturn.DIRECT, stat.creditReturn());
            assertEquals(16, stat.slotsPerSender());
            final List<NodeStat.EndpointStat> all = stat.read();
            assertEquals(2, all.size());
            final NodeStat.EndpointStat first = all.get(0);
            final NodeStat.EndpointStat second = all.get(1);
            assertTrue(first.isOpen() && second.isOpen());
            assertEquals(2, second.rank());
            assertEquals(1, second.epoch());
            assertEquals(ProcessHandle.current().pid(), second.pid());
            assertEquals(1, second.backlogSlots());
            assertEquals(101, first.counters().sent());
            assertEquals(100 * 100 + 40, first.counters().bytesSent());
            assertEquals(100, second.counters().received());
            assertEquals(10_000, second.counters().bytesReceived());
            assertEquals(a.counters().stalls(), first.counters().stalls());
            assertTrue(first.counters().stallTimeNs() >= 0);
            b.close();
            final NodeStat.EndpointStat closed = stat.read().get(1);
            assertFalse(closed.isOpen());
            assertEquals(0, closed.pid());
            assertEquals(100, closed.counters().received());
        }
    }
}
