// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * What the transport's thread does while there is no work. It turns for a while after work, the longer the more duty cycles had
 * work: what keeps a link up, a few datagrams a second, does not keep the thread busy. Then it parks, at most for a
 * sixty-fourth of the time for which it was quiet, so that a message after a pause is late by a small part of the pause.
 */
final class TransportIdle implements IdleStrategy
{
    static final int MAX_TURNS = 150;
    static final int TURNS_FOR_WORK = 16;
    static final long FIRST_PARK_NS = 1_000;
    static final long SHORT_PARK_NS = 100_000;
    static final long LONGEST_PARK_NS = 1_000_000;
    static final int QUIET_SHARE = 64;

    private static final int YIELDS = 50;

    private int turns = MAX_TURNS;
    private long parkNs;
    private long quietSinceNs;

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            worked();
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (turns == 0)
        {
            LockSupport.parkNanos(this, nextParkNs(System.nanoTime()));
        }
        else if (turns-- > YIELDS)
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }

    /** There was work in a duty cycle. */
    void worked()
    {
        turns = Math.min(turns + TURNS_FOR_WORK, MAX_TURNS);
        parkNs = 0;
    }

    /** Turns that are left before it parks. */
    int turns()
    {
        return turns;
    }

    /** How long the next park is. */
    long nextParkNs(final long nowNs)
    {
        if (parkNs == 0)
        {
            quietSinceNs = nowNs;
            parkNs = FIRST_PARK_NS;
        }
        else
        {
            final long share = (nowNs - quietSinceNs) / QUIET_SHARE;
            parkNs = Math.min(2 * parkNs, Math.max(SHORT_PARK_NS, Math.min(share, LONGEST_PARK_NS)));
        }
        return parkNs;
    }

    @Override
    public void reset()
    {
        turns = MAX_TURNS;
        parkNs = 0;
    }

    @Override
    public String alias()
    {
        return "tallypost-transport";
    }

    @Override
    public String toString()
    {
        return "TransportIdle{turns=" + turns + ", parkNs=" + parkNs + "}";
    }
}
