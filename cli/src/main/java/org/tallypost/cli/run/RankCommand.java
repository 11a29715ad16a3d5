// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * The command line and the environment of each rank's process.
 * <p>
 * A program called java gets what the runtime needs opened as arguments, any other one by JDK_JAVA_OPTIONS. Where setpriv is on
 * the PATH, the kernel kills the rank if the process that started it is gone.
 */
final class RankCommand
{
    /** What Agrona needs opened, and what calls of the system by java.lang.foreign need. */
    private static final List<String> JAVA_FLAGS =
        List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");
    private static final String GROUP = "run";
    private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

    private final String program;
    private final List<String> command;
    private final int[] processors;
    private final Map<String, String> environment;
    private final Path directory;

    /**
     * The command of a job.
     *
     * @param command     as the user gave it, program first.
     * @param isBound     to one processor for each rank.
     * @param environment of the ranks, beside this process's.
     * @param directory   of the job.
     */
    RankCommand(
        final List<String> command, final boolean isBound, final Map<String, String> environment, final Path directory)
    {
        program = command.get(0);
        this.command = new ArrayList<>();
        if (isFound("setpriv"))
        {
            this.command.addAll(List.of("setpriv", "--pdeathsig", "KILL", "--"));
        }
        this.command.add(program);
        if (isJava())
        {
            this.command.addAll(JAVA_FLAGS);
        }
        this.command.addAll(command.subList(1, command.size()));
        if (isBound && !isFound("taskset"))
        {
            throw new UnavailableToolException("--bind-cores needs taskset, which is not on the PATH; it is in util-linux");
        }
        processors = isBound ? AllowedProcessors.read() : null;
        this.environment = environment;
        this.directory = directory;
    }

    private boolean isJava()
    {
        return "java".equals(new File(program).getName());
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

    /** Makes the builder of one rank's process. */
    ProcessBuilder builder(final int rank, final int ranks)
    {
        final List<String> words = new ArrayList<>();
        if (processors != null)
        {
            words.addAll(List.of("taskset", "-c", Integer.toString(processors[rank % processors.length])));
        }
        words.addAll(command);
        final ProcessBuilder builder = new ProcessBuilder(words);
        final Map<String, String> variables = builder.environment();
        // what an outer launch says of nodes and ranks is not true of this one
        for (final LaunchSetting setting : LaunchSetting.values())
        {
            variables.remove(setting.variable());
        }
        variables.put(LaunchSetting.RANK.variable(), Integer.toString(rank));
        variables.put(LaunchSetting.RANKS.variable(), Integer.toString(ranks));
        variables.put(LaunchSetting.GROUP.variable(), GROUP);
        variables.put(LaunchSetting.DIRECTORY.variable(), directory.toString());
        variables.putAll(environment);
        variables.put(JobDirectory.VARIABLE, directory.toString());
        if (!isJava())
        {
            variables.merge(JAVA_OPTIONS, String.join(" ", JAVA_FLAGS), (old, flags) -> flags + " " + old);
        }
        return builder;
    }

    /** The program's name, as the user gave it. */
    String program()
    {
        return program;
    }
}
