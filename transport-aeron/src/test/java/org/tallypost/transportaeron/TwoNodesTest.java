// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.NodeStat.RankState.CLOSED;
import static org.tallypost.node.NodeStat.RankState.OPEN;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** Two nodes in one process, with all that an endpoint does. */
@Timeout(1800)
class TwoNodesTest
{
    @TempDir
    private File directory;

    /** Checks that what comes of each pair comes once and in order, all bytes of it. */
    private static final class Check
    {
        final int[][] next;
        int received;
        /** What a handler throws goes to the error handler: kept for the loop. */
        AssertionError wrong;

        Check(final int ranks)
        {
            next = new int[ranks][ranks];
        }

        static int length(final int source, final int dest, final int sequence)
        {
            final int mixed = (source * 31 + dest) * 31 + sequence;
            return mixed % 5 == 0 ? mixed * 7919 % 2033 + 16 : mixed % 33 + 8;
        }

        static byte[] bytes(final int source, final int dest, final int sequence)
        {
            final byte[] bytes = new byte[length(source, dest, sequence)];
            new Random((source * 1000L + dest) * 100_000 + sequence).nextBytes(bytes);
            return bytes;
        }

        void onMessage(
            final int source, final int dest, final int tag, final org.agrona.DirectBuffer buffer, final int offset,
            final int length)
        {
            final byte[] found = new byte[length];
            buffer.getBytes(offset, found);
            final int expected = next[source][dest]++;
            received++;
            if (wrong == null && (tag != expected || !Arrays.equals(bytes(source, dest, tag), found)))
            {
                wrong = new AssertionError("source=" + source + ", dest=" + dest + ", found=" + tag + ", expected=" + expected);
            }
        }
    }

    private void exchange(final NodesRig rig, final int messages)
    {
        final int ranks = rig.endpoints.length;
        final Check check = new Check(ranks);
        final int[][] sent = new int[ranks][ranks];
        final int all = ranks * ranks * messages;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () ->
            check.received + " of " + all + " messages, sent=" + Arrays.deepToString(sent) + ", received=" +
            Arrays.deepToString(check.next) + ", events=" + rig.events + ", errors=" + rig.errors);
        while (check.received < all)
        {
            final int before = check.received;
            for (int source = 0; source < ranks; source++)
            {
                final int self = source;
                rig.endpoint(source).poll((from, tag, buffer, offset, length) ->
                    check.onMessage(from, self, tag, buffer, offset, length), 16);
                for (int dest = 0; dest < ranks; dest++)
                {
                    offer(rig, source, dest, sent, messages);
                }
            }
            if (check.wrong != null)
            {
                throw check.wrong;
            }
            if (check.received > before)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    private static void offer(final NodesRig rig, final int source, final int dest, final int[][] sent, final int messages)
    {
        final int sequence = sent[source][dest];
        if (sequence < messages)
        {
            final byte[] bytes = Check.bytes(source, dest, sequence);
            final long result = rig.endpoint(source).offer(dest, sequence, new UnsafeBuffer(bytes), 0, bytes.length);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED,
                () -> Endpoint.errorString(result) + ": " + rig.events + rig.errors);
            sent[source][dest] += result >= 0 ? 1 : 0;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 65_504})
    void shouldCarryMessagesInShortAndLongDatagrams(final int mtuLength)
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1)
            .tuned((context, transport) ->
            {
                context.flow(Flow.STATIC).slotsPerSender(64);
                transport.mtuLength(mtuLength);
                assertEquals(64 << 10, transport.settings().termLength(context, 0, 1), "which hold no eight of the long ones");
            }).launchAll())
        {
            exchange(rig, 500);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Flow.class, names = {"STATIC", "DYNAMIC"})
    void shouldCarryMessagesBetweenAllPairsInOrder(final Flow flow)
    {
        try (NodesRig rig = new NodesRig(directory, 2, 2)
            .tuned((context, transport) -> context.flow(flow).slotsPerSender(flow == Flow.STATIC ? 64 : 48)).launchAll())
        {
            exchange(rig, 2_000);
            assertEquals(2, rig.count(TransportEvent.Kind.LINK_UP));
            assertEquals(0, rig.count(TransportEvent.Kind.MESSAGES_LOST));
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldSendMessagesLongerThanAllCredits()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll())
        {
            final byte[] long1 = new byte[300_000];
            final byte[] long2 = new byte[70_000];
            new Random(1).nextBytes(long1);
            new Random(2).nextBytes(long2);
            final LongSend there = rig.endpoint(0).newSend();
            final LongSend back = rig.endpoint(1).newSend();
            final long[] results = {Endpoint.NOT_CONNECTED, Endpoint.NOT_CONNECTED};
            final byte[][] received = new byte[2][];
            rig.pollUntil("two long messages", (source, tag, buffer, offset, length) ->
            {
                received[source] = new byte[length];
                buffer.getBytes(offset, received[source]);
            }, () ->
            {
                results[0] = progress(there, results[0], 1, long1);
                results[1] = progress(back, results[1], 0, long2);
                return received[0] != null && received[1] != null;
            });
            assertArrayEquals(long1, received[0]);
            assertArrayEquals(long2, received[1]);
        }
    }

    @Test
    void shouldMixShortMessagesAndTheRunsOfSeveralLongOnes()
    {
        final int shorts = 2_000;
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll())
        {
            final byte[][] bytes = new byte[3][300_000];
            final LongSend[] sends = new LongSend[bytes.length];
            final long[] results = new long[bytes.length];
            for (int i = 0; i < bytes.length; i++)
            {
                new Random(i).nextBytes(bytes[i]);
                bytes[i][0] = (byte)i;
                sends[i] = rig.endpoint(0).newSend();
                results[i] = Endpoint.NOT_CONNECTED;
            }
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final int[] sent = new int[1];
            final int[] received = new int[2];
            rig.pollUntil("long and short messages", (source, tag, buffer, offset, length) ->
            {
                if (length == Integer.BYTES)
                {
                    assertEquals(received[0]++, buffer.getInt(offset));
                }
                else
                {
                    final byte[] whole = new byte[length];
                    buffer.getBytes(offset, whole);
                    assertArrayEquals(bytes[whole[0]], whole);
                    received[1]++;
                }
            }, () ->
            {
                for (int i = 0; i < bytes.length; i++)
                {
                    results[i] = progress(sends[i], results[i], 1, bytes[i]);
                }
                message.putInt(0, sent[0]);
                sent[0] += sent[0] < shorts && rig.endpoint(0).offer(1, 7, message, 0, Integer.BYTES) >= 0 ? 1 : 0;
                return received[0] == shorts && received[1] == bytes.length;
            });
            assertEquals(0, rig.endpoint(1).counters().refused());
        }
    }

    private static long progress(final LongSend send, final long result, final int dest, final byte[] bytes)
    {
        if (result >= 0)
        {
            return result;
        }
        final long next = send.isActive() ? send.progress() : send.start(dest, 7, new UnsafeBuffer(bytes), 0, bytes.length);
        assertTrue(next >= 0 || next == Endpoint.NO_CREDIT || next == Endpoint.NOT_CONNECTED, Endpoint.errorString(next));
        return next;
    }

    @Test
    void shouldSendClaimsWhenTheyAreCommittedAndReturnTheCreditsOfAbortedOnes()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll())
        {
            final MessageClaim claim = new MessageClaim();
            final MessageClaim aborted = new MessageClaim();
            final int[] received = new int[1];
            final int[] sent = new int[1];
            final long[] last = {-1};
            rig.pollUntil("claims", (source, tag, buffer, offset, length) ->
            {
                assertEquals(received[0]++, buffer.getInt(offset));
                assertEquals(tag, length);
            }, () ->
            {
                if (rig.endpoint(0).tryClaim(1, 0, 40, aborted) >= 0)
                {
                    aborted.abort();
                }
                final int length = 4 + sent[0] % 200;
                final long position = sent[0] < 1000 ? rig.endpoint(0).tryClaim(1, length, length, claim) : -1;
                if (position >= 0)
                {
                    assertTrue(position > last[0], "grows");
                    last[0] = position;
                    claim.buffer().putInt(0, sent[0]++);
                    claim.commit();
                }
                return received[0] == 1000;
            });
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }

    @Test
    void shouldDeliverWhatWasSentBeforeANodeClosed()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1)
            .tuned((context, transport) -> transport.lingerNs(NodesRig.LONG_NS)).launchAll())
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
            final int[] received = new int[1];
            int sent = 0;
            rig.pollUntil("first", (source, tag, buffer, offset, length) -> received[0]++, () ->
                rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
            sent++;
            while (sent < 12 && rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0)
            {
                sent++;
            }
            final int all = sent;
            rig.close(0);
            rig.pollUntil("the rest", (source, tag, buffer, offset, length) -> received[0]++, () -> received[0] == all);
            rig.pollUntil("the end", (source, tag, buffer, offset, length) -> received[0]++, () ->
                rig.endpoint(1).offer(0, 0, message, 0, 40) == Endpoint.PEER_GONE);
            assertEquals(all, received[0]);
            assertEquals(0, rig.count(TransportEvent.Kind.MESSAGES_LOST));
        }
    }

    @Test
    void shouldTellPeersThatCloseAndComeBack()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 2)
            .tuned((context, transport) -> context.slotsPerSender(48)).launchAll())
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
            for (int round = 0; round < 20; round++)
            {
                final int[] received = new int[1];
                rig.pollUntil("there in round " + round, (source, tag, buffer, offset, length) -> received[0]++, () ->
                    rig.endpoint(0).offer(2, 0, message, 0, 40) >= 0);
                rig.pollUntil("received", (source, tag, buffer, offset, length) -> received[0]++, () -> received[0] == 1);
                rig.endpoint(2).close();
                rig.pollUntil("gone", (source, tag, buffer, offset, length) -> {}, () ->
                    rig.endpoint(0).offer(2, 0, message, 0, 40) == Endpoint.PEER_GONE);
                rig.endpoints[2] = rig.nodes.get(1).open(2);
            }
            final int[] received = new int[1];
            rig.pollUntil("back at last", (source, tag, buffer, offset, length) -> received[0]++, () ->
                rig.endpoint(0).offer(2, 0, message, 0, 40) >= 0);
            rig.pollUntil("received", (source, tag, buffer, offset, length) -> received[0]++, () -> received[0] == 1);
            exchange(rig, 200);
        }
    }

    private static List<NodeStat.RankState> states(final NodeStat stat, final int... ranks)
    {
        final List<NodeStat.EndpointStat> found = stat.read();
        assertArrayEquals(ranks, found.stream().mapToInt(NodeStat.EndpointStat::rank).toArray());
        return found.stream().map(NodeStat.EndpointStat::state).toList();
    }

    @Test
    void shouldShowTheRanksOfItsOwnNodeFromOutside()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 2).launchAll())
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
            rig.pollUntil("a message", (source, tag, buffer, offset, length) -> {}, () ->
                rig.endpoint(0).offer(2, 0, message, 0, 40) >= 0);
            final NodeStat first = NodeStat.attach(new File(directory, "node-0"));
            final NodeStat second = NodeStat.attach(new File(directory, "node-1"));
            assertEquals(List.of(OPEN, OPEN), states(first, 0, 1));
            assertEquals(List.of(OPEN, OPEN), states(second, 2, 3));
            assertEquals(List.of(1, 2, 2, 4), List.of(second.node(), second.nodeCount(), second.localRankCount(),
                second.rankCount()));
            rig.endpoint(2).close();
            rig.pollUntil("gone", (source, tag, buffer, offset, length) -> {}, () ->
                rig.endpoint(0).offer(2, 0, message, 0, 40) == Endpoint.PEER_GONE);
            assertEquals(List.of(OPEN, OPEN), states(first, 0, 1));
            assertEquals(List.of(CLOSED, OPEN), states(second, 2, 3));
        }
    }

    private static String refused(final NodesRig rig, final BiConsumer<NodeContext, AeronTransport> tuning)
    {
        return assertThrows(IllegalArgumentException.class, () -> rig.tuned(tuning).launch(0)).getMessage();
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        final NodesRig rig = new NodesRig(directory, 2, 1);
        assertTrue(refused(rig, (context, transport) ->
            context.creditReturn(CreditReturn.PACKET)).contains("creditReturn=PACKET"));
        assertTrue(refused(rig, (context, transport) -> context.flow(Flow.NONE)).contains("flow=NONE"));
        assertTrue(refused(rig, (context, transport) -> context.rankCount(3)).contains("found=3, expected=2"));
        assertTrue(refused(rig, (context, transport) -> transport.secret(null)).contains("secret is not set"));
        assertTrue(refused(rig, (context, transport) ->
        {
            context.slotsPerSender(4096);
            transport.termLength(65_536);
        }).contains("raise termLength"));
        rig.tuned((context, transport) -> {});
        try (Node node = rig.launch(0))
        {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> node.open(1)).getMessage().contains("another node"));
        }
    }
}
