// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.node.Node;

/**
 * Some ranks of a node in this process, each of which sends to all others, and keeps books. To other nodes as fast as it may; to
 * its own now and then, or that would be all they do. It does so in bursts. With high rings it sends as much as it may with
 * either priority.
 */
final class Load implements AutoCloseable
{
    private static final int MIN_LENGTH = 16;
    /** Two slots, as many as a sender always has. */
    private static final int MAX_LENGTH = 96;
    private static final int POLL_LIMIT = 16;
    private static final int LOCAL_TURNS = 16;
    /** As many turns use up all credits with those that do not poll. */
    private static final int BURST_TURNS = 64;
    private static final long PAUSE_NS = 2_000_000;
    /** Each incarnation of a rank has numbers of its own. */
    private static final long RESTART_STEP = 1L << 32;
    /** In the numbers of messages of high priority, which are counted apart. */
    private static final long HIGH = 1L << 62;

    private final Books books;
    private final int rankCount;
    private final int node;
    private final AeronTransport transport;
    private final int[] ranks;
    private final Node launched;
    private final Endpoint[] endpoints;
    /** Numbers of the next messages, by priority and sender. */
    private final long[][][] next;
    private final boolean[] isLocal;
    private int turns;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);

    /**
     * Launches a node and opens ranks.
     *
     * @param directory  of the node.
     * @param topology   of the group.
     * @param node       index of the node.
     * @param intervalNs liveness interval.
     * @param driver     directory of an external media driver, or null.
     * @param carry      whether this process may carry packets.
     * @param highSlots  of the group, 0 for no priorities.
     * @param books      to keep.
     * @param ranks      to open.
     */
    Load(
        final File directory, final Topology topology, final int node, final long intervalNs, final String driver,
        final boolean carry, final int highSlots, final Books books, final int... ranks)
    {
        this.books = books;
        this.node = node;
        this.ranks = ranks;
        rankCount = topology.rankCount();
        next = new long[highSlots == 0 ? 1 : 2][ranks.length][rankCount];
        isLocal = new boolean[rankCount];
        for (final int local : topology.map().ranks(node))
        {
            isLocal[local] = true;
        }
        transport = new AeronTransport(topology, node).secret(NodesRig.SECRET).aeronDirectory(driver);
        launched = Node.launch(new NodeContext()
            .directory(directory)
            .groupName("test")
            .rankCount(rankCount)
            .slotsPerSender(32)
            .highSlots(highSlots)
            .maxSendingThreads(64)
            .maxProcesses(64)
            .livenessIntervalNs(intervalNs)
            .transport(transport)
            .transportSettings(new TransportSettings().carry(carry).eventHandler(this::onEvent)));
        endpoints = new Endpoint[ranks.length];
        for (int i = 0; i < ranks.length; i++)
        {
            endpoints[i] = launched.open(ranks[i]);
            books.add(Books.STARTS, ranks[i], ranks[i], 1);
            for (int dest = 0; dest < rankCount; dest++)
            {
                final long first = RESTART_STEP * books.get(Books.STARTS, ranks[i], ranks[i]);
                for (int priority = 0; priority < next.length; priority++)
                {
                    next[priority][i][dest] = first + HIGH * priority;
                }
            }
        }
    }

    private void onEvent(final TransportEvent event)
    {
        if (event.kind() == TransportEvent.Kind.MESSAGES_LOST)
        {
            books.add(Books.TOLD, event.localRank(), event.peerRank(), event.count());
        }
    }

    /** Polls and sends once. Behind each burst is a pause, in which the processors can do something else. */
    int turn()
    {
        if (turns % BURST_TURNS == 0)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
        if (transport.counts() != null)
        {
            books.carrier(node, ProcessHandle.current().pid());
        }
        int work = 0;
        turns++;
        for (int i = 0; i < ranks.length; i++)
        {
            final int self = ranks[i];
            work += endpoints[i].poll((source, tag, buffer, offset, length) ->
                onMessage(self, source, buffer, offset, length), POLL_LIMIT);
            for (int dest = 0; dest < rankCount && !books.isStopped(); dest++)
            {
                for (int priority = 0; priority < next.length; priority++)
                {
                    work += dest == self || isLocal[dest] && turns % LOCAL_TURNS != 0 ? 0 : send(priority, i, dest);
                }
            }
        }
        return work;
    }

    private int send(final int priority, final int i, final int dest)
    {
        final long number = next[priority][i][dest];
        final int length = length(number);
        message.putLong(0, number);
        message.putLong(length - Long.BYTES, ~number);
        final long result = priority == Priority.LOW.ordinal() ? endpoints[i].offer(dest, (int)number, message, 0, length) :
            endpoints[i].offer(dest, (int)number, Priority.HIGH, message, 0, length);
        if (result >= 0)
        {
            next[priority][i][dest]++;
            books.add(Books.SENT, ranks[i], dest, 1);
            return 1;
        }
        if (result == Endpoint.PEER_GONE && books.get(Books.GONE_NS, ranks[i], dest) == 0)
        {
            books.set(Books.GONE_NS, ranks[i], dest, System.nanoTime());
        }
        return 0;
    }

    private static int length(final long number)
    {
        return MIN_LENGTH + (int)((number & ~HIGH) * 7919 % (MAX_LENGTH - MIN_LENGTH)) / Long.BYTES * Long.BYTES;
    }

    private void onMessage(
        final int self, final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset);
        final boolean isWhole = number > 0 && length == length(number) &&
            buffer.getLong(offset + length - Long.BYTES) == ~number;
        final boolean isHigh = (number & HIGH) != 0;
        final int last = isHigh ? Books.HIGH_LAST : Books.LAST;
        if (!isWhole || number <= books.get(last, self, source))
        {
            books.add(Books.WRONG, self, source, 1);
        }
        books.set(last, self, source, number);
        books.add(Books.RECEIVED, self, source, 1);
        books.add(Books.HIGH_RECEIVED, self, source, isHigh ? 1 : 0);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(endpoints);
        launched.close();
    }
}
