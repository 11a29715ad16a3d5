// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.Tallypost;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Jobs of real processes: what they are told, how they end, and what is left. */
@Tag("once")
class RunCommandTest
{
    private static final String SLEEP = "sleep 1000";

    @TempDir
    private File directory;
    @TempDir
    private File outputs;
    private final List<Process> launchers = new ArrayList<>();

    @AfterEach
    void endLaunchers() throws InterruptedException
    {
        for (final Process launcher : launchers)
        {
            // ends its ranks by itself
            launcher.destroy();
            if (!launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS))
            {
                launcher.destroyForcibly();
            }
        }
    }

    private Process start(final String... arguments) throws IOException
    {
        final Object[] all = new Object[arguments.length + 4];
        System.arraycopy(new Object[]{ "run", "--quiet", "--directory", directory.getPath() }, 0, all, 0, 4);
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        final Process launcher = new ProcessBuilder(ForkedJvm.command(Tallypost.class, List.of(), all))
            .redirectOutput(new File(outputs, "output")).redirectError(new File(outputs, "errors")).start();
        launchers.add(launcher);
        return launcher;
    }

    private String text(final String name) throws IOException
    {
        return Files.readString(new File(outputs, name).toPath());
    }

    private int codeOf(final Process launcher) throws InterruptedException, IOException
    {
        final boolean isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of the job");
        assertEquals(List.of(), List.of(directory.list()), "the job's directory is gone");
        return launcher.exitValue();
    }

    /** Waits until so many ranks have said which processes they are. */
    private List<ProcessHandle> awaitRanks(final int count)
    {
        final List<ProcessHandle> handles = new ArrayList<>();
        Watchdog.await("pids of " + count + " ranks in " + outputs, () -> new File(outputs, "pids").isFile() &&
            lines("pids").size() == count);
        lines("pids").forEach((pid) -> handles.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow()));
        return handles;
    }

    private List<String> lines(final String name)
    {
        try
        {
            return Files.readAllLines(new File(outputs, name).toPath());
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** A rank that says which process it is, and then does something. */
    private String[] rank(final int ranks, final String then)
    {
        return rank(ranks, "", then);
    }

    /** The first part comes before the rank is known to be there: a signal finds the traps that are set in it. */
    private String[] rank(final int ranks, final String first, final String then)
    {
        return new String[]{ "-n", Integer.toString(ranks), "sh", "-c",
            first + "echo $$ >> '" + new File(outputs, "pids") + "'; " + then };
    }

    @Test
    void shouldBringRanksTogether() throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of("-n", "4", "--tag-output"));
        final List<String> hello = ForkedJvm.command(Tallypost.class, List.of(), "hello", "--timeout", "600s");
        // run itself gives what Agrona needs
        hello.removeAll(ForkedJvm.ADD_OPENS);
        words.addAll(hello);
        assertEquals(0, codeOf(start(words.toArray(String[]::new))), () -> String.join("\n", lines("errors")));
        final Set<String> begins = new TreeSet<>();
        lines("output").forEach((line) -> begins.add(line.substring(0, line.indexOf(','))));
        assertEquals(Set.of("[0] rank 0 of 4", "[1] rank 1 of 4", "[2] rank 2 of 4", "[3] rank 3 of 4"), begins);
    }

    @Test
    void shouldGiveFlagsToJavaBehindAnotherProgram() throws IOException, InterruptedException
    {
        final List<String> hello = ForkedJvm.command(Tallypost.class, List.of(), "hello", "--timeout", "600s");
        hello.removeAll(ForkedJvm.ADD_OPENS);
        final List<String> words = new ArrayList<>(List.of("-n", "2", "sh", "-c", "\"$@\"", "sh"));
        words.addAll(hello);
        assertEquals(0, codeOf(start(words.toArray(String[]::new))), () -> String.join("\n", lines("errors")));
        assertEquals(2, lines("output").size(), () -> String.join("\n", lines("output")));
    }

    @Test
    void shouldEndAllWithTheCodeOfTheFirstThatFails() throws IOException, InterruptedException
    {
        final Process launcher = start(rank(3, "if [ $TALLYPOST_RANK = 1 ]; then exit 3; fi; " + SLEEP));
        final int code = codeOf(launcher);
        assertEquals(3, code, text("errors"));
        assertTrue(text("errors").contains("tallypost run: rank 1 (pid "), text("errors"));
        assertTrue(text("errors").contains(" failed: exit code 3; the others were ended: "), text("errors"));
    }

    @Test
    void shouldEndAllIfOneIsKilled() throws IOException, InterruptedException
    {
        // those that ignore SIGTERM, too, and what they have started
        final Process launcher = start(rank(3, "trap '' TERM; ", SLEEP + "; true"));
        final List<ProcessHandle> ranks = awaitRanks(3);
        final List<ProcessHandle> all = new ArrayList<>(ranks);
        Watchdog.await("what the ranks start", () -> ranks.stream().allMatch((rank) -> rank.children().findAny().isPresent()));
        ranks.forEach((rank) -> all.addAll(rank.descendants().toList()));
        final long victim = ranks.get(0).pid();
        ranks.get(0).destroyForcibly();
        assertEquals(137, codeOf(launcher), text("errors"));
        assertTrue(text("errors").contains("(pid " + victim + ") failed: exit code 137 (SIGKILL)"), text("errors"));
        // also what the killed one has started
        all.forEach((process) -> assertFalse(process.isAlive(), process + " lives"));
    }

    @Test
    void shouldEndAllIfItIsEndedItself() throws IOException, InterruptedException
    {
        final Process launcher = start(rank(2, SLEEP));
        final List<ProcessHandle> ranks = awaitRanks(2);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), text("errors"));
        ranks.forEach((rank) -> assertFalse(rank.isAlive(), rank + " lives"));
    }

    /** As of a terminal that is closed, a key for the end, and a user that ends it. */
    @ParameterizedTest
    @CsvSource({ "HUP,129", "INT,130", "TERM,143" })
    void shouldEndAllWhenASignalComes(final String signal, final int code) throws IOException, InterruptedException
    {
        assumeFalse(isIgnored(code - 128), "SIG" + signal + " is ignored where this build was started, and so by its children");
        final Process launcher = start(rank(2, SLEEP + "; true"));
        final List<ProcessHandle> ranks = awaitRanks(2);
        signal(signal, launcher.pid());
        assertEquals(code, codeOf(launcher), text("errors"));
        ranks.forEach((rank) -> assertFalse(rank.isAlive(), rank + " lives"));
    }

    private static boolean isIgnored(final int signal) throws IOException
    {
        final String prefix = "SigIgn:";
        final String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter((line) -> line.startsWith(prefix)).findFirst().orElse(prefix + "0").substring(prefix.length()).trim();
        return (Long.parseUnsignedLong(mask, 16) >>> signal - 1 & 1) != 0;
    }

    /** The launcher prints its threads. Whether a rank that is no JVM takes the signal depends on the JDK that has started it. */
    @Test
    void shouldGoOnForAQuit() throws IOException, InterruptedException
    {
        final Process launcher = start(rank(2, "exec sleep 1000"));
        final List<ProcessHandle> ranks = awaitRanks(2);
        signal("QUIT", launcher.pid());
        Watchdog.await("stacks of the launcher's threads", () -> lines("output").stream()
            .anyMatch((line) -> line.startsWith("Full thread dump")));
        ranks.forEach((rank) -> assertTrue(rank.isAlive(), rank + " has ended"));
        launcher.destroy();
        assertEquals(143, codeOf(launcher), text("errors"));
        ranks.forEach((rank) -> assertFalse(rank.isAlive(), rank + " lives"));
    }

    private static void signal(final String name, final long pid) throws IOException, InterruptedException
    {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor());
    }

    @Test
    void shouldLeaveNothingIfItIsKilledItself() throws IOException, InterruptedException
    {
        assumeTrue(LocalRanks.isFound("setpriv"), "setpriv is not on the PATH: ranks of a killed launcher live on");
        final Process launcher = start(rank(2, SLEEP + "; true"));
        final List<ProcessHandle> ranks = awaitRanks(2);
        Watchdog.await("what the ranks start", () -> ranks.stream().allMatch((rank) -> rank.children().findAny().isPresent()));
        final List<ProcessHandle> all = new ArrayList<>(ranks);
        ranks.forEach((rank) -> all.addAll(rank.descendants().toList()));
        launcher.destroyForcibly();
        Watchdog.await("end of the ranks of a launcher that was killed", () -> ranks.stream().noneMatch(ProcessHandle::isAlive));
        launcher.waitFor();
        assertEquals(1, directory.list().length, () -> Arrays.toString(directory.list()));
        // the next one removes what is left
        assertEquals(0, codeOf(start("-n", "1", "true")), text("errors"));
        Watchdog.await("end of what the ranks had started", () -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void shouldNotRemoveWhatLivingJobsUse() throws IOException, InterruptedException
    {
        final Process first = start(rank(2, SLEEP));
        awaitRanks(2);
        final String[] before = directory.list();
        final Process second = start("-n", "1", "true");
        assertTrue(second.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(List.of(before), List.of(directory.list()));
        first.destroy();
        assertEquals(143, codeOf(first), text("errors"));
    }

    @Test
    void shouldLoseNoLineAtTheEnd() throws IOException, InterruptedException
    {
        final Process launcher = start("-n", "2", "seq", "20000");
        assertEquals(0, codeOf(launcher), text("errors"));
        assertEquals(40_000, lines("output").size());
    }

    @Test
    void shouldPassOnWhatRanksSayAtTheirEnd() throws IOException, InterruptedException
    {
        final Process launcher = start(Stream.concat(Stream.of("--grace", "60s"), Stream.of(
            rank(2, "trap 'echo bye; exit 0' TERM; ", "while :; do sleep 0.1; done"))).toArray(String[]::new));
        awaitRanks(2);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), text("errors"));
        assertEquals(List.of("bye", "bye"), lines("output"));
    }

    @Test
    void shouldEndWhatIsStartedWhileRanksEnd() throws IOException, InterruptedException
    {
        final Process launcher = start(rank(2, "late() { sleep 1000 > /dev/null 2>&1 & echo $! >> '" +
            new File(outputs, "late") + "'; exit 0; }; trap late TERM; ", "while :; do sleep 0.1; done"));
        awaitRanks(2);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), text("errors"));
        assertEquals(2, lines("late").size());
        lines("late").forEach((pid) -> Watchdog.await("end of " + pid, () -> ProcessHandle.of(Long.parseLong(pid)).isEmpty()));
    }

    @Test
    void shouldEndJobsInsideJobs() throws IOException, InterruptedException
    {
        final List<String> inner = ForkedJvm.command(Tallypost.class, List.of(), "run", "--quiet", "-n", "1", "sh", "-c",
            "trap '' TERM; echo $$ >> '" + new File(outputs, "pids") + "'; while :; do sleep 1; done");
        final List<String> words = new ArrayList<>(List.of("-n", "1", "sh", "-c", "\"$@\" & wait", "sh"));
        words.addAll(inner);
        final Process launcher = start(words.toArray(String[]::new));
        final List<ProcessHandle> ranks = awaitRanks(1);
        launcher.destroy();
        assertEquals(143, codeOf(launcher), text("errors"));
        Watchdog.await("end of the inner rank", () -> ranks.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void shouldEndAllWhenTheTimeIsOver() throws IOException, InterruptedException
    {
        final Process launcher = start("-n", "2", "--timeout", "100ms", "sleep", "1000");
        assertEquals(Job.TIMED_OUT, codeOf(launcher), text("errors"));
        assertTrue(text("errors").contains("the time of --timeout, 100 ms, is over"), text("errors"));
        assertTrue(text("errors").contains("rank 0 (pid "), text("errors"));
    }

    @Test
    void shouldPassInputToTheFirstRankAlone() throws IOException, InterruptedException
    {
        final Process launcher = start("-n", "3", "--tag-output", "cat");
        try (var input = launcher.getOutputStream())
        {
            input.write("one\ntwo".getBytes());
        }
        assertEquals(0, codeOf(launcher), text("errors"));
        assertEquals(List.of("[0] one", "[0] two"), lines("output"));
    }

    @Test
    void shouldSetVariables() throws IOException, InterruptedException
    {
        final Process launcher = start("-n", "1", "--env", "COLOUR=deep blue", "sh", "-c", "echo \"$COLOUR $TALLYPOST_RANKS\"");
        assertEquals(0, codeOf(launcher), text("errors"));
        assertEquals(List.of("deep blue 1"), lines("output"));
    }

    @Test
    void shouldBindEachRankToOneProcessor() throws IOException, InterruptedException
    {
        assumeTrue(LocalRanks.isFound("taskset"), "taskset is not on the PATH: no rank is bound");
        final Process launcher = start("-n", "2", "--tag-output", "--bind-cores", "sh", "-c",
            "grep Cpus_allowed_list /proc/self/status");
        assertEquals(0, codeOf(launcher), text("errors"));
        final int[] processors = AllowedProcessors.read();
        for (int rank = 0; rank < 2; rank++)
        {
            final String line = "[" + rank + "] Cpus_allowed_list:\t" + processors[rank % processors.length];
            assertTrue(lines("output").contains(line), () -> "expected " + line + ", found " + lines("output"));
        }
    }

    @Test
    void shouldEndIfNothingTakesTheOutput() throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of("sh", "-c", "(\"$@\"; echo code $? >&2) | head -n 1", "sh"));
        words.addAll(ForkedJvm.command(Tallypost.class, List.of(), "run", "--quiet", "--directory", directory.getPath(),
            "-n", "2", "yes"));
        final Process piped = new ProcessBuilder(words).redirectOutput(new File(outputs, "output"))
            .redirectError(new File(outputs, "errors")).start();
        launchers.add(piped);
        assertEquals(0, codeOf(piped), text("errors"));
        assertTrue(text("errors").contains("the output takes no more"), text("errors"));
        assertTrue(text("errors").contains("code 1"), text("errors"));
    }

    @Test
    void shouldLeaveNothingBehindInManyJobs()
    {
        for (int i = 0; i < 50; i++)
        {
            final CommandRun run = CommandRun.of("run", "-n", "2", "--quiet", "--directory", directory.getPath(),
                i % 2 == 0 ? "true" : "false");
            assertEquals(i % 2, run.exitCode(), run.errors());
            assertEquals(List.of(), List.of(directory.list()));
        }
    }

    @Test
    void shouldSayWhatCannotBe() throws IOException
    {
        final String place = directory.getPath();
        assertRefused(2, "--ranks: found 0, expected 1 to 4096", "run", "-n", "0", "true");
        assertRefused(2, "--ranks: found 5000, expected 1 to 4096", "run", "-n", "5000", "true");
        assertRefused(2, "Missing required parameter", "run", "-n", "2");
        assertRefused(2, "--ranks: found 0", "run", "true");
        assertRefused(2, "Unknown option", "run", "-n", "2", "--fast", "true");
        assertRefused(127, "found no program 'no-such-program'", "run", "-n", "2", "--quiet", "no-such-program");
        assertRefused(127, "found no program '" + place + "'", "run", "-n", "2", "--quiet", place);
        assertRefused(2, "--env: found the name 'TALLYPOST_RANK'", "run", "-n", "1", "--env", "TALLYPOST_RANK=5", "true");
        assertRefused(2, "--agent: found without --nodes", "run", "-n", "1", "--agent", "ssh {}", "true");
        assertRefused(0, "", "run", "-n", "1", "--directory", place, "--timeout", "200000000m", "true");
        assertRefused(2, place + "/none is no directory", "run", "-n", "1", "--directory", place + "/none", "true");
        final Path text = Files.writeString(new File(outputs, "text").toPath(), "exec 2>&-\nno program of any kind\n");
        assertTrue(text.toFile().setExecutable(true));
        final CommandRun run = CommandRun.of("run", "-n", "2", "--quiet", "--directory", place, text.toString());
        assertTrue(run.exitCode() != 0, run.errors());
    }

    private static void assertRefused(final int code, final String text, final String... arguments)
    {
        final CommandRun run = CommandRun.of(arguments);
        assertEquals(code, run.exitCode(), run.errors());
        assertTrue(run.errors().contains(text), run.errors());
    }

    @Test
    void shouldTellOfMoreRanksThanProcessors()
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        final CommandRun run = CommandRun.of("run", "-n", Integer.toString(processors + 1),
            "--directory", directory.getPath(), "true");
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.errors().contains(processors + 1 + " ranks on " + processors + " processor"), run.errors());
    }
}
