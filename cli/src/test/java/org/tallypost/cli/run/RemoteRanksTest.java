// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.Tallypost;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Ranks on two hosts, which are two addresses of this one; the agent is a script that does what ssh does. */
@Tag("once")
class RemoteRanksTest
{
    @TempDir
    private File directory;
    @TempDir
    private File files;
    private final List<Process> launchers = new ArrayList<>();
    private String agent;
    private String nodes;

    @BeforeEach
    void writeAgent() throws IOException
    {
        final File script = new File(files, "agent");
        Files.writeString(script.toPath(), "#!/bin/sh\necho \"$1\" >> '" + new File(files, "hosts") + "'\nexec sh -c \"$2\"\n");
        assertTrue(script.setExecutable(true));
        agent = script + " {}";
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            nodes = "127.0.0.1:" + socket.getLocalPort() + "*1,127.0.0.2:" + socket.getLocalPort() + "*2";
        }
    }

    @AfterEach
    void endLaunchers() throws InterruptedException
    {
        for (final Process launcher : launchers)
        {
            launcher.destroy();
            if (!launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS))
            {
                launcher.destroyForcibly();
            }
        }
    }

    private Process start(final List<String> command) throws IOException
    {
        final List<Object> words = new ArrayList<>(List.of("run", "--directory", directory, "--nodes", nodes, "--agent", agent,
            "--tag-output"));
        words.addAll(command);
        final Process launcher = new ProcessBuilder(ForkedJvm.command(Tallypost.class, List.of(), words.toArray()))
            .redirectOutput(new File(files, "output")).redirectError(new File(files, "errors")).start();
        launchers.add(launcher);
        return launcher;
    }

    private List<String> lines(final String name)
    {
        try
        {
            return Files.readAllLines(new File(files, name).toPath());
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private int codeOf(final Process launcher) throws InterruptedException
    {
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of the job");
        assertEquals(List.of(), List.of(directory.list()), "the job's directory is gone");
        return launcher.exitValue();
    }

    private List<ProcessHandle> awaitRanks(final int count)
    {
        Watchdog.await("pids of " + count + " ranks in " + files, () -> new File(files, "pids").isFile() &&
            lines("pids").size() == count);
        return lines("pids").stream().map((pid) -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow()).toList();
    }

    private List<String> rank(final String then)
    {
        return List.of("sh", "-c", "echo $$ >> '" + new File(files, "pids") + "'; " + then);
    }

    @Test
    void shouldBringRanksOfTwoHostsTogether() throws IOException, InterruptedException
    {
        final List<String> hello = ForkedJvm.command(Tallypost.class, List.of(), "hello", "--timeout", "600s");
        hello.removeAll(ForkedJvm.ADD_OPENS);
        assertEquals(0, codeOf(start(hello)), () -> String.join("\n", lines("errors")));
        final Set<String> begins = new TreeSet<>();
        lines("output").forEach((line) -> begins.add(line.substring(0, line.indexOf(", without"))));
        assertEquals(Set.of("[0] rank 0 of 3, node 0 of 2", "[1] rank 1 of 3, node 1 of 2", "[2] rank 2 of 3, node 1 of 2"),
            begins);
        assertEquals(List.of("127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2", "127.0.0.2"),
            lines("hosts").stream().sorted().toList(), "one for each rank, and one for each host to clear away");
    }

    @Test
    void shouldKeepWordsAsTheyAre() throws IOException, InterruptedException
    {
        final Process launcher = start(List.of("--env", "TEXT=it's \"so\" $HOME", "sh", "-c", "echo \"$TEXT|$1|$2\"", "sh",
            "a  b",
            "'*'"));
        assertEquals(0, codeOf(launcher), () -> String.join("\n", lines("errors")));
        assertEquals(List.of("[0] it's \"so\" $HOME|a  b|'*'", "[1] it's \"so\" $HOME|a  b|'*'",
            "[2] it's \"so\" $HOME|a  b|'*'"), lines("output").stream().sorted().toList());
    }

    @Test
    void shouldEndAllWithTheCodeOfTheFirstThatFails() throws IOException, InterruptedException
    {
        final Process launcher = start(rank("if [ $TALLYPOST_RANK = 2 ]; then exit 3; fi; exec sleep 1000"));
        assertEquals(3, codeOf(launcher), () -> String.join("\n", lines("errors")));
        assertTrue(lines("errors").toString().contains("rank 2 (on 127.0.0.2) failed: exit code 3"), lines("errors")::toString);
        // some have perhaps been ended before they said which they are
        lines("pids").forEach((pid) -> assertTrue(ProcessHandle.of(Long.parseLong(pid)).isEmpty(), pid + " lives"));
    }

    @Test
    void shouldEndAllIfItIsKilledItself() throws IOException, InterruptedException
    {
        final Process launcher = start(rank("exec sleep 1000"));
        final List<ProcessHandle> ranks = awaitRanks(3);
        launcher.destroyForcibly();
        Watchdog.await("end of the ranks of a launcher that was killed", () -> ranks.stream().noneMatch(ProcessHandle::isAlive));
        Watchdog.await("end of the job's directory, found " + Arrays.toString(directory.list()),
            () -> directory.list().length == 0);
    }

    @Test
    void shouldKillThoseThatDoNotEnd() throws IOException, InterruptedException
    {
        final Process launcher = start(rank("trap '' TERM; while :; do sleep 1; done"));
        final List<ProcessHandle> ranks = awaitRanks(3);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), () -> String.join("\n", lines("errors")));
        Watchdog.await("end of ranks that ignore SIGTERM", () -> ranks.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void shouldEndWhatRanksHaveStarted() throws IOException, InterruptedException
    {
        final Process launcher = start(List.of("sh", "-c", "sleep 1000 & echo $! >> '" + new File(files, "pids") + "'; wait"));
        final List<ProcessHandle> started = awaitRanks(3);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), () -> String.join("\n", lines("errors")));
        Watchdog.await("end of what the ranks had started", () -> started.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void shouldKeepTheCodeOfTheJobIfItsDirectoryIsLeft() throws IOException, InterruptedException
    {
        Files.writeString(new File(files, "agent").toPath(), "#!/bin/sh\nexit 255\n");
        final Process launcher = start(List.of("true"));
        assertEquals(255, codeOf(launcher), () -> String.join("\n", lines("errors")));
        assertTrue(lines("errors").toString().contains("may be left on 127.0.0.1: the agent that removes it has ended with " +
            "exit code 255"), lines("errors")::toString);
    }

    @Test
    void shouldSayWhatCannotBe()
    {
        assertRefused(127, "found no program 'no-such-agent'", "--nodes", nodes, "--agent", "no-such-agent {}");
        assertRefused(2, "ranks of the nodes do not fit", "-n", "9", "--nodes", nodes, "--agent", agent);
        assertRefused(2, "--bind-cores binds ranks of this host only", "--bind-cores", "--nodes", nodes, "--agent", agent);
    }

    private static void assertRefused(final int code, final String text, final String... options)
    {
        final List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options));
        words.add("true");
        final CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertEquals(code, run.exitCode(), run.errors());
        assertTrue(run.errors().contains(text), run.errors());
    }
}
