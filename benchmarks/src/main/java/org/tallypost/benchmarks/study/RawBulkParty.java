// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The raw copy: the sender copies a message into memory that both threads know, and says so in a word. The receiver copies
 * nothing.
 *
 * <pre>
 *      0   8   messages that are there       written by the sender
 *    128   8   messages that were answered   written by the receiver
 *   4096       the message
 * </pre>
 */
final class RawBulkParty extends BulkParty
{
    /** Bytes beside the message. */
    static final int MESSAGE_OFFSET = 4096;

    private static final int ANSWERED_OFFSET = 128;
    private static final int LOOKS = 1_000;

    private final UnsafeBuffer shared;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer message;
    private final BooleanSupplier hasOtherFailed;

    RawBulkParty(final UnsafeBuffer shared, final UnsafeBuffer message, final BooleanSupplier hasOtherFailed)
    {
        this.shared = shared;
        this.message = message;
        this.hasOtherFailed = hasOtherFailed;
    }

    @Override
    void sendAndWait(final int length)
    {
        stamp(message, length);
        shared.putBytes(MESSAGE_OFFSET, message, 0, length);
        // SYNC POINT bulk-raw-there
        shared.putLongRelease(0, number());
        await(ANSWERED_OFFSET, "an answer");
    }

    @Override
    void awaitAndAnswer(final int length)
    {
        // SYNC POINT bulk-raw-there
        await(0, "a message");
        view.wrap(shared, MESSAGE_OFFSET, length);
        check(view, length);
        shared.putLongRelease(ANSWERED_OFFSET, number());
    }

    private void await(final int offset, final String what)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        for (int looks = 1; shared.getLongAcquire(offset) != number(); looks++)
        {
            if (looks % LOOKS == 0)
            {
                // the other thread may need this processor
                Thread.yield();
                if (hasOtherFailed.getAsBoolean() || System.nanoTime() - deadlineNs >= 0)
                {
                    throw new IllegalStateException("raw copy " + number() + ": waited in vain for " + what);
                }
            }
        }
    }

    @Override
    public void close()
    {
        // the memory goes with the last reference to it
    }
}
