// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.tallypost.mailbox.ForkedJvm;

/** A media driver in a child process, until it is killed. Says "ready" when it runs. */
public final class DriverProcess
{
    private DriverProcess()
    {
    }

    static ForkedJvm start(final String directory)
    {
        return ForkedJvm.start(DriverProcess.class, directory);
    }

    /**
     * Runs the driver.
     *
     * @param arguments its directory.
     */
    public static void main(final String[] arguments)
    {
        try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(arguments[0])
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy())
                .termBufferSparseFile(true)
                .dirDeleteOnStart(true)))
        {
            System.out.println("ready");
            barrier.await();
            System.out.println("end of " + driver.aeronDirectoryName());
        }
    }
}
