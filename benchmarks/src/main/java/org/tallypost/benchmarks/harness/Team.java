// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.agrona.IoUtil;

/**
 * The processes of one contestant, as their parent has them. They are started once; a line on a process's input is a turn, a line
 * on its output the answer. Turns are for one thread; {@link #close()} may be called by any.
 */
public final class Team implements TurnTaker
{
    private static final String ENDED = "";
    private static final int GRACE_MS = 30_000;
    private static final int EXIT_MS = 1_000;
    private static final int LOOK_MS = 50;
    private static final int MAX_TEXT_LENGTH = 300;
    private static final int MAX_LINES = 3;
    /** Of a process that does not tell its version: its build is older than that line. */
    private static final String OLDEST_VERSION = "1";

    private final String name;
    private final File directory;
    private final int timeoutMs;
    private final List<Member> members = new ArrayList<>();
    private final List<Process> helpers = new ArrayList<>();
    private long step;
    private boolean isClosed;

    /** A process and its answers. */
    private record Member(Process process, LinkedBlockingQueue<String> answers, Path errors)
    {
    }

    /**
     * Starts the processes.
     *
     * @param name      for messages.
     * @param commands  of the processes, the one with the first party first. A process may have several parties.
     * @param helpers   commands of processes that are not asked to take turns, and end when their input ends.
     * @param variables of the environment beside those of this process.
     * @param directory existing one of the team's own; it goes when the team is closed.
     * @param timeoutMs for which a process may be silent, in milliseconds.
     * @throws IOException if a process cannot be started; then none is left.
     */
    public Team(
        final String name,
        final List<List<String>> commands,
        final List<List<String>> helpers,
        final Map<String, String> variables,
        final File directory,
        final int timeoutMs) throws IOException
    {
        this.name = name;
        this.directory = directory;
        this.timeoutMs = timeoutMs;
        boolean isStarted = false;
        try
        {
            for (final List<String> command : helpers)
            {
                this.helpers.add(builder(command, variables, "helper-" + this.helpers.size())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
            }
            for (final List<String> command : commands)
            {
                final String number = Integer.toString(members.size());
                final Process process = builder(command, variables, number).start();
                final Member member = new Member(process, new LinkedBlockingQueue<>(), errors(number));
                members.add(member);
                final Thread reader = new Thread(() -> read(member), name + "-" + number);
                reader.setDaemon(true);
                reader.start();
            }
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                close();
            }
        }
    }

    private ProcessBuilder builder(final List<String> command, final Map<String, String> variables, final String number)
    {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors(number).toFile());
        builder.environment().putAll(variables);
        return builder;
    }

    private Path errors(final String number)
    {
        return directory.toPath().resolve("errors-" + number);
    }

    private static void read(final Member member)
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(member.process.getInputStream(), StandardCharsets.UTF_8)))
        {
            String line = judged(reader.readLine());
            if (line == null)
            {
                line = reader.readLine();
            }
            while (line != null)
            {
                member.answers.add(line.isEmpty() ? " " : line);
                line = reader.readLine();
            }
        }
        catch (final IOException ignore)
        {
            // the process was ended
        }
        member.answers.add(ENDED);
    }

    /** The first line as an answer: null if it is none, because it tells the version that is expected. */
    private static String judged(final String line)
    {
        if (line == null)
        {
            return null;
        }
        final boolean isVersion = line.startsWith(PartyProcess.PROTOCOL);
        final String version = isVersion ? line.substring(PartyProcess.PROTOCOL.length()) : OLDEST_VERSION;
        if (!version.equals(Integer.toString(PartyProcess.VERSION)))
        {
            return PartyProcess.FAILED + "found version " + version + " of the harness's protocol, expected " +
                PartyProcess.VERSION + ": its build does not fit this one";
        }
        return isVersion ? null : line.startsWith(PartyProcess.FAILED) ? PartyProcess.FAILED +
            "a harness without a version, which may not fit: " + line.substring(PartyProcess.FAILED.length()) : line;
    }

    @Override
    public void awaitReady() throws TeamException, InterruptedException
    {
        for (int i = 0; i < members.size(); i++)
        {
            final String answer = answer(i, "before its first turn");
            if (!answer.equals(PartyProcess.READY))
            {
                throw new TeamException(
                    title(i) + " answered '" + shortened(answer) + "' at its start, expected " + PartyProcess.READY);
            }
        }
    }

    @Override
    public List<Booking> turn(
        final int cell, final int parties, final long messages, final int profile, final double paceNs)
        throws TeamException, InterruptedException
    {
        final int count = Math.min(parties, members.size());
        final byte[] line =
            (new Task(++step, cell, messages, profile, paceNs).toLine() + "\n").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++)
        {
            try
            {
                final OutputStream input = members.get(i).process.getOutputStream();
                input.write(line);
                input.flush();
            }
            catch (final IOException ignore)
            {
                // it has ended, and the end of its answers tells
            }
        }
        final List<Booking> bookings = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final String answer = answer(i, "in its turn");
            try
            {
                Arrays.stream(answer.split(PartyProcess.SEPARATOR)).map(Booking::parse).forEach(bookings::add);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TeamException(title(i) + " gave an answer that is none: " + shortened(ex.getMessage()));
            }
        }
        return bookings;
    }

    private String title(final int member)
    {
        return "process " + member + " of " + name;
    }

    private String answer(final int member, final String when) throws TeamException, InterruptedException
    {
        final long startNs = System.nanoTime();
        String answer = members.get(member).answers.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        while (answer == null)
        {
            // what this one waits for may never come, because another one has ended
            for (int i = 0; i < members.size(); i++)
            {
                final String other = members.get(i).answers.peek();
                if (other != null && (other.equals(ENDED) || other.startsWith(PartyProcess.FAILED)))
                {
                    throw new TeamException(failure(i, other, when));
                }
            }
            if (System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(timeoutMs))
            {
                throw new TeamException(
                    title(member) + " did not answer " + when + " for " + timeoutMs + " ms (--timeout)");
            }
            answer = members.get(member).answers.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        }
        if (answer.equals(ENDED) || answer.startsWith(PartyProcess.FAILED))
        {
            throw new TeamException(failure(member, answer, when));
        }
        return answer;
    }

    /** The first cause: one that only saw that another one failed is not it. */
    private String failure(final int member, final String answer, final String when) throws InterruptedException
    {
        if (answer.contains(PartyProcess.ANOTHER_FAILED))
        {
            for (int i = 0; i < members.size(); i++)
            {
                final String other = i == member ? null : members.get(i).answers.poll(EXIT_MS, TimeUnit.MILLISECONDS);
                if (other != null && (other.equals(ENDED) || other.startsWith(PartyProcess.FAILED)) &&
                    !other.contains(PartyProcess.ANOTHER_FAILED))
                {
                    return failure(i, other, when);
                }
            }
        }
        if (answer.startsWith(PartyProcess.FAILED))
        {
            return title(member) + ": " + shortened(answer.substring(PartyProcess.FAILED.length()));
        }
        final Process process = members.get(member).process;
        final String exit = process.waitFor(EXIT_MS, TimeUnit.MILLISECONDS) ?
            " with exit code " + process.exitValue() : "";
        final String said = said(members.get(member).errors);
        return title(member) + " ended " + when + exit + (said.isEmpty() ? "" : ": " + said);
    }

    private static String said(final Path errors)
    {
        try
        {
            // a JVM that does not start tells the cause in its second line
            return shortened(Files.readString(errors).lines().map(String::strip)
                .filter((line) -> line.matches(".*\\p{Alnum}.*") && !line.startsWith("at ")).limit(MAX_LINES)
                .collect(Collectors.joining(" / ")));
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    private static String shortened(final String text)
    {
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH) + "...";
    }

    /** Ends the processes and removes the directory. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        final List<Process> all = new ArrayList<>(members.stream().map(Member::process).toList());
        all.addAll(helpers);
        final List<ProcessHandle> children = all.stream().flatMap(Process::descendants).toList();
        all.forEach(Process::destroyForcibly);
        children.forEach(ProcessHandle::destroyForcibly);
        boolean isInterrupted = false;
        for (final Process process : all)
        {
            try
            {
                // the directory goes only when nothing writes to it any more
                process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        IoUtil.delete(directory, true);
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
