// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.driver.DriverConductorProxy;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Where the answers of receivers arrive, some of which get lost: {@link NetworkFaults}. For the driver's sender thread.
 */
final class FaultySendEndpoint extends SocketTurns.Sending
{
    private final NetworkFaults faults;
    private final SplittableRandom random;

    FaultySendEndpoint(
        final UdpChannel channel, final AtomicCounter status, final MediaDriver.Context context, final SocketTurns turns,
        final NetworkFaults faults)
    {
        super(channel, status, context, turns);
        this.faults = faults;
        random = new SplittableRandom(~faults.seed());
    }

    @Override
    public void onStatusMessage(
        final StatusMessageFlyweight message, final UnsafeBuffer buffer, final int length, final InetSocketAddress source,
        final DriverConductorProxy conductor)
    {
        if (!faults.losesControl(random.nextDouble()))
        {
            super.onStatusMessage(message, buffer, length, source, conductor);
        }
    }

    @Override
    public void onNakMessage(
        final NakFlyweight message, final UnsafeBuffer buffer, final int length, final InetSocketAddress source)
    {
        if (!faults.losesControl(random.nextDouble()))
        {
            super.onNakMessage(message, buffer, length, source);
        }
    }
}
