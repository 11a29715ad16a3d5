// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM with the class path of the tests and the flags that Agrona needs. It is killed and reaped on close; signals
 * go to it alone. Its standard output is read line by line. What it writes to standard error is told with a
 * failure.
 */
public final class ForkedJvm implements AutoCloseable
{
    /** What Agrona needs opened. */
    public static final List<String> ADD_OPENS = List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final int MAX_ERROR_LINES = 200;
    private static final int ERRORS_MS = 5_000;

    private static final List<String> QUICK_START =
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx64m", "-XX:-UsePerfData");

    private final Process process;
    private final PrintStream input;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private final String name;
    private final Thread reader;
    private final Thread errorReader;

    private ForkedJvm(final List<String> command, final String name)
    {
        this.name = name;
        try
        {
            process = new ProcessBuilder(command).start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        reader = start("output of ", () -> read(process.getInputStream(), lines, Integer.MAX_VALUE));
        errorReader = start("errors of ", () -> read(process.getErrorStream(), errors, MAX_ERROR_LINES));
    }

    private Thread start(final String what, final Runnable body)
    {
        final Thread thread = new Thread(body, what + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Starts a class's main method.
     *
     * @param main      class.
     * @param arguments of it.
     * @return the child.
     */
    public static ForkedJvm start(final Class<?> main, final Object... arguments)
    {
        return new ForkedJvm(command(main, List.of(), arguments), main.getSimpleName() + Arrays.toString(arguments));
    }

    /**
     * Starts a class's main method in a JVM with further options.
     *
     * @param options   of the JVM; they win over those that every child gets.
     * @param main      class.
     * @param arguments of it.
     * @return the child.
     */
    public static ForkedJvm startWith(final List<String> options, final Class<?> main, final Object... arguments)
    {
        return new ForkedJvm(command(main, options, arguments), main.getSimpleName() + Arrays.toString(arguments));
    }

    /**
     * Starts a class's main method from a shell, to do something before.
     *
     * @param launcher  the command before "sh", as "unshare -m"; may be empty.
     * @param script    of the shell, in which "$@" stands for the command that starts the JVM.
     * @param main      class.
     * @param arguments of it.
     * @return the child.
     */
    public static ForkedJvm startFromShell(
        final List<String> launcher, final String script, final Class<?> main, final Object... arguments)
    {
        final List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("sh", "-c", script, "sh"));
        command.addAll(command(main, List.of(), arguments));
        return new ForkedJvm(command, main.getSimpleName() + Arrays.toString(arguments));
    }

    /**
     * The command that starts a class's main method.
     *
     * @param main      class.
     * @param options   of the JVM, beside those that every child gets.
     * @param arguments of the class.
     * @return the command.
     */
    public static List<String> command(final Class<?> main, final List<String> options, final Object... arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ADD_OPENS);
        command.addAll(QUICK_START);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        for (final Object argument : arguments)
        {
            command.add(argument.toString());
        }
        return command;
    }

    private static String classPath()
    {
        // surefire may hide the real class path in the manifest of a jar of its own
        final String surefire = System.getProperty("surefire.test.class.path");
        return surefire != null ? surefire : System.getProperty("java.class.path");
    }

    private static void read(final InputStream from, final Queue<String> to, final int most)
    {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8)))
        {
            for (String line = output.readLine(); line != null; line = output.readLine())
            {
                to.add(line);
                if (to.size() > most)
                {
                    to.poll();
                }
            }
        }
        catch (final IOException ignore)
        {
            // the stream ends with the child
        }
    }

    /** What it has written to standard error so far, for a message. */
    private String errors()
    {
        if (!process.isAlive())
        {
            try
            {
                errorReader.join(ERRORS_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
        return errors.isEmpty() ? "; it wrote no errors" : "; it wrote errors:\n" + String.join("\n", errors);
    }

    /**
     * Waits for the next line of the child's output.
     *
     * @return the line.
     */
    public String readLine()
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a line of " + name + errors());
        while (lines.isEmpty() && (process.isAlive() || reader.isAlive()))
        {
            watchdog.idle();
        }
        final String line = lines.poll();
        if (line == null)
        {
            throw new AssertionError(name + " ended with exit code " + process.exitValue() + " and no further line" +
                errors());
        }
        return line;
    }

    /**
     * A line of the child's output, if there is one.
     *
     * @return the line or null.
     */
    public String pollLine()
    {
        return lines.poll();
    }

    /**
     * Writes a line to the child's input.
     *
     * @param line to write.
     */
    public void writeLine(final String line)
    {
        input.println(line);
    }

    /**
     * Process id of the child.
     *
     * @return the pid.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Whether the child runs, or is stopped.
     *
     * @return true if so.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** Ends the child with SIGKILL and waits until it is gone. */
    public void kill()
    {
        process.destroyForcibly();
        waitFor();
    }

    /** Stops the child with SIGSTOP, and waits until it stands still. */
    public void stop()
    {
        signal("-STOP");
        Watchdog.await("stop of " + name, () -> state() == 'T');
    }

    /** Lets a stopped child go on with SIGCONT. */
    public void resume()
    {
        signal("-CONT");
    }

    private void signal(final String signal)
    {
        try
        {
            final Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO().start();
            if (kill.waitFor() != 0)
            {
                throw new AssertionError("kill " + signal + " " + name + " failed");
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private char state()
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Waits until the child has ended.
     *
     * @return its exit code.
     */
    public int waitFor()
    {
        return waitFor(Watchdog.DEFAULT_LIMIT);
    }

    private int waitFor(final Duration limit)
    {
        try
        {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
            {
                throw new AssertionError("waited " + limit.toSeconds() + " s for the end of " + name + errors());
            }
            final int code = process.exitValue();
            if (code != 0)
            {
                // perhaps not expected: then it is printed with the failure
                System.err.println(name + " ended with exit code " + code + errors());
            }
            return code;
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    public void close()
    {
        if (process.isAlive())
        {
            kill();
        }
        input.close();
    }
}
