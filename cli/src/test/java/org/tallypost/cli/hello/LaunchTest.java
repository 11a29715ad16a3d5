// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.hello;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.cli.Tallypost;
import org.tallypost.mailbox.ForkedJvm;

/** Four ranks on two nodes, started by a launcher, or by this test with the variables of one. */
@Tag("once")
class LaunchTest
{
    private static final int RANKS = 4;
    private static final String TWO_NODES = "127.0.0.1,127.0.0.2";
    private static final List<String> HELLO = ForkedJvm.command(Tallypost.class, List.of(), "hello", "--timeout", "600s");

    @TempDir
    private File directory;
    private final List<Process> processes = new ArrayList<>();
    private String port;

    @BeforeEach
    void writeSecret() throws IOException
    {
        Files.writeString(new File(directory, "secret").toPath(), "a secret of the tests, not random\n");
        Files.setPosixFilePermissions(new File(directory, "secret").toPath(), PosixFilePermissions.fromString("rw-------"));
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            port = Integer.toString(socket.getLocalPort());
        }
    }

    private Process start(final List<String> command, final String name, final Map<String, String> variables) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(command);
        final Map<String, String> environment = builder.environment();
        environment.keySet().removeIf((key) -> key.matches("(TALLYPOST|OMPI|PMIX?|SLURM|KUBERNETES|JOB|MPI)_.*"));
        environment.put("TALLYPOST_DIRECTORY", directory.getPath());
        environment.put("TALLYPOST_SECRET_FILE", new File(directory, "secret").getPath());
        environment.put("TALLYPOST_PORT", port);
        environment.putAll(variables);
        final Process process = builder.redirectErrorStream(true).redirectOutput(new File(directory, name)).start();
        processes.add(process);
        return process;
    }

    /** What all of them said, when they have ended. */
    private String output(final String... names) throws IOException, InterruptedException
    {
        final StringBuilder text = new StringBuilder();
        boolean isEnded = true;
        for (final Process process : processes)
        {
            isEnded &= process.waitFor(900, TimeUnit.SECONDS);
        }
        processes.forEach(Process::destroyForcibly);
        for (final String name : names)
        {
            text.append(Files.readString(new File(directory, name).toPath(), StandardCharsets.UTF_8));
        }
        assertTrue(isEnded, text::toString);
        for (final Process process : processes)
        {
            assertEquals(0, process.exitValue(), text::toString);
        }
        return text.toString();
    }

    private void assertGreeted(final String output, final String launcher, final int nodes) throws IOException
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            final StringBuilder heard = new StringBuilder();
            for (int other = 0; other < RANKS; other++)
            {
                heard.append(other == rank ? "" :
                    (heard.length() == 0 ? "" : ", ") + other + " on node " + other * nodes / RANKS);
            }
            final String line = "rank " + rank + " of 4, node " + rank * nodes / RANKS + " of " + nodes + ", launched by " +
                launcher + ", heard from " + heard;
            assertTrue(output.contains(line), () -> "expected: " + line + "\nfound: " + output);
        }
        try (Stream<String> left = Stream.of(directory.list()))
        {
            assertEquals(List.of(), left.filter((name) -> name.startsWith("tallypost-")).toList(), "nodes are removed");
        }
    }

    @Test
    void shouldStartByMpirun() throws IOException, InterruptedException
    {
        final boolean isInstalled = Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch((place) -> new File(place, "mpirun").canExecute());
        assumeTrue(isInstalled, "mpirun is not on the PATH: nothing was started by it");
        final List<String> command = new ArrayList<>(
            List.of("mpirun", "-n", Integer.toString(RANKS), "--oversubscribe", "--bind-to", "none"));
        command.addAll(HELLO);
        start(command, "output", Map.of("TALLYPOST_NODES", TWO_NODES, "TALLYPOST_GROUP", "by-mpirun",
            "OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        assertGreeted(output("output"), "OPEN_MPI", 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "SLURM|2|SLURM_PROCID=RANK SLURM_NTASKS=4 SLURM_STEP_NODELIST=127.0.0.[1-2] SLURM_STEP_TASKS_PER_NODE=2(x2)",
        "PMI|2|PMI_RANK=RANK PMI_SIZE=4 TALLYPOST_NODES=127.0.0.1,127.0.0.2",
        "PMIX|1|PMIX_RANK=RANK TALLYPOST_RANKS=4 TALLYPOST_NODES=127.0.0.1",
        "KUBERNETES_JOB|4|JOB_COMPLETION_INDEX=RANK HOSTNAME=greeter-RANK TALLYPOST_RANKS=4 " +
            "TALLYPOST_NODES=127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4",
    })
    void shouldStartWithTheVariablesOf(final String launcher, final int nodes, final String variables)
        throws IOException, InterruptedException
    {
        final String[] names = new String[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
        {
            names[rank] = "output-" + rank;
            final Map<String, String> environment = new HashMap<>();
            for (final String variable : variables.split(" "))
            {
                final int equals = variable.indexOf('=');
                environment.put(variable.substring(0, equals),
                    variable.substring(equals + 1).replace("RANK", Integer.toString(rank)));
            }
            start(HELLO, names[rank], environment);
        }
        assertGreeted(output(names), launcher, nodes);
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException, InterruptedException
    {
        final Process process = start(HELLO, "output", Map.of("TALLYPOST_RANKS", "4"));
        assertTrue(process.waitFor(900, TimeUnit.SECONDS), "waited 900 s for hello to say what is missing");
        final String output = Files.readString(new File(directory, "output").toPath());
        assertEquals(1, process.exitValue(), output);
        assertTrue(output.contains("set TALLYPOST_RANK"), output);
    }

    @Test
    void shouldSayWhichRankIsNotOpenAndWhere() throws IOException, InterruptedException
    {
        Files.createDirectory(new File(directory, "node").toPath());
        final Process process = start(ForkedJvm.command(Tallypost.class, List.of(), "hello", "--timeout", "1s"), "output",
            Map.of("TALLYPOST_RANKS", "2", "TALLYPOST_RANK", "0", "TALLYPOST_DIRECTORY", directory + "/./node"));
        assertTrue(process.waitFor(900, TimeUnit.SECONDS), "waited 900 s for hello to say what is missing");
        final String output = Files.readString(new File(directory, "output").toPath());
        assertEquals(1, process.exitValue(), output);
        assertTrue(output.contains("hello: rank 0 of 2 has not heard from all: not from 1 (not open or not linked); " +
            "the node's directory is " + new File(directory, "node")), output);
    }
}
