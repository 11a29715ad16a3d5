// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.compare.Link;
import org.tallypost.benchmarks.compare.Payload;

/**
 * A JVM that measures one contender at some points: one receiving thread, and one that all senders share. A transport class is
 * the only one of its kind in its JVM, so that calls to it are compiled as they are in a program that uses it.
 */
public final class TrialFork
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int LATER_WARMUPS = 3;

    private final TrialSpec spec;
    private final File directory;
    private final long deadlineNs;

    TrialFork(final TrialSpec spec, final File directory)
    {
        this.spec = spec;
        this.directory = directory;
        deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
    }

    /**
     * Runs a trial. Ends when the standard input does, because then the parent is gone.
     *
     * @param args directory of the fork.
     * @throws IOException if the directory is not what it should be.
     */
    public static void main(final String[] args) throws IOException
    {
        ParentEnd.endWithParent();
        final File directory = new File(args[0]);
        try
        {
            final TrialSpec spec = MAPPER.readValue(specFile(directory), TrialSpec.class);
            MAPPER.writeValue(resultFile(directory), new TrialFork(spec, directory).run());
        }
        catch (final InterruptedException | RuntimeException | Error ex)
        {
            System.err.println(ParentEnd.FAILED + describe(ex));
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    static void writeSpec(final File directory, final TrialSpec spec) throws IOException
    {
        MAPPER.writeValue(specFile(directory), spec);
    }

    static List<TrialResult> readResults(final File directory) throws IOException
    {
        return MAPPER.readValue(resultFile(directory), new TypeReference<List<TrialResult>>()
        {
        });
    }

    private static File specFile(final File directory)
    {
        return new File(directory, "spec.json");
    }

    private static File resultFile(final File directory)
    {
        return new File(directory, "results.json");
    }

    static String describe(final Throwable ex)
    {
        return ex.getMessage() == null || !(ex instanceof IllegalStateException) ? ex.toString() : ex.getMessage();
    }

    /** All points, one after the other. */
    List<TrialResult> run() throws InterruptedException
    {
        final List<TrialResult> results = new ArrayList<>();
        for (int i = 0; i < spec.points().size(); i++)
        {
            final File pointDirectory = new File(directory, "point-" + i);
            IoUtil.ensureDirectoryExists(pointDirectory, "point");
            results.addAll(run(spec.points().get(i), pointDirectory, i == 0 ? spec.warmups() : spec.warmups() / LATER_WARMUPS));
            IoUtil.delete(pointDirectory, true);
        }
        return results;
    }

    private List<TrialResult> run(final TrialSpec.Point point, final File pointDirectory, final int warmups)
        throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<TrialResult> results = new ArrayList<>();
        try (Room room = Room.of(spec, point, pointDirectory))
        {
            final Pace pace = new Pace(spec.threads());
            final List<TrialParty> parties = parties(room, point, pace, warmups);
            room.connect();
            final Map<Phase, List<TrialRun>> runs = together(parties, pace, failure);
            if (failure.get() != null)
            {
                throw new IllegalStateException(point.bytes() + " bytes: " + describe(failure.get()), failure.get());
            }
            runs.forEach((phase, found) -> results.add(new TrialResult(
                point, phase, found, ((Receiver)parties.get(0)).wrong(), room.bufferBytes(), room.fileBytes(),
                spec.contender().slotsPerSender(point.bytes(), spec.senders()))));
        }
        return results;
    }

    /** Runs the receiver on this thread's behalf and the senders beside it; the runs are the receiver's. */
    private static Map<Phase, List<TrialRun>> together(
        final List<TrialParty> parties, final Pace pace, final AtomicReference<Throwable> failure) throws InterruptedException
    {
        final AtomicReference<Map<Phase, List<TrialRun>>> runs = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        for (final TrialParty party : parties)
        {
            final Thread thread = new Thread(() ->
            {
                try
                {
                    final Map<Phase, List<TrialRun>> found = party.go();
                    if (party instanceof Receiver)
                    {
                        runs.set(found);
                    }
                }
                catch (final RuntimeException | Error ex)
                {
                    // the party that fails first tells about it before the others are told
                    failure.compareAndSet(null, ex);
                    pace.abort();
                }
            }, "thread-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        return runs.get();
    }

    private List<TrialParty> parties(final Room room, final TrialSpec.Point point, final Pace pace, final int warmups)
    {
        final boolean isQuiet = spec.study() == Study.ISOLATION;
        final QuietTimes times = new QuietTimes();
        final int quiet = isQuiet ? spec.senders() : Receiver.NOBODY;
        final List<TrialParty> parties = new ArrayList<>();
        parties.add(new Receiver(
            spec, pace, waiter(pace), warmups, room.open(0), point.work(), quiet, times));
        final List<SendingAgent> agents = new ArrayList<>();
        for (int sender = 1; sender <= spec.senders(); sender++)
        {
            final Link link = room.open(sender);
            final Payload payload = new Payload(sender, spec.length(), spec.corrupt() && sender == 1);
            agents.add(sender == quiet ?
                new SendingAgent.Quiet(link, payload, spec.length(), times) :
                new SendingAgent.Flooding(link, payload, spec.length(), spec.turn()));
        }
        final int threads = spec.threads() - 1;
        for (int i = 0; i < threads; i++)
        {
            final List<SendingAgent> own = threads == 1 ? agents : List.of(agents.get(i));
            parties.add(new SendingThread(spec, pace, waiter(pace), i + 1, warmups, own,
                i == 0 ? room : null));
        }
        return parties;
    }

    private Pace.Waiter waiter(final Pace pace)
    {
        return pace.new Waiter(spec.threads() > 2, deadlineNs);
    }
}
