// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.compare.LoopbackPorts;

import javax.tools.ToolProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compiles and runs the Java that the README and the page on several nodes show, in a JVM with the options that the README names.
 */
class ReadmeExampleTest
{
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ADD_OPENS = Pattern.compile("^--add-opens (\\S+)$", Pattern.MULTILINE);
    private static final Pattern CLASS_NAME = Pattern.compile("public final class (\\w+)");
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final long WATCHDOG_S = 600;

    @TempDir
    private Path dir;

    @Test
    void shouldRunAsShown() throws IOException, InterruptedException
    {
        compile();
        final Process process = start("Hello", "hello", dir.resolve("node").toString());
        try
        {
            shouldEndWith("hello", process, "0 says hello, bob");
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldRunAsShownInTwoProcesses() throws IOException, InterruptedException
    {
        compile();
        final String node = dir.resolve("pair").toString();
        shouldTalk("Pair", List.of(node, "0"), List.of(node, "1"), "1 says hello from 1", "0 says hello from 0");
        assertFalse(Files.exists(dir.resolve("pair")), "the last one deletes the directory");
    }

    @Test
    void shouldRunAsShownOnTwoNodes() throws IOException, InterruptedException
    {
        compile(Files.readString(DocumentsTest.ROOT.resolve("docs/guide/between-nodes.md")));
        final Path secret = Files.createFile(
            dir.resolve("secret"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "a secret of more than 16 bytes");
        final List<String> shared =
            LoopbackPorts.free(2).stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.toCollection(ArrayList::new));
        shared.add(0, secret.toString());
        final List<String> zero = new ArrayList<>(List.of("0", dir.resolve("node-0").toString()));
        final List<String> one = new ArrayList<>(List.of("1", dir.resolve("node-1").toString()));
        zero.addAll(shared);
        one.addAll(shared);
        shouldTalk("TwoNodes", zero, one, "1 says hello from node 1", "0 says hello from node 0");
        assertFalse(Files.exists(dir.resolve("node-0")) || Files.exists(dir.resolve("node-1")), "each deletes its directory");
    }

    /** Runs a program in two processes. */
    private void shouldTalk(
        final String program,
        final List<String> firstArguments,
        final List<String> secondArguments,
        final String firstLine,
        final String secondLine) throws IOException, InterruptedException
    {
        final Process first = start(program, "first", firstArguments.toArray(new String[0]));
        try
        {
            final Process second = start(program, "second", secondArguments.toArray(new String[0]));
            try
            {
                shouldEndWith("first", first, firstLine);
                shouldEndWith("second", second, secondLine);
            }
            finally
            {
                second.destroyForcibly();
            }
        }
        finally
        {
            first.destroyForcibly();
        }
    }

    private void compile() throws IOException
    {
        compile(readme());
    }

    /** Compiles all programs of a document. */
    private void compile(final String document) throws IOException
    {
        final Matcher programs = JAVA_BLOCK.matcher(document);
        while (programs.find())
        {
            final String source = programs.group(1);
            final Path file = Files.writeString(dir.resolve(first(CLASS_NAME, source) + ".java"), source);
            assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
                null, null, null, "-Xlint:all", "-Werror", "-d", dir.toString(), "-cp", CLASS_PATH, file.toString()), "javac");
        }
    }

    private Process start(final String className, final String output, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", first(ADD_OPENS, readme()),
            "-cp", dir + File.pathSeparator + CLASS_PATH,
            className));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(dir.resolve(output).toFile()).start();
    }

    private void shouldEndWith(final String name, final Process process, final String line)
        throws IOException, InterruptedException
    {
        final Path output = dir.resolve(name);
        assertTrue(process.waitFor(WATCHDOG_S, TimeUnit.SECONDS),
            "waited " + WATCHDOG_S + " s for the example to end; it printed: " + Files.readString(output));
        assertEquals(List.of(line), Files.readAllLines(output));
        assertEquals(0, process.exitValue());
    }

    private static String readme() throws IOException
    {
        return Files.readString(DocumentsTest.ROOT.resolve("README.md"));
    }

    private static String first(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), "the README has nothing like " + pattern);
        return matcher.group(1);
    }
}
