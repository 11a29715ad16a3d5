// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.node.Node;

/** What an endpoint does when it is closed: from within a message handler too. */
class ClosedEndpointTest extends LanesFixture
{
    private static final int MESSAGES = 12;

    @ParameterizedTest
    @CsvSource({"false,false", "true,false", "false,true", "true,true"})
    void shouldDeliverNothingMoreToAHandlerThatClosed(final boolean isByLane, final boolean isNode)
    {
        try (Node node = node(Flow.STATIC, 2, 256, 64); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            if (isByLane)
            {
                useLane(from, to);
            }
            else
            {
                Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
                drain(to);
            }
            final long before = to.counters().received();
            final long bytesBefore = to.counters().bytesReceived();
            for (int tag = 0; tag < MESSAGES; tag++)
            {
                assertTrue(from.offer(0, tag, message, 0, 40) >= 0);
            }
            final Runnable close = isNode ? node::close : to::close;
            final List<Integer> delivered = new ArrayList<>();
            Fixtures.pollUntil("the end of the endpoint", (source, tag, buffer, offset, length) ->
            {
                delivered.add(tag);
                if (tag == 2)
                {
                    close.run();
                }
            }, to::isClosed, to);
            assertEquals(List.of(0, 1, 2), delivered);
            assertEquals(before + 3, to.counters().received(), "what is unread does not count as received");
            assertEquals(bytesBefore + 3 * 40, to.counters().bytesReceived());
            assertEquals(Endpoint.CLOSED, to.poll(Fixtures.NOTHING, 100));
        }
    }

    @Test
    void shouldEndALoopThatPollsUntilSomethingComes()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 64))
        {
            final Endpoint closed = node.open(0);
            final Endpoint fenced = node.open(1);
            closed.close();
            // as when other processes have declared this one gone
            local(node).fence();
            for (final Endpoint endpoint : new Endpoint[]{closed, fenced})
            {
                int result = 0;
                for (int attempt = 0; attempt < 3 && result == 0; attempt++)
                {
                    result = endpoint.poll(Fixtures.NOTHING, 10);
                }
                assertEquals(Endpoint.CLOSED, result);
                assertTrue(Endpoint.errorString(result).startsWith("CLOSED: "));
            }
        }
    }

    /** As when it is closed between the look at it and the withdrawal. */
    @Test
    void shouldGiveBackWhatWasTakenWhileItWasClosed()
    {
        try (Node node = node(Flow.STATIC, 2, 64, 64); Endpoint to = node.open(0))
        {
            final Endpoint from = node.open(1);
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            final Peer peer = local(from).outbox().peers()[0];
            final SendingThread sender = local(from).outbox().sender();
            from.close();
            final long word = peer.creditWord();
            assertTrue(peer.isOurs(word) && peer.credits(word) > 0);
            assertEquals(Endpoint.CLOSED, local(from).outbox().ringTo(sender, peer).claim(sender, peer, 1));
            assertEquals(word, peer.creditWord());
        }
    }

    /** Its credits are somebody else's by then, and its successor is not to be taken for it. */
    @Test
    void shouldRefuseWhatComesFromASenderThatIsGone()
    {
        try (Node node = node(Flow.STATIC, 2, 64, 64); Endpoint to = node.open(0))
        {
            final Endpoint from = node.open(1);
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            final Peer peer = local(from).outbox().peers()[0];
            final SendingThread sender = local(from).outbox().sender();
            from.close();
            drain(to);
            Fixtures.pollUntil("the sender's end", Fixtures.NOTHING, () -> local(to).inbox().ledger().isGone(1), to);
            assertEquals(0, to.counters().refused());
            final long received = to.counters().received();
            sender.mark.intend(peer.claimKey, 1);
            final long position = peer.mailbox.claim(sender.mark, 1);
            peer.buffer.putLong(peer.mailbox.payloadOffset(position), 0L);
            peer.mailbox.publish(sender.mark, position, PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE,
                PacketDescriptor.WORD_LENGTH, 1);
            final List<Integer> delivered = new ArrayList<>();
            Fixtures.pollUntil("what is unread", (source, tag, buffer, offset, length) -> delivered.add(source),
                () -> to.backlogSlots() == 0, to);
            assertEquals(List.of(), delivered);
            assertEquals(received, to.counters().received());
            local(to).inbox().publishSlowCounters();
            assertTrue(to.counters().refused() > 0);
            Fixtures.assertConserved(to);
        }
    }

    /** Credits that travel with data are those of the incarnation that the receiver counts, even if the next one is there. */
    @Test
    void shouldSendCreditsAlongToTheIncarnationThatIsCountedOnly()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.PACKET, 2, 64).piggyback(true));
            Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            drain(to);
            assertEquals(0, local(to).inbox().piggyback(1, from.epoch() + 1));
            assertEquals(0, local(to).inbox().piggyback(1, 0));
            assertEquals(1, local(to).inbox().piggyback(1, from.epoch()));
        }
    }
}
