// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.launch.LaunchConfiguration;
import org.tallypost.transportaeron.launch.LaunchSetting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost run}: starts a program once for each rank, on this host or several, and ends all ranks when one fails.
 * <p>
 * Exit codes: 0 if all ranks ended with 0, else that of the first rank that failed.
 */
@Command(
    name = "run",
    description = "Starts a program once for each rank, as in 'run -n 4 java -cp app.jar Main', on this host or several. " +
        "Each process finds its rank by LaunchConfiguration.resolve(). When one fails, all others are ended. See " +
        "docs/guide/launching.md.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:All ranks ended with 0.",
        "2:The command line was not understood, or the job's directory could not be made.",
        "124:The time of --timeout was over.",
        "127:The program could not be started.",
        "N:Of the first rank that failed; 128 + the signal's number for a rank that was killed, or for this command."},
    mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer>
{
    private static final int MOST_RANKS = 4_096;

    private static final int NOT_FOUND = 127;
    private static final String SSH = "ssh -o BatchMode=yes {}";

    private CommandSpec spec;

    @Option(names = { "-n", "--ranks" }, paramLabel = "N", description = "Number of ranks, from 1 to 4096.")
    private int ranks;

    @Option(names = "--nodes", paramLabel = "LIST",
        description = "Hosts, as host[:port][*ranks] with commas between; without it all ranks run on this host.")
    private String nodes;

    @Option(names = "--agent", paramLabel = "COMMAND",
        description = "Runs its last argument as a shell command on the host {}, with --nodes; default " + SSH + ".")
    private String agent;

    @Option(names = "--env", paramLabel = "KEY=VALUE",
        description = "An environment variable of all ranks, beside those of this command; may be repeated.")
    private Map<String, String> environment = Map.of();

    @Option(names = "--tag-output", description = "Puts the rank before each line: [1] text.")
    private boolean isTagged;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationConverter.class,
        description = "Time after which the job is ended, such as 500ms, 10s or 2m; no limit without it.")
    private Duration timeout;

    @Option(names = "--grace", paramLabel = "TIME", defaultValue = "1s", converter = DurationConverter.class,
        description = "Time from SIGTERM to SIGKILL for ranks that have to end; default ${DEFAULT-VALUE}.")
    private Duration grace;

    @Option(names = "--bind-cores",
        description = "Rank r runs on one processor, the r-th of those that are allowed here, in turn.")
    private boolean isBound;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Where the job's directory is made; default TALLYPOST_DIRECTORY, else /dev/shm.")
    private File base;

    @Option(names = "--quiet", description = "Does not tell that there are more ranks than processors.")
    private boolean isQuiet;

    @Parameters(paramLabel = "COMMAND", arity = "1..*",
        description = "The program and its arguments. 'java' gets the flags that the runtime needs.")
    private List<String> command;

    /**
     * Options end with the program's name: what follows is the program's.
     *
     * @param commandSpec of this command.
     */
    @Spec
    void stopAtProgram(final CommandSpec commandSpec)
    {
        spec = commandSpec;
        commandSpec.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws InterruptedException
    {
        if (nodes == null && (ranks < 1 || ranks > MOST_RANKS))
        {
            throw new OptionException(spec.commandLine(), "--ranks: found " + ranks + ", expected 1 to " + MOST_RANKS);
        }
        checkOptions();
        final String needed = nodes == null ? command.get(0) : agentWords()[0];
        if (!LocalRanks.isFound(needed))
        {
            say("found no program '" + needed + "', expected a file that may be executed, here or on the PATH");
            return NOT_FOUND;
        }
        final Ranks place = place();
        try
        {
            return new Job(place, ranks, isTagged, timeout, this::say).run();
        }
        finally
        {
            close(place);
        }
    }

    private void checkOptions()
    {
        if (nodes == null && agent != null)
        {
            throw new OptionException(spec.commandLine(), "--agent: found without --nodes, which says the hosts");
        }
        for (final String key : environment.keySet())
        {
            final boolean isOwn = JobDirectory.VARIABLE.equals(key) ||
                Stream.of(LaunchSetting.values()).filter((setting) -> setting != LaunchSetting.LIVENESS_SECONDS)
                    .anyMatch((setting) -> setting.variable().equals(key));
            if (key.isEmpty() || isOwn)
            {
                throw new OptionException(spec.commandLine(), "--env: found the name '" + key + "', expected one that " +
                    (isOwn ? "the job does not set itself" : "has a letter"));
            }
        }
    }

    private String[] agentWords()
    {
        return (agent == null || agent.isBlank() ? SSH : agent).strip().split("\\s+");
    }

    private Ranks place()
    {
        try
        {
            return nodes == null ? local() : remote();
        }
        catch (final IOException ex)
        {
            throw new OptionException(spec.commandLine(), "--directory: " + ex.getMessage(), ex);
        }
        catch (final UnavailableToolException | IllegalArgumentException ex)
        {
            throw new OptionException(spec.commandLine(), ex.getMessage(), ex);
        }
    }

    /** What cannot be cleared away does not change how the job has ended. */
    private void close(final Ranks place)
    {
        try
        {
            place.close();
        }
        catch (final IOException ex)
        {
            say(ex.getMessage());
        }
    }

    private Ranks local() throws IOException
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        if (ranks > processors && !isQuiet)
        {
            say(ranks + " ranks on " + processors + (processors == 1 ? " processor" : " processors") +
                ": ranks that wait give way to others, and times will be longer than with a processor for each");
        }
        return new LocalRanks(new ProgramLine(command), ranks, isBound, environment, grace, base);
    }

    private Ranks remote()
    {
        if (isBound)
        {
            throw new IllegalArgumentException("--bind-cores binds ranks of this host only: found with --nodes " + nodes);
        }
        final Map<LaunchSetting, String> settings = new EnumMap<>(LaunchSetting.class);
        settings.put(LaunchSetting.NODES, nodes);
        settings.put(LaunchSetting.RANK, "0");
        if (ranks != 0)
        {
            settings.put(LaunchSetting.RANKS, Integer.toString(ranks));
        }
        final Topology topology = LaunchConfiguration.resolve(settings).topology();
        ranks = topology.rankCount();
        return new RemoteRanks(new ProgramLine(command), topology, nodes, List.of(agentWords()), environment, grace,
            base == null ? JobDirectory.defaultBase() : base);
    }

    private void say(final String text)
    {
        final PrintWriter err = spec.commandLine().getErr();
        // in one piece: ranks write to the same place
        err.print("tallypost run: " + text + System.lineSeparator());
        err.flush();
    }
}
