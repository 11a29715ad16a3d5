// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.Request;
import org.tallypost.messaging.Requests;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Nodes of this process with bulk streams, and a messenger with region memory for each rank, all driven by one thread. */
final class MessengersRig implements AutoCloseable
{
    static final int EAGER_LIMIT = 256;

    final NodesRig nodes;
    final Messenger[] messengers;
    final RegionMemory[] memories;
    /** What each messenger is to be launched with, beside the defaults of this. */
    private final Settings settings;

    /** Changes what a rank's messenger is launched with. */
    interface Settings
    {
        void apply(int rank, MessengerContext context);
    }

    MessengersRig(final File directory, final double loss, final Settings settings, final Integer... ranksOfNodes)
    {
        this.settings = settings;
        nodes = new NodesRig(directory, List.of(ranksOfNodes)).tuned((context, transport) ->
        {
            transport.bulkTermLength(1 << 20);
            if (loss > 0)
            {
                transport.faults(new NetworkFaults(11).loss(loss).duplicates(loss).reordering(loss));
            }
        });
        messengers = new Messenger[nodes.topology.rankCount()];
        memories = new RegionMemory[messengers.length];
        boolean isWhole = false;
        try
        {
            for (int node = 0; node < ranksOfNodes.length; node++)
            {
                launch(node);
            }
            isWhole = true;
        }
        finally
        {
            if (!isWhole)
            {
                close();
            }
        }
    }

    private void forRanks(final int node, final IntConsumer action)
    {
        Arrays.stream(nodes.topology.map().ranks(node)).forEach(action);
    }

    /** A node with its ranks and their messengers. */
    void launch(final int node)
    {
        nodes.launch(node);
        forRanks(node, (rank) ->
        {
            memories[rank] = RegionMemory.open(nodes.nodes.get(node), nodes.endpoint(rank));
            launchMessenger(rank, memories[rank]);
        });
    }

    void launchMessenger(final int rank, final RegionMemory memory)
    {
        final MessengerContext context = new MessengerContext().endpoint(nodes.endpoint(rank)).rankCount(messengers.length)
            .eagerLimit(EAGER_LIMIT).bulkLength(EAGER_LIMIT + 1).regionMemory(memory);
        settings.apply(rank, context);
        messengers[rank] = Messenger.launch(context);
    }

    /** Closes a node as a program does that ends without a word. */
    void closeNode(final int node)
    {
        forRanks(node, (rank) ->
        {
            messengers[rank] = null;
            memories[rank].close();
        });
        nodes.close(node);
    }

    boolean isOpen(final int at, final int rank)
    {
        return RankState.of(nodes.endpoint(at).rankState(rank)) == RankState.OPEN;
    }

    /** Gives all messengers turns until something is so. */
    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + "\n" + this);
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final Messenger messenger : messengers)
            {
                work += messenger == null ? 0 : messenger.doWork();
            }
            if (work == 0)
            {
                watchdog.idle();
            }
            else
            {
                // what is under way counts as work, whether anything comes or not
                watchdog.check();
                Thread.yield();
            }
        }
    }

    void await(final Request... requests)
    {
        drive("requests " + List.of(requests), () -> Requests.allDone(requests));
    }

    SendRequest send(final int from, final int to, final int tag, final UnsafeBuffer bytes, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].sendSynchronous(send, messengers[from].world(), to, tag, bytes, 0, length);
        return send;
    }

    ReceiveRequest receive(final int at, final int source, final int tag, final UnsafeBuffer room, final int length)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[at].receive(receive, messengers[at].world(), source, tag, room, 0, length);
        return receive;
    }

    static UnsafeBuffer room(final int length, final boolean isDirect)
    {
        return isDirect ? new UnsafeBuffer(ByteBuffer.allocateDirect(length)) : new UnsafeBuffer(new byte[length]);
    }

    /** A buffer with a message. */
    static UnsafeBuffer filled(final int length, final int salt)
    {
        final UnsafeBuffer buffer = room(length, salt % 2 == 0);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, expected(i, salt));
        }
        return buffer;
    }

    private static byte expected(final int index, final int salt)
    {
        return (byte)(salt + index * 7 + (index >> 8));
    }

    static void check(final UnsafeBuffer buffer, final int length, final int salt)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(i) != expected(i, salt))
            {
                throw new AssertionError("byte " + i + " of " + length + ": found=" + buffer.getByte(i) + ", expected=" +
                    expected(i, salt));
            }
        }
    }

    /** Messages that came into staging areas of a rank. */
    long staged(final int rank)
    {
        return messengers[rank].counters().staged();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(memories);
        CloseHelper.close(nodes);
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < messengers.length; rank++)
        {
            text.append(rank).append(": ");
            if (messengers[rank] != null)
            {
                messengers[rank].counters().forEach((name, unit, kind, value) ->
                    text.append(value == 0 ? "" : name + "=" + value + " "));
            }
            text.append('\n');
        }
        for (final AeronTransport transport : nodes.transports)
        {
            text.append(transport == null ? null : transport.counts()).append('\n');
        }
        return text + "events=" + nodes.events + ", errors=" + nodes.errors;
    }
}
