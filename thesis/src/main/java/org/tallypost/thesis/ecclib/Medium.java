// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.function.IntConsumer;

/**
 * The wires between hosts, in simulated time: one for all, or a port of each host at a switch. Transmissions take turns, without
 * collisions; a switch has room for all that waits.
 */
final class Medium
{
    private final Agenda agenda;
    private final Network network;
    private final int hosts;
    private final double[] sendingFreeNs;
    private final double[] receivingFreeNs;
    private long transmissions;

    Medium(final Agenda agenda, final Network network, final int hosts)
    {
        this.agenda = agenda;
        this.network = network;
        this.hosts = hosts;
        sendingFreeNs = new double[hosts];
        // half duplex is one port for both
        receivingFreeNs = network.kind() == Network.Kind.FULL_DUPLEX ? new double[hosts] : sendingFreeNs;
    }

    private int port(final int host)
    {
        return network.kind() == Network.Kind.BUS ? 0 : host;
    }

    /** When a host can send next. */
    double freeNs(final int from)
    {
        return Math.max(agenda.nowNs(), sendingFreeNs[port(from)]);
    }

    /**
     * Transmits to one host, or to all others: that takes the sender's port once.
     *
     * @param from    sends.
     * @param to      gets it, or -1 for all others.
     * @param wireNs  of the transmission.
     * @param arrives is told each host that has it, when it has it.
     * @return when the sender's port is free again.
     */
    double transmit(final int from, final int to, final double wireNs, final IntConsumer arrives)
    {
        transmissions++;
        final double startNs = freeNs(from);
        final double sentNs = startNs + wireNs;
        sendingFreeNs[port(from)] = sentNs;
        for (int host = 0; host < hosts; host++)
        {
            if (host != from && (to < 0 || to == host))
            {
                final int receiver = host;
                agenda.at(arrivalNs(host, startNs, wireNs), () -> arrives.accept(receiver));
            }
        }
        return sentNs;
    }

    private double arrivalNs(final int host, final double startNs, final double wireNs)
    {
        if (network.kind() == Network.Kind.BUS)
        {
            return startNs + wireNs;
        }
        final double delayNs = Math.min(network.delayNs(), wireNs);
        final double arrivedNs = Math.max(startNs + delayNs, receivingFreeNs[host]) + wireNs;
        receivingFreeNs[host] = arrivedNs;
        return arrivedNs;
    }

    long transmissions()
    {
        return transmissions;
    }
}
