// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Looks at sockets of an embedded driver only when something may be there. A driver looks at all of them in every duty cycle, and
 * a look at an empty socket is a system call all the same: of a node that mostly sends at those where messages arrive, of one
 * that mostly receives at those where receivers answer.
 *
 * <p>A socket in which nothing was found is passed over while the other direction is at work, at most {@value #MAX_PASSED} times
 * in a row: so in a cycle in which nothing was sent and nothing came, and as long as something is found, each is looked at.
 * For the one thread on which the driver runs.
 */
final class SocketTurns
{
    /** As often as Aeron itself passes over its receivers' answers while it sends. */
    static final int MAX_PASSED = 3;

    private long sent;
    private long received;

    /** Gives a driver that is not launched yet endpoints that take turns; faulty ones if there are faults. */
    static void install(final MediaDriver.Context context, final NetworkFaults faults)
    {
        final SocketTurns turns = new SocketTurns();
        context
            .sendChannelEndpointSupplier((channel, status, driver) -> faults == null ?
                new Sending(channel, status, driver, turns) : new FaultySendEndpoint(channel, status, driver, turns, faults))
            .receiveChannelEndpointSupplier((channel, dispatcher, status, driver) -> faults == null ?
                new Receiving(channel, dispatcher, status, driver, turns) :
                new FaultyReceiveEndpoint(channel, dispatcher, status, driver, turns, faults));
    }

    /** One socket's turns, while the other direction is at work. */
    static final class Turn
    {
        private int passed = MAX_PASSED;
        private long seen;

        /** Whether the socket is passed over in this cycle. */
        boolean isPassed(final long work)
        {
            final boolean isPassed = work != seen && passed < MAX_PASSED;
            seen = work;
            passed++;
            return isPassed;
        }

        void onLook(final boolean hasFound)
        {
            passed = hasFound ? MAX_PASSED : 0;
        }
    }

    /** Where data leaves, and receivers' answers arrive. */
    static class Sending extends SendChannelEndpoint
    {
        private final SocketTurns turns;
        private final Turn turn = new Turn();

        Sending(
            final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context, final SocketTurns turns)
        {
            super(channel, status, context);
            this.turns = turns;
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
            if (turn.isPassed(turns.received))
            {
                return null;
            }
            final InetSocketAddress source = super.receive(buffer);
            turn.onLook(source != null);
            return source;
        }
    }

    /** Where data arrives. */
    static class Receiving extends ReceiveChannelEndpoint
    {
        private final SocketTurns turns;
        private final Turn turn = new Turn();

        Receiving(
            final UdpChannel channel, final DataPacketDispatcher dispatcher, final AtomicCounter status,
            final MediaDriver.Context context, final SocketTurns turns)
        {
            super(channel, dispatcher, status, context);
            this.turns = turns;
        }

        @Override
        public final InetSocketAddress receive(final ByteBuffer buffer)
        {
            if (turn.isPassed(turns.sent))
            {
                return null;
            }
            final InetSocketAddress source = super.receive(buffer);
            turn.onLook(source != null);
            if (source != null)
            {
                turns.received++;
            }
            return source;
        }
    }
}
