// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.tck.TestEnvironment;
import org.tallypost.mailbox.Watchdog;

/**
 * Where the suite keeps failures that other threads have signalled. When it expects one it looks once, after a short time, and
 * not until its limit (TestEnvironment.Receptacle.expectError takes the time that is left for negative). So this waits until
 * there is something to see.
 */
final class PatientEnvironment extends TestEnvironment
{
    private static final long LIMIT_MS = Watchdog.DEFAULT_LIMIT.toMillis();
    /** How long a signal that must not come is waited for. It may be too short to find a fault, and never fails a good stream. */
    private static final long SILENCE_MS = 20;
    private static final long LOOK_MS = 1;

    private final AtomicInteger failures = new AtomicInteger();

    PatientEnvironment()
    {
        super(LIMIT_MS, SILENCE_MS, LOOK_MS);
    }

    @Override
    public void flop(final Throwable thrown, final String message)
    {
        super.flop(thrown, message);
        failures.incrementAndGet();
    }

    @Override
    public void flop(final Throwable thrown)
    {
        super.flop(thrown);
        failures.incrementAndGet();
    }

    @Override
    public void flop(final String message)
    {
        super.flop(message);
        failures.incrementAndGet();
    }

    @Override
    public void clearAsyncErrors()
    {
        failures.set(0);
        super.clearAsyncErrors();
    }

    @Override
    public long defaultPollTimeoutMillis()
    {
        Watchdog.await("a failure that the suite expects", () -> failures.get() > 0);
        return super.defaultPollTimeoutMillis();
    }
}
