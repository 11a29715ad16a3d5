// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import java.util.concurrent.locks.LockSupport;
import org.tallypost.endpoint.CoreYield;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.internal.receive.Inbox;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.endpoint.internal.wake.Sleeper;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Spins, yields, then parks until another thread wakes it.
 *
 * <pre>
 *   SPINNING ---- YIELDING ---- armed, caller looks at everything once more ---- parks
 *       ^             (time)            ^                                          |
 *       |                               +-- RESTED: awake, the caller looks again -+
 *       +--- work, or no other thread wants the core any more
 * </pre>
 *
 * The look after arming is the caller's own: whatever it waits for, messages, credits, the end of a pair's Send, it asks for
 * once more between the call that arms and the call that parks. What comes after that look finds the arming and wakes.
 */
final class EndpointIdle implements DeadlineIdleStrategy
{
    /** The first park when something is waited for that wakes no thread. */
    static final long FIRST_BLIND_PARK_NS = 1_000_000;

    private static final String ALIAS = "tallypost";
    private static final long CROWD_LOOK_NS = 10_000_000;
    private static final long FIRST_HOLE_PARK_NS = 50_000;
    private static final long LONGEST_HOLE_PARK_NS = 1_000_000;
    private static final int MAX_DOUBLINGS = 32;
    /** Spins of a thread that shares its core with the one that it may wait for. */
    private static final int SHARING_SPINS = 2;

    /** Spins where more threads poll than there are processors, and none of them wants this core. */
    private static final int CROWD_SPINS = 20;

    private static final int SPINNING = 0;
    private static final int YIELDING = 1;
    private static final int ARMED = 2;
    private static final int RESTED = 3;

    private final LocalNode node;
    private final Wakeups wakeups;
    private final LocalEndpoint[] endpoints;
    private final IdleSettings settings;
    private final Sleeper sleeper;
    private final long maxParkNs;
    private final CoreYield core = new CoreYield();
    private int phase;
    private int spins;
    private int maxSpins;
    private long yieldStartNs;
    private long crowdLookNs;
    private int parks;
    private boolean canBeRung;
    private boolean isBlind;
    private SendingThread sender;

    /**
     * A strategy of a thread that has done nothing yet.
     *
     * @param node      of the endpoints.
     * @param maxParkNs longest park of an {@link #idle()} that is given no deadline.
     * @param endpoints that wake the thread.
     */
    EndpointIdle(final LocalNode node, final long maxParkNs, final LocalEndpoint... endpoints)
    {
        this.node = node;
        this.maxParkNs = maxParkNs;
        this.endpoints = endpoints;
        wakeups = node.wakeups();
        settings = node.runtime().context().idle();
        sleeper = new Sleeper(wakeups.doorbell());
        lookAtTheCrowd(System.nanoTime());
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        pass(NO_DEADLINE, maxParkNs);
    }

    @Override
    public void idle(final int workCount, final long deadlineNs)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            pass(deadlineNs, settings.longestParkNs());
        }
    }

    @Override
    public void wakeup()
    {
        sleeper.wake();
    }

    private void pass(final long deadlineNs, final long longestNs)
    {
        switch (phase)
        {
            case SPINNING:
                // no hint to the processor: the poll has its own, as long as they are of use
                if (++spins > (core.isSharing() ? Math.min(SHARING_SPINS, maxSpins) : maxSpins))
                {
                    beginToYield();
                }
                break;
            case YIELDING:
                if (System.nanoTime() - yieldStartNs >= settings.maxYieldNs())
                {
                    arm();
                }
                else if (leftNs(deadlineNs, longestNs) > 0)
                {
                    core.yield();
                }
                break;
            case ARMED:
                // a deadline that has passed is the caller's to see to: it stays armed meanwhile
                final long leftNs = leftNs(deadlineNs, longestNs);
                if (leftNs > 0)
                {
                    park(leftNs);
                }
                break;
            default:
                arm();
                break;
        }
    }

    private static long leftNs(final long deadlineNs, final long longestNs)
    {
        return deadlineNs == NO_DEADLINE ? longestNs : Math.min(longestNs, deadlineNs - System.nanoTime());
    }

    @Override
    public void reset()
    {
        spins = 0;
        if (phase != SPINNING)
        {
            if (phase == ARMED)
            {
                disarm();
            }
            phase = SPINNING;
            parks = 0;
        }
    }

    private void beginToYield()
    {
        yieldStartNs = System.nanoTime();
        if (yieldStartNs - crowdLookNs > CROWD_LOOK_NS)
        {
            lookAtTheCrowd(yieldStartNs);
        }
        final boolean wasSharing = core.isSharing();
        core.yield();
        if (wasSharing && !core.isSharing())
        {
            spins = 0;
        }
        else
        {
            phase = YIELDING;
        }
    }

    private void lookAtTheCrowd(final long nowNs)
    {
        crowdLookNs = nowNs;
        maxSpins = node.endpoints().isCrowded() ? Math.min(CROWD_SPINS, settings.maxSpins()) : settings.maxSpins();
    }

    private void arm()
    {
        phase = ARMED;
        sleeper.begin();
        canBeRung = wakeups.doorbell().open();
        isBlind = !canBeRung;
        awaitCredits();
        for (final LocalEndpoint endpoint : endpoints)
        {
            isBlind |= !endpoint.alarm().arm(
                sleeper, canBeRung ? MailboxDescriptor.ARMED : MailboxDescriptor.ARMED_WITHIN_PROCESS);
        }
    }

    /** Tells the receivers that refused this thread for want of credits. */
    private void awaitCredits()
    {
        sender = node.sendingThreads().current(sender);
        if (sender != null && sender.beginToWait())
        {
            int told = 0;
            for (final LocalEndpoint endpoint : endpoints)
            {
                told += sender.awaitCredits(endpoint.outbox().peers());
                told += endpoint.highOutbox() == null ? 0 : sender.awaitCredits(endpoint.highOutbox().peers());
            }
            // refused for an endpoint that this strategy does not know, or another thread was refused there too
            isBlind |= told == 0;
        }
    }

    private void disarm()
    {
        for (final LocalEndpoint endpoint : endpoints)
        {
            endpoint.alarm().disarm(sleeper);
        }
    }

    private void withdraw()
    {
        for (final LocalEndpoint endpoint : endpoints)
        {
            endpoint.alarm().withdraw(sleeper);
        }
    }

    private void sleepOverHole(final long timeoutNs)
    {
        // a thread that wakes this one by name has set the flag before it unparks
        if (!sleeper.isWoken())
        {
            LockSupport.parkNanos(this, timeoutNs);
        }
    }

    private void park(final long longestNs)
    {
        if (sleeper.isWoken() || sender != null && sender.isRefusedAnew() && !isBlind)
        {
            arm();
            return;
        }
        boolean isHole = false;
        boolean blind = isBlind || sender != null && sender.waitsForNews();
        for (final LocalEndpoint endpoint : endpoints)
        {
            final Inbox inbox = endpoint.inbox();
            if (inbox.polling().isCurrent())
            {
                if (inbox.isReady())
                {
                    return;
                }
                isHole |= inbox.isBehind();
                blind |= !inbox.mayParkUnbounded();
            }
        }
        if (isHole)
        {
            // a sender claims, or died while it did: neither wakes a thread, and what is behind it cannot be delivered yet
            withdraw();
            sleepOverHole(Math.min(longestNs, doubled(FIRST_HOLE_PARK_NS, LONGEST_HOLE_PARK_NS)));
        }
        else
        {
            wakeups.doorbell().park(sleeper, canBeRung,
                blind ? Math.min(longestNs, doubled(FIRST_BLIND_PARK_NS, settings.longestBlindParkNs())) : longestNs);
        }
        disarm();
        phase = RESTED;
        parks++;
        for (final LocalEndpoint endpoint : endpoints)
        {
            if (endpoint.inbox().polling().isCurrent())
            {
                endpoint.inbox().checkAtNextPoll();
            }
        }
    }

    private long doubled(final long first, final long longest)
    {
        final long doubled = first << Math.min(parks, MAX_DOUBLINGS);
        return Math.min(doubled, longest);
    }

    @Override
    public String alias()
    {
        return ALIAS;
    }

    @Override
    public String toString()
    {
        return "EndpointIdle{phase=" + phase + ", parks=" + parks + "}";
    }
}
