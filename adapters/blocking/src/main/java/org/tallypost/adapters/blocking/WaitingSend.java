// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.RefusedMessage;

/** A message that a thread wants to be sent, and that the endpoint's thread sends. The latter settles it, once. */
final class WaitingSend
{
    /** It was taken back before all of it was out. */
    static final long CANCELLED = Long.MIN_VALUE;

    final int dest;
    private final int tag;
    private final boolean isAfterDirect;
    private final UnsafeBuffer message;
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile boolean isUnwanted;
    /** For the endpoint's thread; null unless the message goes in parts. */
    private LongSend parts;
    private final RefusedMessage refused = new RefusedMessage();
    /** Written before the latch opens. */
    private long result;

    /**
     * A message that waits.
     *
     * @param isAfterDirect whether the thread may have sent messages by itself before. What is unread of them in the ring could
     *                      be overtaken by a lane of the endpoint's thread; a {@link LongSend} goes by the ring, behind it.
     */
    WaitingSend(final int dest, final int tag, final byte[] message, final boolean isAfterDirect)
    {
        this.dest = dest;
        this.tag = tag;
        this.isAfterDirect = isAfterDirect;
        this.message = new UnsafeBuffer(message);
    }

    /** Asks for the message back. It is settled then, soon. */
    void cancel()
    {
        isUnwanted = true;
    }

    boolean await(final long timeoutNs) throws InterruptedException
    {
        return settled.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    long result()
    {
        return result;
    }

    void settle(final long its)
    {
        result = its;
        settled.countDown();
    }

    /**
     * For the endpoint's thread.
     *
     * @return true if the message is settled now.
     */
    boolean progress(final Endpoint endpoint)
    {
        if (isUnwanted)
        {
            abort();
            settle(CANCELLED);
            return true;
        }
        long its;
        if (parts != null)
        {
            its = parts.progress();
        }
        else
        {
            its = isAfterDirect || message.capacity() > Endpoint.MAX_RUN_LENGTH ? Endpoint.TOO_LONG :
                endpoint.offer(dest, tag, message, 0, message.capacity());
            if (its == Endpoint.TOO_LONG ||
                its == Endpoint.NO_CREDIT && refused.isToGoInParts(message.capacity(), System.nanoTime()))
            {
                final LongSend inParts = endpoint.newSend();
                its = inParts.start(dest, tag, message, 0, message.capacity());
                parts = inParts.isActive() ? inParts : null;
            }
        }
        if (its == Endpoint.NO_CREDIT || its == Endpoint.NOT_CONNECTED)
        {
            return false;
        }
        settle(its);
        return true;
    }

    void abort()
    {
        if (parts != null && parts.isActive())
        {
            parts.abort();
        }
    }

    /** Whether it has been asked back. */
    boolean isUnwanted()
    {
        return isUnwanted;
    }
}
