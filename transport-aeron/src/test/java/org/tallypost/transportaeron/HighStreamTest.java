// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;
import org.tallypost.transportaeron.faults.NetworkFaults;
import org.tallypost.transportaeron.internal.driver.AeronSettings;

/** Messages of high priority have a stream of their own between nodes: what that changes, and what stays in order. */
@Timeout(1800)
@Tag("once")
class HighStreamTest
{
    private static final int HIGH_SLOTS = 4;
    /** More batches than are taken in a duty cycle. */
    private static final int LOW = 100;
    private static final int HIGH_TAG = 1_000_000;
    /** So many batches before their numbers wrap. */
    private static final int NEAR = 20;
    /** Of messages that are sent until all is ready. */
    private static final int FIRST_TAG = -1;
    /** In the messages, to find them in streams. */
    private static final long LOW_MARK = 0x1234_5678_9ABC_DEF0L;
    private static final long HIGH_MARK = ~LOW_MARK;
    private static final int ROUNDS = Integer.getInteger("tallypost.rounds", 5);
    private static final long SEED = Long.getLong("tallypost.seed", System.nanoTime());
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    @TempDir
    private File directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private final List<Integer> tags = new ArrayList<>();
    private final NodeStat[] stats = new NodeStat[2];
    private final MessageListener adding = (source, tag, buffer, offset, length) -> tags.add(tag);

    private long offer(final NodesRig rig, final int source, final int dest, final int tag, final Priority priority)
    {
        return rig.endpoint(source).offer(dest, tag, priority, message, 0, message.capacity());
    }

    private long counter(final int node, final LinkCounter counter)
    {
        if (stats[node] == null)
        {
            stats[node] = NodeStat.attach(new File(directory, "node-" + node));
        }
        return stats[node].links().get(0).value(counter);
    }

    /** Until messages of high priority go by their stream, and all that was sent has been read. */
    private void connect(final NodesRig rig, final boolean hasStream, final Runnable work)
    {
        rig.pollUntil("the high stream", NOTHING, () ->
        {
            work.run();
            offer(rig, 0, 1, FIRST_TAG, Priority.HIGH);
            offer(rig, 0, 1, FIRST_TAG, Priority.LOW);
            return (!hasStream || counter(1, LinkCounter.HIGH_BATCHES_RECEIVED) > 0) &&
                rig.endpoint(1).counters().highReceived() > 0;
        });
        rig.pollUntil("credits", NOTHING, () ->
        {
            work.run();
            final EndpointCounters from = rig.endpoint(0).counters();
            final EndpointCounters to = rig.endpoint(1).counters();
            return rig.endpoint(0).sendTokens(1, Priority.HIGH) > 0 && rig.endpoint(0).sendTokens(1, Priority.LOW) > LOW &&
                to.received() == from.sent() && to.highReceived() == from.highSent();
        });
    }

    /** How many more messages with a mark lie where a stream arrives: beside them there are counts, which are repeated. */
    private static int arrived(final Subscription stream, final long mark)
    {
        final int[] count = new int[1];
        stream.poll((buffer, offset, length, header) ->
        {
            for (int at = offset; at + Long.BYTES <= offset + length; at += Long.BYTES)
            {
                count[0] += buffer.getLong(at) == mark ? 1 : 0;
            }
        }, LOW);
        return count[0];
    }

    /** Sends to node 1 what lies there then: all of low priority, and behind it one message of high priority. */
    private void fill(final NodesRig rig, final Aeron aeron, final boolean hasStream)
    {
        final Node from = rig.nodes.get(0);
        final AeronSettings settings = rig.settings(1);
        final int highStream = hasStream ? settings.highStream(0) : settings.stream(0);
        try (Subscription low = aeron.addSubscription(settings.channel(1), settings.stream(0));
            Subscription high = aeron.addSubscription(settings.channel(1), highStream))
        {
            Watchdog.await("both streams", () -> from.transportWork() >= 0 && low.isConnected() && high.isConnected());
            message.putLong(0, LOW_MARK);
            for (int i = 0; i < LOW; i++)
            {
                assertTrue(offer(rig, 0, 1, i, Priority.LOW) >= 0);
                from.transportWork();
            }
            final int[] count = new int[1];
            Watchdog.await("a flood that lies there", () ->
            {
                from.transportWork();
                count[0] += arrived(low, LOW_MARK);
                return count[0] == LOW;
            });
            message.putLong(0, HIGH_MARK);
            assertTrue(offer(rig, 0, 1, HIGH_TAG, Priority.HIGH) >= 0);
            Watchdog.await("a message of high priority", () -> from.transportWork() >= 0 && arrived(high, HIGH_MARK) == 1);
        }
    }

    /** With one stream for both it would wait for those. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDeliverBeforeBatchesThatLieInTheOtherStream(final boolean hasStream)
    {
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "driver").getPath()).threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            {
                transport.aeronDirectory(driver.aeronDirectoryName()).highStream(hasStream);
                context.slotsPerSender(4 * LOW).flow(Flow.STATIC).highSlots(HIGH_SLOTS).livenessIntervalNs(600_000_000_000L)
                    .transportSettings(new TransportSettings().thread(false)
                    .eventHandler(context.transportSettings().eventHandler()));
            }))
        {
            rig.launchAll();
            final Node from = rig.nodes.get(0);
            final Node to = rig.nodes.get(1);
            connect(rig, hasStream, () ->
            {
                from.transportWork();
                to.transportWork();
            });
            // from now on node 1 stands still: what comes lies where it is, and is seen by subscriptions beside those of the node
            fill(rig, aeron, hasStream);
            final Endpoint receiver = rig.endpoint(1);
            Watchdog.await("all messages", () ->
            {
                to.transportWork();
                receiver.poll(adding, 1);
                return tags.size() > LOW;
            });
            final int place = tags.indexOf(HIGH_TAG);
            assertTrue(hasStream ? place == 0 : place > 0, () -> "behind " + place);
            tags.remove(place);
            for (int i = 0; i < LOW; i++)
            {
                assertEquals(i, tags.get(i));
            }
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    private NodesRig rig(final double loss)
    {
        return rig(loss, 0);
    }

    private NodesRig rig(final double loss, final long firstBatch)
    {
        return new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            context.highSlots(HIGH_SLOTS).slotsPerSender(4 * LOW).flow(Flow.STATIC);
            transport.firstBatch(firstBatch);
            if (firstBatch > 0)
            {
                // no next link with its messages, if something of this one is refused: nothing comes any more
                context.livenessIntervalNs(NodesRig.LONG_NS);
            }
            if (loss > 0)
            {
                transport.faults(new NetworkFaults(SEED + transport.node()).loss(loss).duplicates(loss).reordering(loss));
            }
        });
    }

    /** What one incarnation of a rank has sent, of either priority, comes before its end, and what the next sends behind it. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void shouldKeepBothPrioritiesInOrderWithRanksThatComeAndGo(final double loss)
    {
        try (NodesRig rig = rig(loss).launchAll())
        {
            connect(rig, true, () -> {});
            for (int round = 0; round < ROUNDS; round++)
            {
                final int first = round * LOW;
                tags.clear();
                rig.pollUntil("the next incarnation, seed=" + SEED, adding, () -> offer(rig, 0, 1, first, Priority.HIGH) >= 0);
                rig.pollUntil("another, seed=" + SEED, adding, () -> offer(rig, 0, 1, first + 1, Priority.LOW) >= 0);
                rig.pollUntil("a third, seed=" + SEED, adding, () -> offer(rig, 0, 1, first + 2, Priority.HIGH) >= 0);
                rig.endpoint(0).close();
                rig.endpoints[0] = rig.nodes.get(0).open(0);
                rig.pollUntil("all three, seed=" + SEED, adding, () -> tags.size() == 3);
                assertTrue(tags.indexOf(first) < tags.indexOf(first + 2) && tags.contains(first + 1), () -> tags.toString());
            }
            assertEquals(0, rig.endpoint(1).counters().highRefused() + rig.endpoint(1).counters().refused());
            assertEquals(0, rig.count(TransportEvent.Kind.MESSAGES_LOST) + rig.count(TransportEvent.Kind.LINK_DOWN),
                () -> rig.events.toString());
            assertFalse(rig.transports[1].counts().contains("RANK_EPOCH"), () -> rig.transports[1].counts());
            // counted behind what is delivered
            Watchdog.await("frames by the high stream", () -> counter(1, LinkCounter.HIGH_FRAMES_RECEIVED) >= 2L * ROUNDS);
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    /** A header has 32 bits of the number of a batch, and all 64 of that of the one behind which it comes. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 31, 1L << 32})
    void shouldGoOnWhereNumbersOfBatchesWrap(final long end)
    {
        try (NodesRig rig = rig(0.05, end - NEAR).launchAll())
        {
            connect(rig, true, () -> {});
            int sent = 0;
            do
            {
                final int first = sent;
                tags.clear();
                rig.pollUntil("high after " + sent + ", seed=" + SEED, adding, () -> offer(rig, 0, 1, first, Priority.HIGH) >= 0);
                rig.pollUntil("low after " + sent + ", seed=" + SEED, adding, () -> offer(rig, 0, 1, first, Priority.LOW) >= 0);
                // each end of a rank makes a batch of either stream come behind one of the other
                rig.endpoint(0).close();
                rig.endpoints[0] = rig.nodes.get(0).open(0);
                rig.pollUntil("both of " + sent + ", seed=" + SEED, adding, () -> tags.size() == 2);
                assertEquals(List.of(first, first), tags);
                sent++;
            }
            while (counter(0, LinkCounter.HIGH_BATCHES_SENT) <= NEAR || lowBatches() <= NEAR);
            assertEquals(0, rig.count(TransportEvent.Kind.MESSAGES_LOST) + rig.count(TransportEvent.Kind.LINK_DOWN),
                () -> rig.events.toString());
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    private long lowBatches()
    {
        return counter(0, LinkCounter.BATCHES_SENT) - counter(0, LinkCounter.HIGH_BATCHES_SENT);
    }

    @Test
    void shouldSendBothByOneStreamIfToldSo()
    {
        try (NodesRig rig = rig(0))
        {
            rig.tuned((context, transport) ->
            {
                context.highSlots(HIGH_SLOTS);
                transport.highStream(false);
            }).launchAll();
            final int[] sent = new int[1];
            rig.pollUntil("messages of high priority", NOTHING, () ->
            {
                sent[0] += sent[0] < LOW && offer(rig, 0, 1, sent[0], Priority.HIGH) >= 0 ? 1 : 0;
                return rig.endpoint(1).counters().highReceived() == LOW;
            });
            assertFalse(rig.transports[0].counts().contains("high batches"), () -> rig.transports[0].counts());
            assertEquals(0, counter(0, LinkCounter.HIGH_BATCHES_SENT) + counter(1, LinkCounter.HIGH_BATCHES_RECEIVED));
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldBeginAnewWhenTheHighStreamHasComeToItsEnd()
    {
        final int[] streams = new int[1];
        try (NodesRig rig = rig(0))
        {
            rig.tuned((context, transport) ->
            {
                context.highSlots(HIGH_SLOTS);
                if (transport.node() == 0)
                {
                    // the last term that the second stream of this node can have
                    transport.startParameters(
                        () -> streams[0]++ == 1 ? "|init-term-id=0|term-id=2147483647|term-offset=0" : "");
                }
            }).launchAll();
            final int[] sent = new int[1];
            final int[] last = {-1};
            final MessageListener counting = (source, tag, buffer, offset, length) ->
            {
                assertTrue(tag > last[0], "once and in order");
                last[0] = tag;
            };
            rig.pollUntil("the end of the stream", counting, () ->
            {
                sent[0] += offer(rig, 0, 1, sent[0], Priority.HIGH) >= 0 ? 1 : 0;
                return rig.events.stream().anyMatch(
                    (event) -> event.text().contains("the high stream to node 1 has come to its end"));
            });
            final int before = last[0];
            rig.pollUntil("messages on the next", counting, () ->
            {
                sent[0] += offer(rig, 0, 1, sent[0], Priority.HIGH) >= 0 ? 1 : 0;
                return last[0] > before + LOW;
            });
            assertEquals(4, streams[0]);
        }
    }

    /** A new link follows each that ends. Its messages go the old way first, and by their stream when that has come. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.05})
    void shouldGoOnWithTheNextLinkWhileAllSend(final double loss)
    {
        try (NodesRig rig = rig(loss).launchAll())
        {
            final int[] sent = new int[2];
            final int[] last = {-1, -1};
            final MessageListener counting = (source, tag, buffer, offset, length) ->
            {
                final int of = tag >= HIGH_TAG ? 1 : 0;
                assertTrue(tag % HIGH_TAG > last[of], "once and in order");
                last[of] = tag % HIGH_TAG;
            };
            for (int round = 0; round < ROUNDS; round++)
            {
                final long links = rig.events.stream().filter((event) -> event.kind() == TransportEvent.Kind.LINK_UP).count();
                final long batches = counter(0, LinkCounter.HIGH_BATCHES_SENT);
                final int before = last[1];
                rig.pollUntil("messages in round " + round + ", seed=" + SEED, counting, () ->
                {
                    for (final Priority priority : Priority.values())
                    {
                        final int of = priority.ordinal();
                        sent[of] += offer(rig, 0, 1, of * HIGH_TAG + sent[of], priority) >= 0 ? 1 : 0;
                    }
                    return last[1] > before + LOW && counter(0, LinkCounter.HIGH_BATCHES_SENT) > batches;
                });
                // rank 1 is gone with its node, and is there again
                rig.close(1);
                rig.launch(1);
                rig.pollUntil("the next link, seed=" + SEED, counting, () ->
                    rig.count(TransportEvent.Kind.LINK_UP) > links + 1);
            }
        }
    }
}
