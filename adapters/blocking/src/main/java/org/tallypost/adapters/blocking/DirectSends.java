// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Messages that a thread of the program sends by the endpoint itself. One that finds no room tries again for a while: it spins,
 * yields, then parks for short times. Then the endpoint's thread has it, which is woken by credits. Any thread.
 */
final class DirectSends
{
    /** The endpoint's thread has to send it. */
    static final long NOT_DIRECT = Long.MIN_VALUE + 1;

    /** Some 50 microseconds: a receiver that keeps up gives credits for a quarter of a lane at a time. */
    private static final int SPINS = 1000;
    private static final int YIELDS = 100;
    /** Each is twice as long as the one before. */
    private static final int PARKS = 6;
    private static final long FIRST_PARK_NS = 50_000;

    private final Endpoint endpoint;
    private final AtomicLong refusals;
    private final DirectThreads threads = new DirectThreads();

    DirectSends(final Endpoint endpoint, final AtomicLong refusals)
    {
        this.endpoint = endpoint;
        this.refusals = refusals;
    }

    /** Whether the calling thread sends by itself what it can. */
    boolean isCurrent()
    {
        return threads.isCurrent();
    }

    /**
     * Sends a message, and waits for room for a while.
     *
     * @param isOver whether nothing is sent any more.
     * @return as an offer, {@link WaitingSend#CANCELLED} if the time is over, or {@link #NOT_DIRECT}.
     */
    long send(
        final int dest, final int tag, final byte[] message, final Deadline deadline, final BooleanSupplier isOver)
        throws InterruptedException
    {
        if (Thread.interrupted())
        {
            throw new InterruptedException();
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final long result = offer(dest, tag, buffer);
        return result != Endpoint.NO_CREDIT ? result : await(dest, tag, buffer, deadline, isOver);
    }

    private long await(
        final int dest, final int tag, final UnsafeBuffer buffer, final Deadline deadline, final BooleanSupplier isOver)
        throws InterruptedException
    {
        refusals.incrementAndGet();
        for (int waits = 0; waits < SPINS + YIELDS + PARKS; waits++)
        {
            final long leftNs = deadline.leftNs();
            if (leftNs <= 0)
            {
                return WaitingSend.CANCELLED;
            }
            await(waits, leftNs);
            if (Thread.interrupted())
            {
                throw new InterruptedException();
            }
            final long result = isOver.getAsBoolean() ? Endpoint.CLOSED : offer(dest, tag, buffer);
            if (result != Endpoint.NO_CREDIT)
            {
                return result;
            }
        }
        return NOT_DIRECT;
    }

    private long offer(final int dest, final int tag, final UnsafeBuffer buffer)
    {
        try
        {
            final long result = endpoint.offer(dest, tag, buffer, 0, buffer.capacity());
            return result == Endpoint.NOT_CONNECTED || result == Endpoint.TOO_LONG ? NOT_DIRECT : result;
        }
        catch (final MailboxException ex)
        {
            // as many threads send as the node may have, or a file is damaged, which the endpoint's thread finds as well
            threads.leave();
            return NOT_DIRECT;
        }
    }

    private void await(final int waits, final long leftNs)
    {
        if (waits < SPINS)
        {
            Thread.onSpinWait();
        }
        else if (waits < SPINS + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(this, Math.min(leftNs, FIRST_PARK_NS << (waits - SPINS - YIELDS)));
        }
    }
}
