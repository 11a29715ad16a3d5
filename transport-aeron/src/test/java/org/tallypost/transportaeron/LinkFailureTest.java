// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Nodes and processes that fall silent, die, come back, or do not fit. */
@Timeout(1800)
@Tag("once")
class LinkFailureTest
{
    private static final int ROUNDS = Integer.getInteger("tallypost.rounds", 2);
    private static final long LIVENESS_NS = 3_000_000_000L;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(new byte[40]);

    @TempDir
    private File directory;

    private static long lost(final NodesRig rig)
    {
        return rig.events.stream().mapToLong(TransportEvent::count).sum();
    }

    @Test
    void shouldTellThatANodeIsSilentAndGoOnWhenItIsBack()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            context.livenessIntervalNs(LIVENESS_NS);
            context.transportSettings().thread(transport.node() == 0);
        }).launchAll())
        {
            final Node silent = rig.nodes.get(1);
            final int[] received = new int[4];
            // what is still under way of a link that is over may come when the node moves again, before the next link
            final MessageListener counting = (source, tag, buffer, offset, length) -> received[tag]++;
            for (int round = 1; round <= ROUNDS; round++)
            {
                final int tag = round;
                final long[] ends = {-1};
                // on a busy machine this thread may stand still for so long that the link ends: then one more
                rig.pollUntil("a message in round " + round, counting, () ->
                {
                    silent.transportWork();
                    final long now = rig.count(TransportEvent.Kind.LINK_DOWN);
                    if (now != ends[0] && rig.endpoint(0).offer(1, tag, MESSAGE, 0, 40) >= 0)
                    {
                        ends[0] = now;
                    }
                    return received[tag] > 0;
                });
                rig.events.clear();
                // from now on node 1 stands still: what credits allow goes out, then node 0 finds out
                final int unknown = sendUntil(rig, 1, tag, Endpoint.PEER_GONE);
                assertTrue(unknown > 0, "sent=" + unknown);
                // the messages are told first, by another thread than this one
                Watchdog.await("the events", () -> rig.count(TransportEvent.Kind.LINK_DOWN) == 1);
                assertEquals(1, rig.count(TransportEvent.Kind.MESSAGES_LOST), () -> rig.events.toString());
                assertTrue(lost(rig) == unknown || lost(rig) == unknown + 1, () -> rig.events + ", unknown=" + unknown);
                assertEquals(Endpoint.PEER_GONE, rig.endpoint(0).offer(1, 0, MESSAGE, 0, 40));
            }
        }
    }

    @Test
    void shouldBeginANewStreamWhenOneHasComeToItsEnd()
    {
        final int[] streams = new int[1];
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            if (transport.node() == 0)
            {
                // the last of the terms that a stream can have
                transport.startParameters(() -> streams[0]++ == 0 ? "|init-term-id=0|term-id=2147483647|term-offset=0" : "");
            }
        }).launchAll())
        {
            final long[] counts = new long[2];
            final MessageListener counting = (source, tag, buffer, offset, length) ->
            {
                assertTrue(tag >= counts[1], "once and in order");
                counts[1] = tag + 1;
                counts[0]++;
            };
            final int[] sent = new int[1];
            rig.pollUntil("the end of a stream", counting, () ->
            {
                sent[0] += rig.endpoint(0).offer(1, sent[0], MESSAGE, 0, 40) >= 0 ? 1 : 0;
                return rig.events.stream().anyMatch((event) -> event.text().contains("has come to its end"));
            });
            final long before = counts[0];
            rig.pollUntil("messages on the next", counting, () ->
            {
                sent[0] += rig.endpoint(0).offer(1, sent[0], MESSAGE, 0, 40) >= 0 ? 1 : 0;
                return counts[0] >= before + 1_000;
            });
            rig.pollUntil("all to be received or told", counting, () -> counts[0] + lost(rig) >= sent[0]);
            assertEquals(2, streams[0]);
        }
    }

    @Test
    void shouldNotLinkNodesOfDifferentTerms()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            context.slotsPerSender(transport.node() == 0 ? 16 : 32)).launchAll())
        {
            rig.pollUntil("both values", NOTHING, () -> rig.count(TransportEvent.Kind.REFUSED) >= 2);
            for (final TransportEvent event : rig.events)
            {
                assertTrue(event.text().contains("slotsPerSender") && event.text().contains("16") &&
                    event.text().contains("32"), event::toString);
            }
            assertEquals(Endpoint.NOT_CONNECTED, rig.endpoint(0).offer(1, 0, MESSAGE, 0, 40));
            assertTrue(rig.errors.stream().allMatch((error) -> error.getMessage().contains("slotsPerSender")));
        }
    }

    @Test
    void shouldNotLetStrangersIn()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            if (transport.node() == 1)
            {
                transport.secret("another secret that is long".getBytes(StandardCharsets.US_ASCII));
            }
        }).launchAll())
        {
            rig.pollUntil("the stranger", NOTHING, () -> rig.count(TransportEvent.Kind.STRANGER) >= 1);
            assertEquals(0, rig.count(TransportEvent.Kind.LINK_UP));
            assertEquals(Endpoint.NOT_CONNECTED, rig.endpoint(0).offer(1, 0, MESSAGE, 0, 40));
            assertEquals(Endpoint.NOT_CONNECTED, rig.endpoint(1).offer(0, 0, MESSAGE, 0, 40));
        }
    }

    @Test
    void shouldSayInItsOwnWordsThatItIsNotAdmitted()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            if (transport.node() == 1)
            {
                transport.secret("another secret that is long".getBytes(StandardCharsets.US_ASCII)).admissionNs(100_000_000L);
            }
        }).launchAll())
        {
            rig.pollUntil("the word of the other node", NOTHING, () -> rig.errors.stream().anyMatch((error) ->
                error.getMessage().startsWith("another node does not admit this one: address of the other node=")));
            rig.errors.forEach((error) -> assertFalse(error.getMessage().contains("onPublicationError"), error::toString));
        }
    }

    /** Sends until something else than want of credits is in the way. */
    private static int sendUntil(final NodesRig rig, final int dest, final int tag, final long code)
    {
        final int[] sent = new int[1];
        rig.pollUntil(Endpoint.errorString(code) + " for rank " + dest, NOTHING, () ->
        {
            final long result = rig.endpoint(0).offer(dest, tag, MESSAGE, 0, 40);
            sent[0] += result >= 0 ? 1 : 0;
            return result == code;
        });
        return sent[0];
    }

    private static void sendSome(final NodesRig rig, final int dest)
    {
        final int[] sent = new int[1];
        rig.pollUntil("200 messages to rank " + dest, NOTHING, () ->
            rig.endpoint(0).offer(dest, 0, MESSAGE, 0, 40) >= 0 && ++sent[0] == 200);
    }

    private NodesRig oneAndOthers(final int others)
    {
        final NodesRig rig = new NodesRig(directory, List.of(1, others));
        rig.tuned((context, transport) -> context.livenessIntervalNs(LIVENESS_NS)).launch(0);
        return rig;
    }

    @Test
    void shouldTellThatANodeWasKilledAndGoOnWithTheNext()
    {
        try (NodesRig rig = oneAndOthers(1))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                try (ForkedJvm child = NodeProcess.start(new File(directory, "node-1"), rig.topology, 1, LIVENESS_NS))
                {
                    assertEquals("ready", child.readLine());
                    sendSome(rig, 1);
                    rig.events.clear();
                    child.kill();
                    final int sent = sendUntil(rig, 1, 0, Endpoint.PEER_GONE);
                    rig.pollUntil("the end of the link and what was lost", NOTHING, () ->
                        rig.count(TransportEvent.Kind.LINK_DOWN) == 1 && lost(rig) >= sent);
                    assertTrue(lost(rig) <= sent + 200, () -> sent + " sent, " + rig.events);
                }
            }
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldGoOnWhenTheProcessThatCarriesThePacketsIsKilled()
    {
        try (NodesRig rig = oneAndOthers(2);
            ForkedJvm carrier = NodeProcess.start(new File(directory, "node-1"), rig.topology, 1, LIVENESS_NS))
        {
            assertEquals("ready", carrier.readLine());
            try (ForkedJvm other = NodeProcess.start(new File(directory, "node-1"), rig.topology, 2, LIVENESS_NS))
            {
                assertEquals("ready", other.readLine());
                sendSome(rig, 1);
                sendSome(rig, 2);
                carrier.kill();
                sendUntil(rig, 2, 0, Endpoint.PEER_GONE);
                sendSome(rig, 2);
                sendUntil(rig, 1, 0, Endpoint.PEER_GONE);
                assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
            }
        }
    }
}
