// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;
import picocli.CommandLine;

@Tag("once")
class DoctorTest
{
    private static final long MIB = 1L << 20;
    private static final String[] PLAN = {"--ranks", "8", "--nodes", "2", "--spinning", "6"};
    private static final String STATUS = "/proc/self/status";
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final String PROC = "22 27 0:21 / /proc rw,relatime - proc proc rw\n";

    @TempDir
    private Path root;

    private static CommandRun run(final Host host, final String... options)
    {
        final String[] args = Arrays.copyOf(options, options.length + 1);
        args[options.length] = PlantedHost.NODE.getPath();
        return CommandRun.of(new CommandLine(new DoctorCommand(host)), args);
    }

    @Test
    void shouldSayOneLineOfAHealthyMachine()
    {
        final PlantedHost host = PlantedHost.healthy(root);
        final CommandRun run = run(host, PLAN);
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals(1, run.output().lines().count(), run::toString);
        assertTrue(run.output().contains("no faults, no warnings"), run::toString);
        assertFalse(run.output().contains("note") || run.output().contains("unknown"), run::toString);

        final CommandRun all = run(host, "--verbose", "--ranks", "8", "--nodes", "2");
        assertEquals(0, all.exitCode(), all::toString);
        for (final String check : List.of("room", "file system", "directory", "memory limit", "huge pages", "mappings",
            "open files", "node", "leftovers", "pid namespace", "processes", "ptrace scope", "cross memory", "cores", "cpu quota",
            "clock", "mtu", "rmem_max", "wmem_max", "bulk", "platform", "jvm", "jvm flag", "garbage collection"))
        {
            assertTrue(all.output().lines().anyMatch((line) -> line.startsWith("ok       " + check + ": ")), check + all);
        }
    }

    @Test
    void shouldSayOneLineOfAHealthyNode()
    {
        final CommandRun run = run(PlantedHost.healthy(root).node(Liveness.ALIVE, 0));
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals(1, run.output().lines().count(), run::toString);
        final CommandRun bulk = run(PlantedHost.healthy(root).node(Liveness.ALIVE, 0, 100, 0), "--verbose");
        assertTrue(bulk.output().contains(
            "ok       bulk: 100 operations on memory of other nodes, 0 refused or lost, 3 under way"), bulk::toString);
    }

    private static Arguments planted(final String check, final Level level, final UnaryOperator<PlantedHost> fault)
    {
        return arguments(check, level, fault);
    }

    static Stream<Arguments> faults()
    {
        return Stream.of(
            planted("room", Level.FAULT, (host) -> host.room(64 * MIB, 300_000)),
            planted("file system", Level.FAULT, (host) ->
                host.file(MOUNTS, PROC + "30 25 0:27 / /dev/shm ro,relatime - tmpfs tmpfs rw\n")),
            planted("file system", Level.NOTE, (host) ->
                host.file(MOUNTS, PROC + "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n")),
            planted("huge pages", Level.WARNING, (host) ->
                host.file(MOUNTS, PROC + "30 25 0:27 / /dev/shm rw,relatime - tmpfs tmpfs rw,huge=always\n")),
            planted("huge pages", Level.WARNING, (host) -> host.file(
                "/sys/kernel/mm/transparent_hugepage/shmem_enabled", "always within_size advise never deny [force]")),
            planted("memory limit", Level.FAULT, (host) -> host.file("/sys/fs/cgroup/user.slice/memory.max", "33554432")
                .file("/sys/fs/cgroup/user.slice/memory.current", "33000000")),
            planted("memory limit", Level.WARNING, (host) -> host.file("/proc/self/cgroup", "4:memory:/docker/1\n1:cpu:/\n")
                .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "134217728")
                .file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "8192")),
            planted("mappings", Level.WARNING, (host) -> host.file("/proc/sys/vm/max_map_count", "4096")),
            planted("open files", Level.WARNING, (host) -> host.file("/proc/self/limits", "Max open files   256   256   files")),
            planted("directory", Level.WARNING, (host) -> host.place("/dev/shm", "rwxrwxrwx", false, 0, true)),
            planted("directory", Level.FAULT, (host) -> host.place("/dev/shm", "rwxr-xr-x", false, 0, false)),
            planted("directory", Level.FAULT, (host) -> host.node(Liveness.ALIVE, 0)
                .place(PlantedHost.NODE.getPath(), "rwxrwx---", false, 1_000, true)),
            planted("directory", Level.FAULT, (host) -> host.node(Liveness.ALIVE, 0)
                .place(PlantedHost.NODE.getPath(), "rwx------", false, 1_001, true)),
            planted("node", Level.FAULT, (host) -> host.node(PlantedHost.NODE, NodeFacts.unreadable("of another version"))),
            planted("leftovers", Level.WARNING, (host) -> host.node(Liveness.DEAD, 7)),
            planted("leftovers", Level.NOTE, (host) -> host.node(Liveness.ALIVE, 1)),
            planted("processes", Level.WARNING, (host) -> host.node(Liveness.UNKNOWN, 0)),
            planted("pid namespace", Level.WARNING, (host) ->
                host.file(STATUS, "NSpid:\t90210\t4711\nCpus_allowed_list:\t0-7")),
            planted("pid namespace", Level.WARNING, (host) -> host.file(STATUS, "NSpid:\t90210\nCpus_allowed_list:\t0-7")),
            planted("pid namespace", Level.WARNING, (host) ->
                host.file(MOUNTS, "22 27 0:21 / /proc rw - proc proc rw,hidepid=2\n" +
                "30 25 0:27 / /dev/shm rw,relatime - tmpfs tmpfs rw\n")),
            planted("ptrace scope", Level.NOTE, (host) -> host.file("/proc/sys/kernel/yama/ptrace_scope", "1")),
            planted("cores", Level.WARNING, (host) -> host.file(STATUS, "NSpid:\t4711\nCpus_allowed_list:\t0-2,5")),
            planted("cpu quota", Level.WARNING, (host) -> host.file("/sys/fs/cgroup/cpu.max", "150000 100000")),
            planted("cpu quota", Level.WARNING, (host) -> host.file("/proc/self/cgroup", "2:cpu,cpuacct:/docker/1\n")
                .file("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "50000")
                .file("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000")),
            planted("clock", Level.WARNING, (host) ->
                host.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet")),
            planted("mtu", Level.WARNING, (host) -> host.file("/sys/class/net/eth0/mtu", "1500")),
            planted("rmem_max", Level.WARNING, (host) -> host.file("/proc/sys/net/core/rmem_max", "212992")),
            planted("wmem_max", Level.WARNING, (host) -> host.file("/proc/sys/net/core/wmem_max", "65536")),
            planted("bulk", Level.NOTE, (host) -> host.node(Liveness.ALIVE, 0, 100, 7)),
            planted("platform", Level.FAULT, (host) -> host.jvm(17, "Mac OS X", true)),
            planted("jvm", Level.FAULT, (host) -> host.jvm(11, "Linux", true)),
            planted("jvm flag", Level.FAULT, (host) -> host.jvm(17, "Linux", false)),
            planted("garbage collection", Level.WARNING, (host) -> host.node(Liveness.ALIVE, 0)
                .file("/proc/4712/cmdline", "java\0-XX:-DisableExplicitGC\0-XX:+DisableExplicitGC\0Main\0")));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldFindWhatIsPlantedAndNothingElse(final String check, final Level level, final UnaryOperator<PlantedHost> fault)
        throws IOException
    {
        final PlantedHost host = fault.apply(PlantedHost.healthy(root));
        final CommandRun run = run(host, Stream.concat(Stream.of("--json"), Stream.of(PLAN)).toArray(String[]::new));
        assertEquals(Math.max(0, level.compareTo(Level.NOTE)), run.exitCode(), run::toString);
        final JsonNode json = new ObjectMapper().readTree(run.output());
        assertEquals(level.label(), json.path("worst").asText(), run::toString);
        int found = 0;
        for (final JsonNode each : json.path("checks"))
        {
            if (!each.path("level").asText().equals("ok"))
            {
                found++;
                assertEquals(check, each.path("check").asText(), run::toString);
                assertEquals(level.label(), each.path("level").asText(), run::toString);
                for (final String part : List.of("found", "expected", "change"))
                {
                    assertFalse(each.path(part).asText().isBlank(), () -> part + run);
                }
            }
        }
        assertEquals(1, found, run::toString);

        final CommandRun text = run(host, PLAN);
        assertEquals(level == Level.NOTE ? 1 : 4, text.output().lines().count(), text::toString);
        assertTrue(level == Level.NOTE ? text.output().contains("1 note (--verbose") :
            text.output().startsWith(level.label()) && text.output().contains("  change: "), text::toString);
    }

    @Test
    void shouldCallUnknownWhatIsNotThere()
    {
        final CommandRun run = run(new PlantedHost(root).noRoom(), PLAN);
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals(1, run.output().lines().count(), run::toString);
        assertTrue(run.output().contains(" unknown (--verbose shows all)"), run::toString);
        final CommandRun all = run(new PlantedHost(root).noRoom(), "--verbose", "--nodes", "2");
        assertEquals(15, all.output().lines().filter((line) -> line.startsWith("unknown ")).count(), all::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "x", "-1", "0", "99999999999999999999999", "a b c d e f g - h", "[", "]", ": : :", "::/..",
        "1:cpu:x", "0-\t", "NSpid:", "Cpus_allowed_list: 3-x", "Max open files", "max"})
    void shouldSurviveAnyContents(final String text) throws IOException
    {
        final PlantedHost host = PlantedHost.healthy(root);
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                Files.writeString(file, text);
            }
        }
        final CommandRun run = run(host, "--json", "--nodes", "2");
        assertTrue(run.exitCode() <= 2 && run.output().startsWith("{"), run::toString);
        assertEquals("", run.errors());
    }

    @Test
    void shouldLookForDeadNodesBelowADirectory()
    {
        final PlantedHost host = PlantedHost.healthy(root).node(Liveness.DEAD, 3);
        final CommandRun run = CommandRun.of(new CommandLine(new DoctorCommand(host)));
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.output().contains("leftovers: 1 node without a living process, 12 KiB: /dev/shm/node"), run::toString);
    }

    @Test
    void shouldExamineThisMachineAndARealNode() throws IOException
    {
        final Path node = root.resolve("node");
        final JsonNode before;
        try (ForkedJvm holder = HeldNode.start(node))
        {
            before = new ObjectMapper().readTree(CommandRun.of("doctor", "--json", node.toString()).output());
            holder.kill();
        }
        assertEquals("ok", level(before, "leftovers"), before::toString);
        assertTrue(before.toString().contains("2 of 3 ranks open"), before::toString);
        final JsonNode after = new ObjectMapper().readTree(CommandRun.of("doctor", "--json", node.toString()).output());
        assertEquals("warning", level(after, "leftovers"), after::toString);
        final JsonNode above = new ObjectMapper().readTree(CommandRun.of("doctor", "--json", root.toString()).output());
        assertEquals("warning", level(above, "leftovers"), above::toString);
        assertEquals(0, CommandRun.of("clean", node.toString()).exitCode());
        final JsonNode clean = new ObjectMapper().readTree(CommandRun.of("doctor", "--json", root.toString()).output());
        assertEquals("ok", level(clean, "leftovers"), clean::toString);
    }

    private static String level(final JsonNode report, final String check)
    {
        for (final JsonNode each : report.path("checks"))
        {
            if (each.path("check").asText().equals(check))
            {
                return each.path("level").asText();
            }
        }
        return "none";
    }

    @Test
    void shouldReadAWholeFileOfTheSystem()
    {
        final String file = "/proc/sys/kernel/pid_max";
        // at least 301, and no digit of it is lost; nothing where there is no such system
        final Optional<String> text = new SystemHost(Path.of("/")).text(file);
        assertTrue(Numbers.of(text).orElse(301) >= 301, () -> "found " + text);
    }

    @Test
    void shouldRefuseAPlanThatCannotBe()
    {
        final PlantedHost host = PlantedHost.healthy(root);
        for (final String[] options : new String[][]{{"--ranks", "-1"}, {"--slots", "0"}, {"--nodes", "0"}, {"--spinning", "-2"},
            {"--ranks", "1000000", "--slots", "4096"}, {"--ranks", "many"}})
        {
            final CommandRun run = run(host, options);
            assertEquals(2, run.exitCode(), run::toString);
            assertEquals("", run.output());
        }
    }
}
