// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A process of a team: reads a line for each turn, has its parties take the turn, and answers with a line of their bookings.
 * Between two turns all its threads are blocked without a timeout. It ends when its input ends, because then its parent is gone.
 */
public final class PartyProcess
{
    /**
     * Version of what a parent and its parties say to each other: arguments, the team's file, tasks and answers. A change
     * of their form adds 1, because parent and party may be of different builds.
     */
    public static final int VERSION = 1;

    /** Begins the first line of a process, which ends with its version. A process without this line has version 1. */
    static final String PROTOCOL = "PROTOCOL ";
    /** Answer of a process that has opened its parties. */
    static final String READY = "READY";
    /** Begins the answer of a process that failed. */
    static final String FAILED = "FAILED ";
    /** Reason of a party that failed because another one did. */
    public static final String ANOTHER_FAILED = "another party failed";
    /** Stands between the bookings of a line. */
    static final String SEPARATOR = ";";

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<Party> parties = new ArrayList<>();

    private PartyProcess()
    {
    }

    /** A role with a thread of its own. */
    private record Party(Role role, ThreadBooks[] books, ExecutorService thread)
    {
    }

    /**
     * Serves until the input ends. Does not return: the process ends here.
     *
     * @param input   lines of the parent.
     * @param output  for the answers and nothing else.
     * @param prepare makes the roles of this process.
     * @param onEnd   called when the input has ended, before the process does.
     */
    public static void serve(
        final InputStream input, final PrintStream output, final Supplier<List<Role>> prepare, final Runnable onEnd)
    {
        // before anything that could fail in a build that does not fit
        answer(output, PROTOCOL + VERSION);
        final PartyProcess process = new PartyProcess();
        final Thread reader = new Thread(() -> process.read(input, onEnd), "parent");
        reader.setDaemon(true);
        reader.start();
        try
        {
            process.open(prepare.get());
            answer(output, READY);
            while (true)
            {
                answer(output, process.take(Task.parse(process.lines.take())));
            }
        }
        catch (final InterruptedException | ExecutionException | RuntimeException | Error ex)
        {
            answer(output, FAILED + describe(ex instanceof ExecutionException ? ex.getCause() : ex));
            Runtime.getRuntime().halt(1);
        }
    }

    private static void answer(final PrintStream output, final String line)
    {
        output.println(line);
        output.flush();
    }

    private void read(final InputStream input, final Runnable onEnd)
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)))
        {
            String line = reader.readLine();
            while (line != null)
            {
                lines.add(line);
                line = reader.readLine();
            }
        }
        catch (final IOException ignore)
        {
            // a broken pipe means the same as its end
        }
        try
        {
            onEnd.run();
        }
        finally
        {
            Runtime.getRuntime().halt(0);
        }
    }

    private void open(final List<Role> roles) throws InterruptedException, ExecutionException
    {
        final List<Future<?>> opened = new ArrayList<>();
        for (final Role role : roles)
        {
            final ExecutorService thread = Executors.newSingleThreadExecutor((task) ->
            {
                final Thread made = new Thread(task, "party");
                made.setDaemon(true);
                return made;
            });
            final Party party = new Party(role, new ThreadBooks[1], thread);
            parties.add(party);
            opened.add(thread.submit(() ->
            {
                party.books[0] = new ThreadBooks();
                role.open();
            }));
        }
        for (final Future<?> each : opened)
        {
            each.get();
        }
    }

    private String take(final Task task) throws InterruptedException, ExecutionException
    {
        final List<Future<Booking>> bookings = new ArrayList<>();
        for (final Party party : parties)
        {
            if (party.role.takesPart(task.cell()))
            {
                bookings.add(party.thread.submit(() -> take(party, task)));
            }
        }
        final List<String> answers = new ArrayList<>();
        for (final Future<Booking> booking : bookings)
        {
            answers.add(booking.get().toLine());
        }
        return answers.stream().collect(Collectors.joining(SEPARATOR));
    }

    private static Booking take(final Party party, final Task task)
    {
        party.role.meet(task);
        party.books[0].start();
        final long startNs = System.nanoTime();
        final Role.Measured measured = party.role.take(task);
        return party.books[0].end(System.nanoTime() - startNs, measured);
    }

    /**
     * A failure in one line.
     *
     * @param ex that was thrown.
     * @return its message, behind its class unless that says nothing.
     */
    public static String describe(final Throwable ex)
    {
        final String text = ex.getMessage() == null ? ex.toString() :
            ex instanceof IllegalStateException ? ex.getMessage() : ex.getClass().getSimpleName() + ": " + ex.getMessage();
        return text.replaceAll("\\s+", " ");
    }
}
