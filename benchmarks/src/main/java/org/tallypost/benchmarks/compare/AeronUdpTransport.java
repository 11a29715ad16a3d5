// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.tallypost.transportaeron.AeronTransport.socketReceiveBufferLength;

import java.io.File;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * Aeron over UDP, with a media driver in each process that is set up as ours is and has its turns as ours has.
 */
final class AeronUdpTransport implements Transport
{
    private static final int MIN_TERM_LENGTH = 256 * 1024;
    private static final int MAX_TERM_LENGTH = 1 << 30;
    private static final int STREAM = 1001;
    /** Clients and drivers are silent between turns, and that means nothing. */
    private static final long LIVENESS_NS = TimeUnit.HOURS.toNanos(1);

    private final LinkSpec spec;
    private final LoopbackPorts ports;
    private final int termLength;
    private final MediaDriver driver;
    private final Aeron aeron;
    private final NetworkTurns turns;

    AeronUdpTransport(final LinkSpec spec, final File directory, final LoopbackPorts ports, final int party)
    {
        this.spec = spec;
        this.ports = ports;
        // what is not received yet may fill one half of a term
        termLength = spec.mode().isBulk() ? NodesTransport.BULK_TERM_LENGTH :
            (int)Math.min(MAX_TERM_LENGTH, Math.max(MIN_TERM_LENGTH, spec.slots() * 64L * 2));
        final boolean isInvoked = spec.isDriverInvoked(Runtime.getRuntime().availableProcessors());
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "aeron-" + party).getPath())
            .threadingMode(isInvoked ? ThreadingMode.INVOKER : ThreadingMode.SHARED)
            .sharedIdleStrategy(NetworkTurns.idleStrategy())
            .mtuLength(spec.mtuLength())
            .socketRcvbufLength(socketReceiveBufferLength())
            .asyncExecutorEnabled(false)
            .clientLivenessTimeoutNs(LIVENESS_NS)
            .publicationUnblockTimeoutNs(2 * LIVENESS_NS)
            .imageLivenessTimeoutNs(LIVENESS_NS)
            .publicationConnectionTimeoutNs(LIVENESS_NS)
            .termBufferSparseFile(true)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NS))
            .useConductorAgentInvoker(isInvoked)
            .driverAgentInvoker(isInvoked ? driver.sharedAgentInvoker() : null));
        turns = !isInvoked ? NetworkTurns.NONE : new NetworkTurns(() ->
        {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        });
    }

    private String channel(final int party)
    {
        return "aeron:udp?endpoint=" + ports.transport(party).getHostString() + ":" + ports.transport(party).getPort();
    }

    @Override
    public Link open(final int party)
    {
        final boolean isRtt = spec.mode() == Mode.RTT;
        final String destination = channel(1 - party) + "|mtu=" + spec.mtuLength() + "|term-length=" + termLength;
        final Subscription subscription = isRtt || party == 0 ? aeron.addSubscription(channel(party), STREAM) : null;
        final Publication publication = !isRtt && party == 0 ? null :
            spec.exclusive() ? aeron.addExclusivePublication(destination, STREAM) : aeron.addPublication(destination, STREAM);
        return spec.mode().isBulk() ? AeronLink.longUdp(publication, subscription, turns, spec.length()) :
            AeronLink.udp(publication, subscription, turns, spec.transport());
    }

    @Override
    public long bufferBytes()
    {
        return termLength;
    }

    @Override
    public void close()
    {
        aeron.close();
        driver.close();
    }
}
