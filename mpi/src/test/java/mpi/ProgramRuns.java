// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.Tallypost;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Programs as jobs of real processes that "tallypost run" starts, and what comes of them. */
abstract class ProgramRuns
{
    static final String COMPLETE = "PROGRAM COMPLETE";

    @TempDir
    private File directory;
    @TempDir
    File outputs;
    Process launcher;
    /** Of the JVMs of the program. */
    List<String> options = List.of();

    @AfterEach
    void endLauncher() throws InterruptedException
    {
        if (launcher != null)
        {
            // ends its ranks by itself
            launcher.destroy();
            if (!launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS))
            {
                launcher.destroyForcibly();
            }
        }
    }

    /** Runs a program on this host and returns its exit code. */
    final int run(final int ranks, final Class<?> program, final Object... arguments) throws IOException, InterruptedException
    {
        return run(List.of("-n", ranks), program, arguments);
    }

    final int run(final List<Object> where, final Class<?> program, final Object... arguments)
        throws IOException, InterruptedException
    {
        final List<Object> words = new ArrayList<>(List.of("run", "--quiet", "--directory", directory.getPath()));
        words.addAll(where);
        final List<String> command = ForkedJvm.command(program, options, arguments);
        // run itself gives what Agrona needs
        command.removeAll(ForkedJvm.ADD_OPENS);
        words.addAll(command);
        launcher = new ProcessBuilder(ForkedJvm.command(Tallypost.class, List.of(), words.toArray()))
            .redirectOutput(new File(outputs, "output")).redirectError(new File(outputs, "errors")).start();
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of " + program + text());
        assertEquals(List.of(), List.of(directory.list()), "the job's directory is gone");
        return launcher.exitValue();
    }

    final String text()
    {
        try
        {
            return "\n" + Files.readString(new File(outputs, "output").toPath()) +
                Files.readString(new File(outputs, "errors").toPath());
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Programs and their arguments: they run in one job, and as many of them complete. */
    final void shouldComplete(final int count, final int ranks, final Object... programs) throws IOException, InterruptedException
    {
        shouldEndWith(0, count, ranks, programs);
    }

    /** The same, and the last one may end the job with an exit code. */
    final void shouldEndWith(final int exitCode, final int count, final int ranks, final Object... programs)
        throws IOException, InterruptedException
    {
        assertEquals(exitCode, run(ranks, Programs.class, Programs.arguments(programs)), this::text);
        assertEquals(count, completed(), this::text);
    }

    /** How many programs have completed. */
    final long completed()
    {
        return text().lines().filter(COMPLETE::equals).count();
    }
}
