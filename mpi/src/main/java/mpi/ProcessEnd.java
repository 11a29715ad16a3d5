// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The end of this process while its program goes on: what fails from then on fails because of the end, and is no news. A job that
 * ends because of one rank ends the others too, and that another one is gone is often the first that a rank hears of it. Any
 * thread.
 */
final class ProcessEnd
{
    /** How long a rank that finds another one gone waits for its own end, in milliseconds. */
    private static final String LIMIT_PROPERTY = "tallypost.mpi.endLimitMs";
    private static final long DEFAULT_LIMIT_MS = 5_000;
    private static final ProcessEnd OF_THIS_PROCESS = new ProcessEnd(Long.getLong(LIMIT_PROPERTY, DEFAULT_LIMIT_MS));

    private final long limitMs;
    private boolean isBegun;
    private boolean isAwaited;
    private ProgramThreads threads;

    /** One for a process. */
    ProcessEnd(final long limitMs)
    {
        this.limitMs = limitMs;
    }

    static ProcessEnd ofThisProcess()
    {
        return OF_THIS_PROCESS;
    }

    /** To be called before the library starts threads. */
    void willLaunch()
    {
        threads = new ProgramThreads();
    }

    /**
     * The library's threads are there. The node is to be closed when the process ends; or when the program's threads have
     * ended, as a node of several is kept alive by what carries packets.
     *
     * @param rank  for the line that others read if the process ends before Finalize; null for none.
     * @param close of the node; begins the end.
     */
    void launched(final String rank, final Runnable close)
    {
        threads.launched();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(rank, close), "tallypost-mpi-end"));
        final Thread watch = new Thread(() ->
        {
            try
            {
                threads.awaitEnd();
            }
            catch (final InterruptedException ex)
            {
                // nobody interrupts it; the node is closed in any case
                Thread.currentThread().interrupt();
            }
            close.run();
        }, "tallypost-mpi-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void end(final String rank, final Runnable close)
    {
        if (rank != null && !isBegun() && !MPI.isOver())
        {
            System.err.println(rank + " ends before Finalize, as its process is ended");
            System.err.flush();
        }
        close.run();
    }

    private synchronized boolean isBegun()
    {
        return isBegun;
    }

    /** The process ends from here on. */
    synchronized void begin()
    {
        isBegun = true;
        notifyAll();
    }

    /**
     * Before a call fails. If the process ends, this keeps the thread, which has nothing more to do. If another rank is gone it
     * waits for that, once in a process. Returns if the process goes on; or after the limit, as the end may wait for the thread.
     *
     * @param isOtherGone whether it fails because another rank is gone.
     */
    synchronized void beforeFailure(final boolean isOtherGone)
    {
        if (isOtherGone && !isBegun && !isAwaited)
        {
            isAwaited = true;
            pause(true);
        }
        if (isBegun)
        {
            pause(false);
        }
    }

    /** Until the limit, or until the end begins if that is waited for. An interrupt ends no call. */
    private void pause(final boolean isForEnd)
    {
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        long leftMs = limitMs;
        while (leftMs > 0 && !(isForEnd && isBegun))
        {
            try
            {
                wait(leftMs);
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
            leftMs = limitMs - (System.nanoTime() - startNs) / 1_000_000;
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
