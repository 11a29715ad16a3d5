// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;

/**
 * A client of a media driver, with the driver if it is embedded. All of it runs on the calling thread.
 */
final class AeronConnection implements AutoCloseable
{
    /** Drivers say once a second that they are there. */
    private static final long MIN_DRIVER_TIMEOUT_MS = 3_000;

    /** So often the client looks whether its driver has anything to say, and says that it lives. */
    private static final long CLIENT_INTERVAL_NS = 100_000;

    private final DutyClock clock = new DutyClock();
    private final MediaDriver driver;
    private final Aeron aeron;
    private long clientNs = System.nanoTime();

    /**
     * Launches a driver and connects to it, or connects to one that runs.
     *
     * @param transport  with the settings.
     * @param directory  for the files of an embedded driver.
     * @param intervalNs liveness interval of the node.
     * @param onError    hears of what goes wrong.
     */
    AeronConnection(
        final AeronTransport transport, final File directory, final long intervalNs, final ErrorHandler onError)
    {
        final boolean isEmbedded = transport.aeronDirectory() == null;
        driver = isEmbedded ? launch(transport, directory, clock, onError) : null;
        try
        {
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(isEmbedded ? driver.aeronDirectoryName() : transport.aeronDirectory())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(isEmbedded ? driver.sharedAgentInvoker() : null)
                .driverTimeoutMs(driverTimeoutMs(intervalNs))
                .errorHandler((error) -> onClientError(error, onError)));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(driver);
            throw ex;
        }
    }

    /** What ended the client was told before its end is. */
    private static void onClientError(final Throwable error, final ErrorHandler onError)
    {
        if (!(error instanceof AgentTerminationException))
        {
            onError.onError(error);
        }
    }

    private static long driverTimeoutMs(final long intervalNs)
    {
        return Math.max(MIN_DRIVER_TIMEOUT_MS, TimeUnit.NANOSECONDS.toMillis(intervalNs));
    }

    /** Whether there is a driver to connect to, or one can be launched; does not wait for one. */
    static boolean isPossible(final AeronTransport transport, final long intervalNs)
    {
        return transport.aeronDirectory() == null || CommonContext.isDriverActive(
            new File(transport.aeronDirectory()), driverTimeoutMs(intervalNs), (message) -> {});
    }

    private static MediaDriver launch(
        final AeronTransport transport, final File directory, final NanoClock clock, final ErrorHandler onError)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(directory.getPath())
            .threadingMode(ThreadingMode.INVOKER)
            .nanoClock(clock)
            .mtuLength(transport.mtuLength())
            .socketRcvbufLength(AeronTransport.socketReceiveBufferLength())
            .termBufferSparseFile(true)
            .warnIfDirectoryExists(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .errorHandler(onError);
        SocketTurns.install(context, transport.faults());
        return MediaDriver.launch(context);
    }

    Aeron aeron()
    {
        return aeron;
    }

    boolean isClosed()
    {
        return aeron.isClosed() || driver != null && driver.sharedAgentInvoker().isClosed();
    }

    /** A duty cycle of the driver if it is embedded, and now and then one of the client. */
    int doWork(final long nowNs)
    {
        int work = 0;
        if (driver != null)
        {
            clock.stop(nowNs);
            try
            {
                work = driver.sharedAgentInvoker().invoke();
            }
            finally
            {
                clock.go();
            }
        }
        if (nowNs - clientNs >= CLIENT_INTERVAL_NS)
        {
            clientNs = nowNs;
            work += aeron.conductorAgentInvoker().invoke();
        }
        return work;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    /**
     * The driver's clock. Each of its agents reads it in each of its duty cycles, which together take a microsecond if there is
     * nothing to do: for all of a cycle it shows the time that the caller has read. Where the driver is called otherwise, to wait
     * for its answers, it goes.
     */
    private static final class DutyClock implements NanoClock
    {
        private boolean isStopped;
        private long nowNs = System.nanoTime();

        /** Never goes back behind what it has shown. */
        void stop(final long now)
        {
            nowNs = now - nowNs < 0 ? nowNs : now;
            isStopped = true;
        }

        void go()
        {
            isStopped = false;
        }

        @Override
        public long nanoTime()
        {
            if (!isStopped)
            {
                nowNs = System.nanoTime();
            }
            return nowNs;
        }
    }
}
