// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * When the application's thread does the network's work, and how the network's thread rests where it has one: the same for our
 * transport and for raw Aeron.
 */
final class NetworkTurns
{
    /** For transports with a thread for the network. */
    static final NetworkTurns NONE = new NetworkTurns(null);
    /** Longest datagram in bytes, unless something else is said. */
    static final int MTU_LENGTH = 8448;

    private static final int SENDS = 512;
    private static final int SPINS = 100;
    private static final int YIELDS = 50;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 100_000;

    private final Runnable duty;
    private int sends;

    /**
     * Turns of a network.
     *
     * @param duty one duty cycle of it; null if a thread does that.
     */
    NetworkTurns(final Runnable duty)
    {
        this.duty = duty;
    }

    static IdleStrategy idleStrategy()
    {
        return new DriverRest(new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS));
    }

    /** Messages were sent: after some of them the network has its turn, as it has whenever there is nothing to do. */
    void onSend(final int count)
    {
        sends += count;
        if (duty != null && sends >= SENDS)
        {
            work();
        }
    }

    /** Gives the network a turn. */
    void work()
    {
        if (duty != null)
        {
            sends = 0;
            duty.run();
        }
    }
}
