// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** Endpoints that share a link: what one of them does is its own affair. */
@Timeout(1800)
class OneLinkTest
{
    private static final int RECEIVERS = 16;
    private static final int SLOTS = 16;
    private static final int CREDIT_SLOTS = 2;
    private static final int MESSAGES = 2_000;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private final int[] sent = new int[RECEIVERS + 2];
    private final int[] received = new int[RECEIVERS + 2];

    @TempDir
    private File directory;

    /** Gives a rank a turn: what it receives has to come in order. */
    private int poll(final NodesRig rig, final int rank)
    {
        return rig.endpoint(rank).poll((source, tag, buffer, offset, length) ->
        {
            if (tag == received[rank])
            {
                received[rank]++;
            }
        }, 16);
    }

    private int offer(final NodesRig rig, final int rank)
    {
        final long result = rig.endpoint(0).offer(rank, sent[rank], message, 0, message.capacity());
        assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED,
            () -> Endpoint.errorString(result) + rig.events + rig.errors);
        sent[rank] += result >= 0 ? 1 : 0;
        return result >= 0 ? 1 : 0;
    }

    /** Sends to all until each of the others has so many more; the stopped one, if any, never polls. */
    private void sendToAll(final NodesRig rig, final int messages, final int stopped)
    {
        final int[] wanted = received.clone();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () ->
            "received=" + java.util.Arrays.toString(received) + ", events=" + rig.events + ", errors=" + rig.errors);
        boolean isOver = false;
        while (!isOver)
        {
            int work = 0;
            isOver = true;
            for (int rank = 1; rank <= RECEIVERS; rank++)
            {
                work += offer(rig, rank) + (rank == stopped ? 0 : poll(rig, rank));
                isOver &= rank == stopped || received[rank] >= wanted[rank] + messages;
            }
            if (work > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    @Test
    void shouldNotHoldUpOthersBecauseOneReceiverStopsPolling()
    {
        try (NodesRig rig = new NodesRig(directory, List.of(1, RECEIVERS))
            .tuned((context, transport) -> context.slotsPerSender(SLOTS).creditSlots(CREDIT_SLOTS)).launchAll())
        {
            final int stopped = 5;
            sendToAll(rig, 100, 0);
            final int before = received[stopped];
            sendToAll(rig, MESSAGES, stopped);
            final int unread = sent[stopped] - before;
            assertEquals(before, received[stopped]);
            assertTrue(unread > 0 && unread <= (SLOTS - CREDIT_SLOTS) * (RECEIVERS + 1), () -> "unread=" + unread);
            // what was bounded stays bounded, and the stopped one finds everything when it goes on
            sendToAll(rig, MESSAGES, stopped);
            assertEquals(unread, sent[stopped] - before);
            final int all = sent[stopped];
            Watchdog.await("what the stopped one had not read", () -> poll(rig, stopped) >= 0 && received[stopped] == all);
            sendToAll(rig, 100, 0);
            assertEquals(0, rig.count(TransportEvent.Kind.LINK_DOWN));
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
            assertTrue(rig.transports[0].counts().contains("refused=0"),
                () -> "Aeron pushed back: " + rig.transports[0].counts());
        }
    }

    private NodesRig leased(final long leaseNs)
    {
        return new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            context.slotsPerSender(64);
            context.transportSettings().creditLeaseNs(leaseNs);
        }).launchAll();
    }

    @Test
    void shouldTakeCreditsBackFromASenderThatIsIdleForLong()
    {
        try (NodesRig rig = leased(50_000_000))
        {
            rig.pollUntil("200 messages", NOTHING, () ->
            {
                sent[1] += sent[1] < 200 && rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0 ? 1 : 0;
                return rig.endpoint(1).counters().received() == 200;
            });
            final Endpoint receiver = rig.endpoint(1);
            rig.pollUntil("credits that come back", NOTHING, () -> receiver.counters().responses() > 0);
            assertEquals(0, receiver.counters().requests(), "nobody asked for them");
            // with what it has left the sender gets going again
            rig.pollUntil("200 more", NOTHING, () ->
            {
                rig.endpoint(0).offer(1, 0, message, 0, 40);
                return receiver.counters().received() >= 400;
            });
            assertEquals(0, receiver.counters().refused());
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldNotTakeCreditsFromASenderThatSends()
    {
        // before there is a link
        final long startNs = System.nanoTime();
        try (NodesRig rig = leased(5_000_000_000L))
        {
            rig.pollUntil("messages", NOTHING, () ->
            {
                rig.endpoint(0).offer(1, 0, message, 0, 40);
                return rig.endpoint(1).counters().received() >= MESSAGES;
            });
            assertTrue(rig.endpoint(1).counters().responses() == 0 || System.nanoTime() - startNs > 5_000_000_000L);
        }
    }

    @Test
    void shouldRefuseALeaseThatIsTooShort()
    {
        final IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () ->
            Node.launch(new NodeContext().directory(directory).rankCount(2).transport(
                new AeronTransport(NodesRig.topology(1, 1), 0).secret(NodesRig.SECRET))
                .transportSettings(new TransportSettings().creditLeaseNs(999))));
        assertTrue(refused.getMessage().contains("creditLeaseNs out of range: found=999"), refused::getMessage);
    }

    @Test
    void shouldRefuseAndCountPacketsForAReceiverBeforeItsRestart()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1)
            .tuned((context, transport) -> context.transportSettings().thread(transport.node() == 0)).launchAll())
        {
            int round = 0;
            final Watchdog watchdog = new Watchdog(
                Watchdog.DEFAULT_LIMIT, () -> "a packet for an older incarnation: " + rig.transports[1].counts());
            while (!rig.transports[1].counts().contains("RANK_EPOCH="))
            {
                // where many want a core the packets may not have left in time
                watchdog.check();
                restartReceiver(rig, ++round);
            }
            rig.pollUntil("a message for the last incarnation", NOTHING, () -> rig.nodes.get(1).transportWork() >= 0 &&
                rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
            rig.pollUntil("its arrival", NOTHING, () -> rig.nodes.get(1).transportWork() >= 0 &&
                rig.endpoint(1).counters().received() == 1);
        }
    }

    /** Restarts the receiver while its node stands still and messages are under way to it. */
    private void restartReceiver(final NodesRig rig, final int round)
    {
        final Node restarting = rig.nodes.get(1);
        rig.pollUntil("a message in round " + round, NOTHING, () -> restarting.transportWork() >= 0 &&
            rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
        rig.pollUntil("its arrival", NOTHING, () -> restarting.transportWork() >= 0 &&
            rig.endpoint(1).counters().received() == 1);
        rig.pollUntil("a credit", NOTHING, () -> restarting.transportWork() >= 0 &&
            rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
        int underWay = 1;
        while (rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0)
        {
            underWay++;
        }
        final int most = underWay + 1;
        final NodeStat sender = NodeStat.attach(new File(directory, "node-0"));
        Watchdog.await("all messages to leave", () ->
            sender.links().get(0).value(LinkCounter.MESSAGES_SENT) == rig.endpoint(0).counters().sent());
        rig.events.clear();
        rig.endpoint(1).close();
        rig.endpoints[1] = restarting.open(1);
        rig.pollUntil("the loss to be told", NOTHING, () -> restarting.transportWork() >= 0 &&
            rig.count(TransportEvent.Kind.MESSAGES_LOST) == 1);
        final TransportEvent event = rig.events.stream().filter((each) -> each.count() > 0).findFirst().orElseThrow();
        assertTrue(event.count() == underWay || event.count() == most, () -> event + ", under way=" + most);
        assertEquals(round, event.epoch(), "which incarnation it was");
    }
}
