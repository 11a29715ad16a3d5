// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * A process of a fork.
 */
public final class Fork
{
    static final String DRIVER = "driver";
    /** Begins what a JVM that failed says on its standard error. */
    public static final String FAILED = "FAILED: ";
    private static final long CLOSED_STEP = Long.MAX_VALUE;
    private static final long PAUSE_NS = 1_000_000;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ForkSpec spec;
    private final File directory;
    private final int process;
    private final long deadlineNs;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private List<ForkResult.Run> runs = List.of();
    private Control control;
    private long bufferBytes;

    Fork(final ForkSpec spec, final File directory, final int process)
    {
        this.spec = spec;
        this.directory = directory;
        this.process = process;
        deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
    }

    /**
     * Runs a process of a fork, or Aeron's driver. Ends when the standard input does, because then the parent is gone.
     *
     * @param args directory of the fork, and number of the process or {@code driver}.
     * @throws IOException if the directory is not what it should be.
     */
    public static void main(final String[] args) throws IOException
    {
        final File directory = new File(args[0]);
        if (args[1].equals(DRIVER))
        {
            final MediaDriver driver = AeronTransport.launchDriver(directory, ThreadingMode.SHARED);
            awaitEndOfInput();
            driver.close();
            return;
        }
        endWithParent();
        final int process = Integer.parseInt(args[1]);
        final ForkResult result = new Fork(readSpec(directory), directory, process).run();
        if (result.failure() != null)
        {
            System.err.println(FAILED + result.failure());
            System.err.flush();
            // other threads of this process may spin: nobody waits for them
            Runtime.getRuntime().halt(1);
        }
        if (process == 0)
        {
            MAPPER.writeValue(resultFile(directory), result);
        }
        Runtime.getRuntime().halt(0);
    }

    /** Sees to it that this JVM ends when its standard input does, because then its parent is gone. */
    public static void endWithParent()
    {
        final Thread watch = new Thread(() ->
        {
            awaitEndOfInput();
            Runtime.getRuntime().halt(1);
        }, "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    static void writeSpec(final File directory, final ForkSpec spec) throws IOException
    {
        MAPPER.writeValue(new File(directory, "spec.json"), spec);
    }

    private static ForkSpec readSpec(final File directory) throws IOException
    {
        return MAPPER.readValue(new File(directory, "spec.json"), ForkSpec.class);
    }

    static ForkResult readResult(final File directory) throws IOException
    {
        return MAPPER.readValue(resultFile(directory), ForkResult.class);
    }

    private static File resultFile(final File directory)
    {
        return new File(directory, "result.json");
    }

    private static void awaitEndOfInput()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final IOException ignore)
        {
            // A broken pipe means the same as its end.
        }
    }

    /** Runs the parties that belong to this process, and waits for them. Never throws: a failure is part of the result. */
    ForkResult run()
    {
        try (Transport transport = prepare())
        {
            bufferBytes = transport.bufferBytes();
            final int parties = spec.parties();
            final int from = spec.scope() == Scope.THREADS ? 0 : process;
            final int to = spec.scope() == Scope.THREADS ? parties : process + 1;
            final Thread[] threads = new Thread[to];
            for (int party = from; party < to; party++)
            {
                final int number = party;
                threads[party] = new Thread(() -> runParty(transport, number), "party-" + party);
                threads[party].setDaemon(true);
                threads[party].start();
            }
            for (int party = from; party < to; party++)
            {
                threads[party].join();
            }
            awaitOthersClosed();
        }
        catch (final InterruptedException | RuntimeException | Error ex)
        {
            fail(ex);
        }
        if (process > 0 && control != null)
        {
            control.arrive(process, CLOSED_STEP);
        }
        if (failure.get() == null)
        {
            return new ForkResult(runs, control.wrong(spec.parties()), bufferBytes, null);
        }
        return ForkResult.failed(describe(failure.get()));
    }

    /** The first process may own what the others are attached to, and goes last. */
    private void awaitOthersClosed()
    {
        if (process == 0 && spec.scope() != Scope.THREADS && failure.get() == null)
        {
            final Patience patience = new Patience(control, 0, false, deadlineNs, null);
            for (int party = 1; party < spec.parties(); party++)
            {
                while (!control.hasArrived(party, CLOSED_STEP))
                {
                    patience.rest("the end of process " + party);
                }
            }
        }
    }

    /** The first process makes everything, and the control file last: the others wait for it. */
    private Transport prepare()
    {
        final File file = new File(directory, "control");
        if (process == 0)
        {
            final Transport transport = Transport.of(spec, directory, 0);
            control = Control.create(file);
            return transport;
        }
        while (!file.exists())
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new IllegalStateException("timeout: process " + process + " waited for the first process");
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        control = Control.attach(file);
        return Transport.of(spec, directory, process);
    }

    private void runParty(final Transport transport, final int party)
    {
        final boolean yields = spec.isOversubscribed(Runtime.getRuntime().availableProcessors());
        try (UdpProbe udp = probe(party, yields))
        {
            final Link link = transport.open(party);
            final Patience patience = new Patience(control, party, yields, deadlineNs, link);
            final List<ForkResult.Run> found = Party.of(spec, control, link, party, patience).go(udp);
            if (party == 0)
            {
                runs = found;
            }
        }
        catch (final RuntimeException | Error ex)
        {
            fail(ex);
        }
    }

    /** Between nodes the raw probe is of the network. */
    private UdpProbe probe(final int party, final boolean yields)
    {
        return spec.scope() != Scope.NETWORK ? null :
            new UdpProbe(spec, control, LoopbackPorts.of(directory, false), party,
            new Patience(control, party, yields, deadlineNs, null), TimeUnit.MILLISECONDS.toNanos(spec.probeMs()));
    }

    private void fail(final Throwable ex)
    {
        // whoever fails first tells about it before the others are told
        failure.compareAndSet(null, ex);
        if (control != null)
        {
            control.abort();
        }
    }

    private static String describe(final Throwable ex)
    {
        final String message = ex.getMessage();
        return message == null ? ex.toString() :
            ex instanceof IllegalStateException || ex instanceof Patience.Aborted ? message :
            ex.getClass().getSimpleName() + ": " + message;
    }
}
