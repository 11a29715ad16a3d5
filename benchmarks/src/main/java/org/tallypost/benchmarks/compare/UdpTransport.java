// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.CloseHelper;

/**
 * UDP sockets as they are, between nodes the raw limit.
 */
final class UdpTransport implements Transport
{
    private final LinkSpec spec;
    private final LoopbackPorts ports;
    private UdpLink link;

    UdpTransport(final LinkSpec spec, final LoopbackPorts ports)
    {
        this.spec = spec;
        this.ports = ports;
    }

    @Override
    public Link open(final int party)
    {
        link = new UdpLink(
            ports.transport(party), ports.transport(1 - party), Transport.messageLength(spec), spec.mtuLength(),
            spec.mode() == Mode.RATE);
        return link;
    }

    @Override
    public long bufferBytes()
    {
        return 0;
    }

    @Override
    public void close()
    {
        CloseHelper.close(link);
    }
}
