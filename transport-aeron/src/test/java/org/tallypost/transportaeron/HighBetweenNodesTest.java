// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Messages of high priority to ranks of other nodes: past what backs up, with credits of their own, by counts and order.
 * {@code -Dtallypost.kills=20} makes it longer.
 */
@Timeout(1800)
@Tag("once")
class HighBetweenNodesTest
{
    private static final int HIGH_SLOTS = 4;
    private static final int LOW = 1_000;
    private static final int HIGH = 1_000_000;
    private static final long SEED = Long.getLong("tallypost.seed", System.nanoTime());
    private static final long LIVENESS_NS = 3_000_000_000L;
    private static final int KILLS = Integer.getInteger("tallypost.kills", 1);
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    @TempDir
    private File directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private final List<Integer> tags = new ArrayList<>();

    private NodesRig rig(final int ranks, final double rate)
    {
        return new NodesRig(directory, 2, ranks).tuned((context, transport) ->
        {
            context.highSlots(HIGH_SLOTS);
            disturb(transport, rate);
        });
    }

    private long offer(final NodesRig rig, final int dest, final int tag, final Priority priority)
    {
        return rig.endpoint(0).offer(dest, tag, priority, message, 0, message.capacity());
    }

    /** Until both rings of a rank of the other node take messages, and all credits of the high one are here. */
    private void connect(final NodesRig rig, final int dest)
    {
        for (final Priority priority : Priority.values())
        {
            rig.pollUntil(priority + " to rank " + dest, NOTHING, () -> offer(rig, dest, 0, priority) >= 0);
        }
        rig.pollUntil("the first ones", NOTHING, () -> rig.endpoint(dest).counters().highReceived() > 0 &&
            rig.endpoint(dest).counters().received() > 0 && rig.endpoint(dest).backlogSlots() == 0);
    }

    private static int tokens(final NodesRig rig, final int dest)
    {
        return rig.endpoint(0).sendTokens(dest, Priority.HIGH);
    }

    /** Loses, doubles and reorders so much of what comes to each node. */
    private static void disturb(final AeronTransport transport, final double rate)
    {
        if (rate > 0)
        {
            transport.faults(new NetworkFaults(SEED + transport.node()).loss(rate).duplicates(rate).reordering(rate));
        }
    }

    private void awaitRepairs(final NodesRig rig, final Runnable sending)
    {
        final NodeStat stat = NodeStat.attach(new File(directory, "node-1"));
        rig.pollUntil("repairs, seed=" + SEED, NOTHING, () ->
        {
            sending.run();
            return stat.links().get(0).value(LinkCounter.REPAIRS_ASKED) > 0;
        });
    }

    @ParameterizedTest
    @CsvSource({"STATIC,0", "DYNAMIC,0", "STATIC,0.05", "DYNAMIC,0.05"})
    void shouldPassAFloodThatBacksUp(final Flow flow, final double rate)
    {
        try (NodesRig rig = rig(1, 0))
        {
            rig.tuned((context, transport) ->
            {
                context.highSlots(HIGH_SLOTS).flow(flow);
                disturb(transport, rate);
            }).launchAll();
            connect(rig, 1);
            // under dynamic flow a sender gets slots as it uses them
            final long[] before = new long[1];
            rig.pollUntil("a flood that is read", NOTHING, () ->
            {
                // and what was granted is on its way for a while
                final boolean hasMany = rig.endpoint(0).sendTokens(1, Priority.LOW) > HIGH_SLOTS;
                before[0] += (before[0] < 100 || !hasMany) && offer(rig, 1, 0, Priority.LOW) >= 0 ? 1 : 0;
                // with the first one; one that was lost comes later, while the mailbox is empty
                return hasMany && before[0] >= 100 && rig.endpoint(1).counters().received() == before[0] + 1;
            });
            // rank 1 does not read: the flood fills its mailbox, until no credit is left
            int low = 0;
            final Watchdog flooding = new Watchdog(
                Watchdog.DEFAULT_LIMIT, () -> "a flood that backs up: " + rig.transports[0].counts());
            while (rig.endpoint(0).sendTokens(1, Priority.LOW) > 0 || rig.endpoint(1).backlogSlots() < low)
            {
                low += offer(rig, 1, LOW + low, Priority.LOW) >= 0 ? 1 : 0;
                flooding.idle();
            }
            final int high = tokens(rig, 1);
            assertTrue(high > 0 && high < HIGH_SLOTS && low > high, "high=" + high + ", low=" + low);
            for (int i = 0; i < high; i++)
            {
                final long position = offer(rig, 1, HIGH + i, Priority.HIGH);
                assertTrue(position >= 0, Endpoint.errorString(position));
                Watchdog.await("a message of high priority", () -> rig.endpoint(0).isHighTaken(1, position));
            }
            assertEquals(0, tokens(rig, 1));
            assertEquals(Endpoint.NO_CREDIT, offer(rig, 1, 0, Priority.HIGH));
            rig.pollUntil("all", (source, tag, buffer, offset, length) -> tags.add(tag), () ->
                rig.endpoint(1).backlogSlots() == 0);
            assertEquals(low + high, tags.size(), () -> "seed=" + SEED + ", tags=" + tags);
            for (int i = 0; i < tags.size(); i++)
            {
                assertEquals(i < high ? HIGH + i : LOW + i - high, tags.get(i));
            }
            rig.pollUntil("credits to come back", NOTHING, () -> offer(rig, 1, 0, Priority.HIGH) >= 0);
            if (rate > 0)
            {
                awaitRepairs(rig, () -> offer(rig, 1, 0, Priority.HIGH));
            }
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
            assertTrue(rig.transports[0].counts().contains("refused=0"), () -> rig.transports[0].counts());
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldKeepTheOrderOfEachPriorityBetweenAllPairs(final double rate)
    {
        final int messages = rate > 0 ? 1_000 : 100;
        try (NodesRig rig = rig(2, rate).launchAll())
        {
            final int ranks = 4;
            final int[][] sent = new int[2][ranks * ranks];
            final int[][] received = new int[2][ranks * ranks];
            final int[] all = new int[1];
            final List<String> wrong = new ArrayList<>();
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> all[0] + " came, events=" + rig.events);
            while (all[0] < 2 * ranks * ranks * messages)
            {
                final int before = all[0];
                for (int rank = 0; rank < ranks; rank++)
                {
                    final int dest = rank;
                    rig.endpoint(rank).poll((source, tag, buffer, offset, length) ->
                    {
                        final int priority = tag >= HIGH ? 1 : 0;
                        all[0]++;
                        if (received[priority][source * ranks + dest]++ != tag - priority * HIGH)
                        {
                            wrong.add("from " + source + " to " + dest + ": " + tag);
                        }
                    }, 16);
                    for (int pair = rank * ranks; pair < (rank + 1) * ranks; pair++)
                    {
                        for (final Priority priority : Priority.values())
                        {
                            final int of = priority.ordinal();
                            if (sent[of][pair] < messages && rig.endpoint(rank).offer(
                                pair % ranks, of * HIGH + sent[of][pair], priority, message, 0, message.capacity()) >= 0)
                            {
                                sent[of][pair]++;
                            }
                        }
                    }
                }
                assertEquals(List.of(), wrong);
                if (all[0] > before)
                {
                    watchdog.progress();
                }
                else
                {
                    watchdog.idle();
                }
            }
            assertCounts(rig, ranks * messages);
            if (rate > 0)
            {
                awaitRepairs(rig, () -> offer(rig, 2, 0, Priority.HIGH));
            }
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    private static void assertCounts(final NodesRig rig, final int received)
    {
        for (int rank = 0; rank < rig.topology.rankCount(); rank++)
        {
            assertEquals(received, rig.endpoint(rank).counters().highReceived());
            assertEquals(0, rig.endpoint(rank).counters().refused() + rig.endpoint(rank).counters().highRefused());
        }
    }

    @Test
    void shouldDeliverWhatWasSentBeforeARankClosedAndServeTheNextIncarnation()
    {
        try (NodesRig rig = rig(1, 0).launchAll())
        {
            connect(rig, 1);
            final int high = tokens(rig, 1);
            for (int i = 0; i < high; i++)
            {
                assertTrue(offer(rig, 1, HIGH + i, Priority.HIGH) >= 0);
            }
            final Node node = rig.nodes.get(0);
            rig.endpoint(0).close();
            rig.endpoints[0] = node.open(0);
            rig.pollUntil("what the one before has sent", (source, tag, buffer, offset, length) -> tags.add(tag), () ->
                tags.size() == high);
            rig.pollUntil("the next incarnation", (source, tag, buffer, offset, length) -> tags.add(tag), () ->
                offer(rig, 1, 2 * HIGH, Priority.HIGH) >= 0);
            rig.pollUntil("its message", (source, tag, buffer, offset, length) -> tags.add(tag), () -> tags.size() > high);
            for (int i = 0; i <= high; i++)
            {
                assertEquals(i < high ? HIGH + i : 2 * HIGH, tags.get(i));
            }
            assertEquals(0, rig.endpoint(1).counters().highRefused());
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldTellThatAReceiverWasKilledAndGoOnWithTheNext()
    {
        try (NodesRig rig = new NodesRig(directory, List.of(1, 1)))
        {
            rig.tuned((context, transport) -> context.highSlots(HIGH_SLOTS).livenessIntervalNs(LIVENESS_NS)).launch(0);
            for (int kill = 0; kill <= KILLS; kill++)
            {
                try (ForkedJvm child = NodeProcess.start(
                    new File(directory, "node-1"), rig.topology, 1, LIVENESS_NS, HIGH_SLOTS))
                {
                    assertEquals("ready", child.readLine());
                    sendUntil(rig, 0, HIGH_SLOTS * 10);
                    if (kill < KILLS)
                    {
                        child.kill();
                        sendUntil(rig, Endpoint.PEER_GONE, Integer.MAX_VALUE);
                        assertEquals(0, tokens(rig, 1));
                    }
                }
            }
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    /** Sends with high priority until so many were taken, or a code is returned. */
    private void sendUntil(final NodesRig rig, final long code, final int most)
    {
        final int[] sent = new int[1];
        rig.pollUntil(code + " or " + most + " messages", NOTHING, () ->
        {
            final long result = offer(rig, 1, 0, Priority.HIGH);
            sent[0] += result >= 0 ? 1 : 0;
            return code < 0 && result == code || sent[0] >= most;
        });
    }
}
