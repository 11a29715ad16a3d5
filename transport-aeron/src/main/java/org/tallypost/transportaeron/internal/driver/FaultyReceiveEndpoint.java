// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Where a media driver's datagrams of data arrive, and those that begin a stream, with {@link NetworkFaults}. For the driver's
 * receiver thread.
 */
final class FaultyReceiveEndpoint extends SocketTurns.Receiving
{
    private static final int MAX_HELD = 64;
    private static final int MAX_OVERTAKERS = 4;

    private final NetworkFaults faults;
    private final SplittableRandom random;
    private final ArrayList<Held> held = new ArrayList<>();
    private boolean isReleasing;

    /** A datagram that comes later. */
    private static final class Held
    {
        final DataHeaderFlyweight header = new DataHeaderFlyweight();
        final UnsafeBuffer buffer;
        final int length;
        final InetSocketAddress source;
        final int transport;
        final long dueNs;
        int overtakers;

        Held(
            final UnsafeBuffer from, final int length, final InetSocketAddress source, final int transport,
            final int overtakers, final long dueNs)
        {
            final byte[] bytes = new byte[length];
            from.getBytes(0, bytes);
            buffer = new UnsafeBuffer(bytes);
            header.wrap(bytes);
            this.length = length;
            this.source = source;
            this.transport = transport;
            this.overtakers = overtakers;
            this.dueNs = dueNs;
        }

        /** Called once for each datagram that goes before it. */
        boolean isDue(final long nowNs)
        {
            return overtakers >= 0 ? overtakers-- == 0 : nowNs - dueNs >= 0;
        }
    }

    FaultyReceiveEndpoint(
        final UdpChannel channel, final DataPacketDispatcher dispatcher, final AtomicCounter status,
        final MediaDriver.Context context, final SocketTurns turns, final NetworkFaults faults)
    {
        super(channel, dispatcher, status, context, turns);
        this.faults = faults;
        random = new SplittableRandom(faults.seed());
    }

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header, final UnsafeBuffer buffer, final int length, final InetSocketAddress source,
        final int transport)
    {
        final NetworkFaults.Fate fate = held.size() < MAX_HELD ? faults.fate(random.nextDouble()) : NetworkFaults.Fate.PASS;
        faults.count(fate);
        int received = 0;
        switch (fate)
        {
            case LOSE:
                break;
            case REORDER:
                held.add(new Held(buffer, length, source, transport, random.nextInt(MAX_OVERTAKERS), 0));
                break;
            case DELAY:
                held.add(new Held(buffer, length, source, transport, -1, System.nanoTime() + faults.delayNs()));
                break;
            case DUPLICATE:
                received = super.onDataPacket(header, buffer, length, source, transport) +
                    super.onDataPacket(header, buffer, length, source, transport);
                break;
            default:
                received = super.onDataPacket(header, buffer, length, source, transport);
                break;
        }
        return fate == NetworkFaults.Fate.REORDER ? received : received + release();
    }

    @Override
    public void onSetupMessage(
        final SetupFlyweight header, final UnsafeBuffer buffer, final int length, final InetSocketAddress source,
        final int transport)
    {
        // one that is late or comes twice is nothing new to a driver: it asks for another one until it has a stream
        if (faults.fate(random.nextDouble()) == NetworkFaults.Fate.LOSE)
        {
            faults.count(NetworkFaults.Fate.LOSE);
        }
        else
        {
            super.onSetupMessage(header, buffer, length, source, transport);
        }
    }

    private int release()
    {
        if (held.isEmpty() || isReleasing)
        {
            return 0;
        }
        isReleasing = true;
        int received = 0;
        final long nowNs = System.nanoTime();
        for (int i = 0; i < held.size(); i++)
        {
            final Held late = held.get(i);
            if (late.isDue(nowNs))
            {
                held.remove(i--);
                received += super.onDataPacket(late.header, late.buffer, late.length, late.source, late.transport);
            }
        }
        isReleasing = false;
        return received;
    }
}
