// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * Ranks on several hosts. An agent such as ssh brings a shell command to the host of each rank, and its output back.
 * <p>
 * The agent's input is the lifeline of its rank: the group's secret is the first line, and the end of the input ends the rank. So
 * ranks end when this process is killed, and the secret is on no command line.
 */
final class RemoteRanks implements Ranks
{
    private static final String HOST = "{}";
    private static final int SECRET_LENGTH = 32;
    private static final long REMOVAL_LIMIT_S = 10;
    /** For the way to the other hosts and back. */
    private static final Duration WAY = Duration.ofSeconds(3);

    /**
     * Runs "$@" until it ends, or the input does: then all processes of the job on the host end. $d is the job's directory, $g
     * the time of grace in seconds. A shell gives background processes no input unless it is told to.
     */
    private static final String SCRIPT = String.join("\n",
        "umask 077",
        "mkdir -p \"$d\" && IFS= read -r secret && printf '%s\\n' \"$secret\" > \"$d/secret.$$\" &&",
        "    mv -f \"$d/secret.$$\" \"$d/secret\" || exit 126",
        "all() { grep -lszxF \"" + JobDirectory.VARIABLE + "=$d\" /proc/[0-9]*/environ | cut -d / -f 3; }",
        "exec 3<&0",
        "\"$@\" < /dev/null 3<&- &",
        "child=$!",
        "{",
        "    while IFS= read -r line; do :; done",
        "    : > \"$d/over.$$\"",
        "    kill -TERM $child $(all); sleep $g; kill -KILL $child $(all); rm -rf \"$d\"",
        "} <&3 > /dev/null 2>&1 &",
        "watch=$!",
        "exec 3<&-",
        "wait $child",
        "code=$?",
        "[ -e \"$d/over.$$\" ] || kill $watch 2> /dev/null",
        "exit $code");

    private final ProgramLine program;
    private final Topology topology;
    private final String nodes;
    private final List<String> agent;
    private final Map<String, String> environment;
    private final Duration grace;
    private final String directory;
    private final String secret;

    /**
     * Ranks of several hosts.
     *
     * @param program     and its arguments, as the user gave it.
     * @param topology    of the group.
     * @param nodes       the same, as the user gave it.
     * @param agent       words of the command that brings a shell command to a host; {} in one of them is the host.
     * @param environment of the ranks.
     * @param grace       from SIGTERM to SIGKILL.
     * @param base        directory on each host in which the job's is made.
     */
    RemoteRanks(
        final ProgramLine program, final Topology topology, final String nodes, final List<String> agent,
        final Map<String, String> environment, final Duration grace, final File base)
    {
        this.program = program;
        this.topology = topology;
        this.nodes = nodes;
        this.agent = agent;
        this.environment = environment;
        this.grace = grace;
        final SecureRandom random = new SecureRandom();
        final byte[] bytes = new byte[SECRET_LENGTH];
        random.nextBytes(bytes);
        secret = Base64.getEncoder().encodeToString(bytes);
        directory = base + "/tallypost-run-" + Long.toHexString(random.nextLong());
    }

    private List<String> command(final int node, final String script)
    {
        final String host = topology.address(node).host();
        final List<String> words = agent.stream().map((word) -> word.replace(HOST, host))
            .collect(Collectors.toCollection(ArrayList::new));
        if (agent.stream().noneMatch((word) -> word.contains(HOST)))
        {
            words.add(host);
        }
        // whatever shell the host has for its user, sh runs the script
        words.add("exec sh -c " + quoted(script));
        return words;
    }

    /** One word for a shell. */
    static String quoted(final String word)
    {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    @Override
    public ProcessBuilder builder(final int rank)
    {
        final Map<String, String> variables = new TreeMap<>(environment);
        variables.put(LaunchSetting.RANK.variable(), Integer.toString(rank));
        variables.put(LaunchSetting.NODES.variable(), nodes);
        variables.put(LaunchSetting.RANKS.variable(), Integer.toString(topology.rankCount()));
        variables.put(LaunchSetting.GROUP.variable(), LocalRanks.GROUP);
        variables.put(LaunchSetting.DIRECTORY.variable(), directory);
        variables.put(JobDirectory.VARIABLE, directory);
        variables.put(LaunchSetting.SECRET_FILE.variable(), directory + "/secret");
        if (!program.isJava())
        {
            variables.put(LocalRanks.JAVA_OPTIONS, String.join(" ", ProgramLine.JAVA_FLAGS));
        }
        final List<String> words = new ArrayList<>(List.of("env"));
        variables.forEach((key, value) -> words.add(key + "=" + value));
        words.addAll(program.words());
        final String script = "cd " + quoted(System.getProperty("user.dir")) + " || exit 126\n" +
            "d=" + quoted(directory) + " g=" + Math.max(1, grace.toSeconds()) + "\n" +
            "set -- " + words.stream().map(RemoteRanks::quoted).collect(Collectors.joining(" ")) + "\n" + SCRIPT;
        return new ProcessBuilder(command(topology.nodeOf(rank), script));
    }

    @Override
    public void started(final Process process)
    {
        try
        {
            final OutputStream input = process.getOutputStream();
            input.write((secret + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        }
        catch (final IOException ignore)
        {
            // the agent has ended: its exit code tells
        }
    }

    @Override
    public String name(final int rank, final Process process)
    {
        return "rank " + rank + " (on " + topology.address(topology.nodeOf(rank)).host() + ")";
    }

    @Override
    public String program()
    {
        return agent.get(0);
    }

    @Override
    public void askToEnd(final Process process)
    {
        try
        {
            process.getOutputStream().close();
        }
        catch (final IOException ignore)
        {
            // it has ended
        }
    }

    @Override
    public Duration grace()
    {
        return grace.plus(WAY);
    }

    @Override
    public Stream<ProcessHandle> started()
    {
        return Stream.empty();
    }

    @Override
    public void close() throws IOException
    {
        final Map<String, Process> removals = new LinkedHashMap<>();
        for (int node = 0; node < topology.nodeCount(); node++)
        {
            final String host = topology.address(node).host();
            if (!removals.containsKey(host))
            {
                removals.put(host, new ProcessBuilder(command(node, "rm -rf " + quoted(directory)))
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
            }
        }
        try
        {
            await(removals);
        }
        finally
        {
            removals.values().forEach(Process::destroyForcibly);
        }
    }

    private void await(final Map<String, Process> removals) throws IOException
    {
        for (final Map.Entry<String, Process> removal : removals.entrySet())
        {
            if (!isDone(removal.getValue()))
            {
                final Process process = removal.getValue();
                throw new IOException(directory + " may be left on " + removal.getKey() + ": the agent that removes it " +
                    (process.isAlive() ? "has not ended within " + REMOVAL_LIMIT_S + " s" :
                    "has ended with exit code " + process.exitValue()));
            }
        }
    }

    private static boolean isDone(final Process removal)
    {
        try
        {
            removal.getOutputStream().close();
            return removal.waitFor(REMOVAL_LIMIT_S, TimeUnit.SECONDS) && removal.exitValue() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
