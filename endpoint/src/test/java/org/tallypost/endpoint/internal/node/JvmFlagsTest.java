// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A JVM that was started without the flag that Agrona needs, or with that of the other path. */
class JvmFlagsTest
{
    private static final String OPENS = "java.base/jdk.internal.misc=";

    @TempDir
    private Path directory;

    /** Launches a node in the directory given, and prints what comes of it. */
    public static void main(final String[] arguments)
    {
        try (Node node = Node.launch(new NodeContext().directory(new File(arguments[0])).rankCount(1)))
        {
            System.out.println("launched " + node.context().rankCount());
        }
        catch (final IllegalStateException ex)
        {
            System.out.println(ex.getMessage());
        }
    }

    private String launch(final List<String> options) throws Exception
    {
        final List<String> command = new ArrayList<>(
            ForkedJvm.command(JvmFlagsTest.class, options, directory.resolve("parent").resolve("node")));
        command.removeAll(ForkedJvm.ADD_OPENS.subList(1, 2));
        command.remove(ForkedJvm.ADD_OPENS.get(0));
        final Path output = directory.resolve("output");
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try
        {
            assertTrue(process.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS), "a JVM launches a node and ends");
        }
        finally
        {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    private void shouldRefuse(final List<String> options, final String expected) throws Exception
    {
        final String text = launch(options);
        assertTrue(text.startsWith("a flag of the JVM is missing"), text);
        assertTrue(text.endsWith("--add-opens " + OPENS + expected + "\n"), text);
        assertFalse(Files.exists(directory.resolve("parent")), "nothing is left behind");
    }

    @Test
    void shouldNameTheFlagOfTheClassPath() throws Exception
    {
        shouldRefuse(List.of(), "ALL-UNNAMED");
        assertEquals("launched 1\n", launch(List.of("--add-opens=" + OPENS + "ALL-UNNAMED")));
    }

    @Test
    void shouldNameTheFlagOfTheModulePath() throws Exception
    {
        final String agrona =
            Paths.get(DirectBuffer.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        final List<String> modules = List.of("--module-path=" + agrona, "--add-modules=org.agrona");
        shouldRefuse(modules, "org.agrona");
        final List<String> wrong = new ArrayList<>(modules);
        wrong.add("--add-opens=" + OPENS + "ALL-UNNAMED");
        shouldRefuse(wrong, "org.agrona");
        final List<String> right = new ArrayList<>(modules);
        right.add("--add-opens=" + OPENS + "org.agrona");
        assertEquals("launched 1\n", launch(right));
    }
}
