// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * A client of a media driver, with the driver if it is embedded. All of it runs on the calling thread.
 */
final class AeronConnection implements AutoCloseable
{
    private final MediaDriver driver;
    private final Aeron aeron;

    /**
     * Launches a driver and connects to it, or connects to one that runs.
     *
     * @param transport with the settings.
     * @param directory for the files of an embedded driver.
     * @param onError   hears of what goes wrong.
     */
    AeronConnection(final AeronTransport transport, final File directory, final ErrorHandler onError)
    {
        final boolean isEmbedded = transport.aeronDirectory() == null;
        driver = isEmbedded ? launch(transport, directory, onError) : null;
        try
        {
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(isEmbedded ? driver.aeronDirectoryName() : transport.aeronDirectory())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(isEmbedded ? driver.sharedAgentInvoker() : null)
                .errorHandler(onError));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(driver);
            throw ex;
        }
    }

    private static MediaDriver launch(final AeronTransport transport, final File directory, final ErrorHandler onError)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(directory.getPath())
            .threadingMode(ThreadingMode.INVOKER)
            .mtuLength(transport.mtuLength())
            .termBufferSparseFile(true)
            .warnIfDirectoryExists(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .errorHandler(onError);
        if (transport.faults() != null)
        {
            FaultySendEndpoint.install(transport.faults(), context);
        }
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

    int doWork()
    {
        final int work = driver == null ? 0 : driver.sharedAgentInvoker().invoke();
        return work + aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
