// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Looks at sockets of an embedded driver only when something may be there. A driver looks at all of them in every duty cycle, and
 * a look at an empty socket is a system call all the same: of a node that mostly sends at those where messages arrive, of one
 * that mostly receives at those where receivers answer.
 *
 * <p>A socket in which nothing was found is passed over while the other direction is at work, at most {@value #MAX_PASSED} times
 * in a row: so in a cycle in which nothing was sent and nothing came, and as long as something is found, each is looked at. Where
 * the driver has several duty cycles in one of ours, those after the first do not count, and pass over any empty socket. Where
 * there were no answers of receivers a moment ago nobody looks for any for {@value #REST_NS} ns, so that a thread that waits for
 * a message looks for that alone: a window that opens, or a datagram that is asked for again, waits so much longer.
 * For the one thread on which the driver runs.
 */
final class SocketTurns
{
    /** As often as Aeron itself passes over its receivers' answers while it sends. */
    static final int MAX_PASSED = 3;
    /** Some duty cycles of a thread that has nothing to do; half of a round trip over the loopback interface. */
    static final long REST_NS = 4_000;

    private long sent;
    private long received;
    private boolean isAgain;
    private SetupCheck setups;
    private final ShortDatagrams shortDatagrams = new ShortDatagrams();
    /** Null if every stream is let in. */
    private final StreamGuard guard;

    /** Turns without a guard, for tests. */
    SocketTurns()
    {
        this(null);
    }

    /**
     * Turns of the sockets of a driver.
     *
     * @param guard of the streams that come; null if there is none.
     */
    SocketTurns(final StreamGuard guard)
    {
        this.guard = guard;
    }

    /** Gives a driver that is not launched yet endpoints that take turns; faulty ones if there are faults. */
    void install(final MediaDriver.Context context, final NetworkFaults faults)
    {
        context
            .sendChannelEndpointSupplier((channel, status, driver) -> faults == null ?
                new Sending(channel, status, driver, this) : new FaultySendEndpoint(channel, status, driver, this, faults))
            .receiveChannelEndpointSupplier((channel, dispatcher, status, driver) -> faults == null ?
                new Receiving(channel, dispatcher, status, driver, this) :
                new FaultyReceiveEndpoint(channel, dispatcher, status, driver, this, faults));
    }

    /** What begins a stream is looked at; before the driver is launched. */
    void check(final SetupCheck check)
    {
        setups = check;
    }

    /** Datagrams that ended within their header; any thread. */
    long shortCount()
    {
        return shortDatagrams.count();
    }

    /** Datagrams that left, of any kind. */
    long sentCount()
    {
        return sent;
    }

    /** Whether the driver's next duty cycles are more of them within one of ours. */
    void again(final boolean is)
    {
        isAgain = is;
    }

    /** One socket's turns. */
    static final class Turn
    {
        private final long restNs;
        private int passed = MAX_PASSED;
        private long seen;
        private boolean isEmpty;
        private long lookedNs;

        /**
         * A socket's turns.
         *
         * @param restNs for which an empty one is passed over.
         */
        Turn(final long restNs)
        {
            this.restNs = restNs;
        }

        /**
         * Whether the socket is passed over in this cycle.
         *
         * @param work    counts what the other direction does.
         * @param isAgain whether a cycle of the driver is one more within one of ours: it only sends, unless something comes.
         * @param nowNs   by the driver's clock, if an empty one is passed over for a time.
         */
        boolean isPassed(final long work, final boolean isAgain, final long nowNs)
        {
            if (isAgain && isEmpty)
            {
                return true;
            }
            final boolean isPassed = work != seen && passed < MAX_PASSED;
            seen = work;
            passed++;
            return isPassed || isEmpty && nowNs - lookedNs < restNs;
        }

        void onLook(final boolean hasFound, final long nowNs)
        {
            lookedNs = nowNs;
            passed = hasFound ? MAX_PASSED : 0;
            isEmpty = !hasFound;
        }
    }

    /** Where data leaves, and receivers' answers arrive. */
    static class Sending extends SendChannelEndpoint
    {
        private final SocketTurns turns;
        private final NanoClock clock;
        private final Turn turn = new Turn(REST_NS);

        Sending(
            final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context, final SocketTurns turns)
        {
            super(channel, status, context);
            this.turns = turns;
            clock = context.nanoClock();
        }

        @Override
        public final int send(final ByteBuffer buffer)
        {
            turns.sent++;
            return super.send(buffer);
        }

        @Override
        public final InetSocketAddress receive(final ByteBuffer buffer)
        {
            final long nowNs = clock.nanoTime();
            if (turn.isPassed(turns.received, false, nowNs))
            {
                return null;
            }
            final InetSocketAddress source = super.receive(buffer);
            turn.onLook(source != null, nowNs);
            return source == null || turns.shortDatagrams.isShort(buffer) ? null : source;
        }
    }

    /** Where data arrives. */
    static class Receiving extends ReceiveChannelEndpoint
    {
        private final SocketTurns turns;
        private final NanoClock clock;
        private final Turn turn = new Turn(0);

        Receiving(
            final UdpChannel channel, final DataPacketDispatcher dispatcher, final AtomicCounter status,
            final MediaDriver.Context context, final SocketTurns turns)
        {
            super(channel, dispatcher, status, context);
            this.turns = turns;
            clock = context.nanoClock();
        }

        private boolean admits(final int stream, final int session)
        {
            return turns.guard == null || turns.guard.admits(stream, session, clock.nanoTime());
        }

        @Override
        public int onDataPacket(
            final DataHeaderFlyweight header, final UnsafeBuffer buffer, final int length, final InetSocketAddress source,
            final int transport)
        {
            return admits(header.streamId(), header.sessionId()) ?
                super.onDataPacket(header, buffer, length, source, transport) : 0;
        }

        @Override
        public void onSetupMessage(
            final SetupFlyweight header, final UnsafeBuffer buffer, final int length, final InetSocketAddress source,
            final int transport)
        {
            if (admits(header.streamId(), header.sessionId()) &&
                (turns.setups == null || turns.setups.isTaken(header.streamId(), header.termLength())))
            {
                super.onSetupMessage(header, buffer, length, source, transport);
            }
        }

        @Override
        public final InetSocketAddress receive(final ByteBuffer buffer)
        {
            if (turn.isPassed(turns.sent, turns.isAgain, 0))
            {
                return null;
            }
            final InetSocketAddress source = super.receive(buffer);
            turn.onLook(source != null, 0);
            if (source != null)
            {
                turns.received++;
            }
            return source == null || turns.shortDatagrams.isShort(buffer) ? null : source;
        }
    }
}
