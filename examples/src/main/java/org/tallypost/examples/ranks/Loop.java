// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.endpoint.Endpoint;

/** Does the work of a rank until something has come that another process does, and gives up after a limit. */
final class Loop
{
    private static final String LIMIT_PROPERTY = "tallypost.examples.waitSeconds";
    private static final int LIMIT_S = 300;

    private final IntSupplier work;
    private final IdleStrategy idle;
    private final int limitS = Integer.getInteger(LIMIT_PROPERTY, LIMIT_S);

    /**
     * A loop for the thread that polls an endpoint.
     *
     * @param endpoint of the rank.
     * @param work     polls it, and returns how much was done, or a result below 0.
     */
    Loop(final Endpoint endpoint, final IntSupplier work)
    {
        this.work = work;
        idle = endpoint.newIdleStrategy();
    }

    /**
     * Works until a condition holds.
     *
     * @param what      is waited for.
     * @param condition that is looked at between two pieces of work.
     * @throws IllegalStateException if the endpoint is closed, or the limit has passed.
     */
    void until(final String what, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            final int count = work.getAsInt();
            if (count < 0)
            {
                throw new IllegalStateException(Endpoint.errorString(count));
            }
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(limitS))
            {
                throw new IllegalStateException(
                    "waited " + limitS + " s for " + what + "; -D" + LIMIT_PROPERTY + " sets the limit");
            }
            idle.idle(count);
        }
    }

    /**
     * What the result of a call that sends means to a loop.
     *
     * @param result of the call.
     * @return true if it was sent, false if it has to be tried again: the receiver is not open yet, or it is behind.
     * @throws IllegalStateException if it will not be sent.
     */
    static boolean isSent(final long result)
    {
        if (result < 0 && result != Endpoint.NOT_CONNECTED && result != Endpoint.NO_CREDIT)
        {
            throw new IllegalStateException(Endpoint.errorString(result));
        }
        return result >= 0;
    }
}
