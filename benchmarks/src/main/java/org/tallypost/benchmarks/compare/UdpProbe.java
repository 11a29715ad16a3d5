// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the machine's network can do just now: round trips of a message in a datagram, or a stream of messages packed into
 * datagrams. One party's side of it.
 */
final class UdpProbe implements Inlet, AutoCloseable
{
    private static final int BATCH = 64;

    private final ForkSpec spec;
    private final Control control;
    private final UdpLink link;
    private final Patience patience;
    private final UnsafeBuffer message;
    private final long durationNs;
    private long sent;
    private long received;
    private boolean answers;

    UdpProbe(
        final ForkSpec spec, final Control control, final LoopbackPorts ports, final int party, final Patience patience,
        final long durationNs)
    {
        this.spec = spec;
        this.control = control;
        this.patience = patience;
        this.durationNs = durationNs;
        message = new UnsafeBuffer(new byte[spec.length()]);
        link = new UdpLink(
            ports.probe(party), ports.probe(1 - party), spec.length(), spec.mtuLength(), spec.mode() == Mode.RATE);
    }

    /** Nanoseconds of a round trip, or messages per second, for the first party. */
    double take(final int party, final long step)
    {
        if (party > 1)
        {
            return 0;
        }
        if (spec.mode() == Mode.RATE)
        {
            return party == 0 ? receive(step) : stream(step);
        }
        return party == 0 ? ping(step) : pong(step);
    }

    private double ping(final long step)
    {
        roundTrips();
        final long before = received;
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < durationNs)
        {
            roundTrips();
            elapsedNs = System.nanoTime() - startNs;
        }
        control.stop(step);
        return (double)elapsedNs / (received - before);
    }

    private void roundTrips()
    {
        for (int i = 0; i < BATCH; i++)
        {
            send();
            final long next = received + 1;
            while (received < next)
            {
                poll("the answer of the raw probe");
            }
        }
    }

    private double pong(final long step)
    {
        answers = true;
        while (!control.isStopped(step))
        {
            polls();
        }
        return 0;
    }

    private double receive(final long step)
    {
        final long before = received;
        while (received == before)
        {
            polls();
        }
        final long startCount = received;
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < durationNs || received == startCount)
        {
            polls();
            elapsedNs = System.nanoTime() - startNs;
        }
        final long count = received - startCount;
        control.stop(step);
        while (!control.hasSent(1, step) || received < control.sent(1))
        {
            polls();
        }
        return count * 1e9 / elapsedNs;
    }

    private double stream(final long step)
    {
        while (!control.isStopped(step))
        {
            for (int i = 0; i < BATCH; i++)
            {
                send();
            }
        }
        while (!link.flush())
        {
            patience.idle("room for the last of the raw probe");
        }
        control.sent(1, step, sent);
        return 0;
    }

    private void send()
    {
        message.putLong(0, ++sent);
        while (!link.send(message, 0, message.capacity()))
        {
            patience.idle("room for the raw probe");
        }
    }

    private void polls()
    {
        for (int i = 0; i < BATCH; i++)
        {
            poll("the raw probe");
        }
    }

    private void poll(final String awaited)
    {
        if (link.poll(this, BATCH) == 0)
        {
            patience.idle(awaited);
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        received++;
        while (answers && !link.send(buffer, offset, length))
        {
            patience.idle("room for an answer of the raw probe");
        }
    }

    @Override
    public void close()
    {
        link.close();
    }
}
