// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * All ranks on this host, in a directory of the job.
 * <p>
 * A program called java gets what the runtime needs opened as arguments, any other one by JDK_JAVA_OPTIONS. Where setpriv is on
 * the PATH, the kernel kills the rank if the process that started it is gone.
 */
final class LocalRanks implements Ranks
{
    static final String GROUP = "run";
    static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";
    private static final File NO_INPUT = new File("/dev/null");

    private final ProgramLine program;
    private final List<String> command;
    private final int[] processors;
    private final int ranks;
    private final Map<String, String> environment;
    private final Duration grace;
    private final JobDirectory directory;

    /**
     * Ranks of this host.
     *
     * @param program     and its arguments, as the user gave it.
     * @param ranks       number of them.
     * @param isBound     to one processor for each rank.
     * @param environment of the ranks, beside this process's.
     * @param grace       from SIGTERM to SIGKILL.
     * @param base        directory in which the job's is made; null for the default.
     * @throws IOException if the directory cannot be made; the message says where and why.
     */
    LocalRanks(
        final ProgramLine program, final int ranks, final boolean isBound, final Map<String, String> environment,
        final Duration grace, final File base) throws IOException
    {
        this.program = program;
        if (isBound && !isFound("taskset"))
        {
            throw new UnavailableToolException("--bind-cores needs taskset, which is not on the PATH; it is in util-linux");
        }
        processors = isBound ? AllowedProcessors.read() : null;
        command = new ArrayList<>(isFound("setpriv") ? List.of("setpriv", "--pdeathsig", "KILL", "--") : List.of());
        command.addAll(program.words());
        this.ranks = ranks;
        this.environment = environment;
        this.grace = grace;
        directory = JobDirectory.create(base == null ? JobDirectory.defaultBase() : base);
    }

    /** Whether a program is a file that may be executed, or one on the PATH. */
    static boolean isFound(final String program)
    {
        if (program.contains(File.separator))
        {
            return new File(program).isFile() && new File(program).canExecute();
        }
        final String path = System.getenv("PATH");
        return path != null && Stream.of(path.split(File.pathSeparator)).map((place) -> new File(place, program))
            .anyMatch((file) -> file.isFile() && file.canExecute());
    }

    @Override
    public ProcessBuilder builder(final int rank)
    {
        final List<String> words = new ArrayList<>();
        if (processors != null)
        {
            words.addAll(List.of("taskset", "-c", Integer.toString(processors[rank % processors.length])));
        }
        words.addAll(command);
        final ProcessBuilder builder = new ProcessBuilder(words)
            .redirectInput(rank == 0 ? Redirect.INHERIT : Redirect.from(NO_INPUT));
        final Map<String, String> variables = builder.environment();
        // what an outer launch says of nodes and ranks is not true of this one
        for (final LaunchSetting setting : LaunchSetting.values())
        {
            variables.remove(setting.variable());
        }
        variables.put(LaunchSetting.RANK.variable(), Integer.toString(rank));
        variables.put(LaunchSetting.RANKS.variable(), Integer.toString(ranks));
        variables.put(LaunchSetting.GROUP.variable(), GROUP);
        variables.put(LaunchSetting.DIRECTORY.variable(), directory.path().toString());
        variables.putAll(environment);
        variables.put(JobDirectory.VARIABLE, directory.path().toString());
        if (!program.isJava())
        {
            variables.merge(JAVA_OPTIONS, String.join(" ", ProgramLine.JAVA_FLAGS), (old, flags) -> flags + " " + old);
        }
        return builder;
    }

    @Override
    public void started(final Process process)
    {
        // it has all that it needs
    }

    @Override
    public String name(final int rank, final Process process)
    {
        return "rank " + rank + " (pid " + process.pid() + ")";
    }

    @Override
    public String program()
    {
        return program.name();
    }

    @Override
    public void askToEnd(final Process process)
    {
        // Process.destroy would close the streams, with what the rank says at its end
        process.toHandle().destroy();
    }

    @Override
    public Duration grace()
    {
        return grace;
    }

    @Override
    public Stream<ProcessHandle> started()
    {
        return directory.processes();
    }

    @Override
    public void close() throws IOException
    {
        directory.close();
    }
}
