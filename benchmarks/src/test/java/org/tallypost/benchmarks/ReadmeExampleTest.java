// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.compare.LoopbackPorts;

/**
 * Compiles and runs the Java that the README and the guide show, in a JVM with the options that the guide names.
 */
@Tag("once")
class ReadmeExampleTest
{
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ADD_OPENS = Pattern.compile("^--add-opens (\\S+)$", Pattern.MULTILINE);
    private static final Pattern OUTPUT = Pattern.compile(
        "\\nThe server prints\\n\\n```\\n(.*?)```\\n\\nand the client\\n\\n```\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern VERSION = Pattern.compile("<version>([^<]*)</version>");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern CLASS_NAME = Pattern.compile("public final class (\\w+)");
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String EMBED = "docs/guide/embed.md";
    private static final long WATCHDOG_S = 600;

    @TempDir
    private Path dir;

    @Test
    void shouldRunAsTheReadmeShows() throws IOException, InterruptedException
    {
        compile("README.md");
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
    void shouldRunInTwoProcessesAsTheGuideShows() throws IOException, InterruptedException
    {
        compile(EMBED);
        final Matcher output = OUTPUT.matcher(page(EMBED));
        assertTrue(output.find(), "what the programs print");
        final List<String> node = List.of(dir.resolve("squares").toString());
        shouldTalk("example.Server", node, "example.Client", node, output.group(1), output.group(2));
        assertFalse(Files.exists(dir.resolve("squares")), "the last one deletes the directory");
    }

    @Test
    void shouldMatchInTwoProcessesAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/matched-messages.md");
        final String node = dir.resolve("matched").toString();
        shouldTalk("MatchedExchange", List.of(node, "0"), "MatchedExchange", List.of(node, "1"),
            "rank 1 sent 41\nSUCCESS 1048576", "rank 0 sent 40\nSUCCESS 1048576");
    }

    @Test
    void shouldNameTheVersionThatTheBuildInstalls() throws IOException
    {
        final String own = page("pom.xml");
        final String shown = page(EMBED);
        final String bom = first(Pattern.compile("<dependencyManagement>(.*?)</dependencyManagement>", Pattern.DOTALL), shown);
        assertEquals(first(VERSION, own), first(VERSION, bom));
        assertTrue(bom.contains("<artifactId>tallypost-bom</artifactId>"), bom);
        final String dependency = first(DEPENDENCY, shown.substring(shown.indexOf("</dependencyManagement>")));
        assertTrue(dependency.contains("<artifactId>tallypost-endpoint</artifactId>"), dependency);
        final String between = first(DEPENDENCY, page("docs/guide/between-nodes.md"));
        assertTrue(between.contains("<artifactId>tallypost-transport-aeron</artifactId>"), between);
        assertFalse((dependency + between).contains("<version>"), "the BOM gives their versions");
        assertTrue(page("endpoint/pom.xml").contains("<artifactId>tallypost-endpoint</artifactId>"), "name of the artifact");
    }

    @Test
    void shouldRunOnTwoNodesAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/between-nodes.md");
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
        shouldTalk("TwoNodes", zero, "TwoNodes", one, "1 says hello from node 1", "0 says hello from node 0");
        assertFalse(Files.exists(dir.resolve("node-0")) || Files.exists(dir.resolve("node-1")), "each deletes its directory");
    }

    @Test
    void shouldSumInTwoProcessesAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/collectives.md");
        final String node = dir.resolve("sum").toString();
        shouldTalk("Sum", List.of(node, "0"), "Sum", List.of(node, "1"), "rank 0: sum 3", "rank 1: sum 3");
        assertFalse(Files.exists(dir.resolve("sum")), "the last one deletes the directory");
    }

    @Test
    void shouldAskAServiceAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/services.md");
        final String node = dir.resolve("squares").toString();
        shouldTalk("Squares", List.of(node, "0"), "Squares", List.of(node, "1"), "served", "12 squared is 144");
        final String prices = dir.resolve("prices").toString();
        shouldTalk(
            "Prices", List.of(prices, "0"), "Prices", List.of(prices, "1"), "published", "1000 prices, sum 500500");
    }

    @Test
    void shouldPostToMailBoxesAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/deck.md");
        final String node = dir.resolve("posted").toString();
        shouldTalk("PostedSums", List.of(node, "0"), "PostedSums", List.of(node, "1"), "rank 1 sent three", "the sum is 7.5");
    }

    @Test
    void shouldReadAFarTableAsTheGuideShows() throws IOException, InterruptedException
    {
        compile("docs/guide/active-messages.md");
        final String node = dir.resolve("table").toString();
        shouldTalk("FarTable", List.of(node, "0"), "FarTable", List.of(node, "1"), "rank 0: sum 328350", "rank 1: sum 0");
    }

    /** Runs two programs, each in a process, to their ends. */
    private void shouldTalk(
        final String firstProgram,
        final List<String> firstArguments,
        final String secondProgram,
        final List<String> secondArguments,
        final String firstLines,
        final String secondLines) throws IOException, InterruptedException
    {
        final Process first = start(firstProgram, "first", firstArguments.toArray(new String[0]));
        try
        {
            final Process second = start(secondProgram, "second", secondArguments.toArray(new String[0]));
            try
            {
                shouldEndWith("first", first, firstLines);
                shouldEndWith("second", second, secondLines);
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

    /** Compiles all programs of a page. */
    private void compile(final String page) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "-Xlint:all", "-Werror", "-d", dir.toString(), "-cp", CLASS_PATH));
        final Matcher programs = JAVA_BLOCK.matcher(page(page));
        while (programs.find())
        {
            final String source = programs.group(1);
            final Path file = dir.resolve(first(CLASS_NAME, source) + ".java");
            arguments.add(Files.writeString(file, source).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0])), "javac");
    }

    private Process start(final String className, final String output, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", first(ADD_OPENS, page(EMBED)),
            // for an early start, as with ForkedJvm
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData",
            "-cp", dir + File.pathSeparator + CLASS_PATH,
            className));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(dir.resolve(output).toFile()).start();
    }

    private void shouldEndWith(final String name, final Process process, final String lines)
        throws IOException, InterruptedException
    {
        final Path output = dir.resolve(name);
        assertTrue(process.waitFor(WATCHDOG_S, TimeUnit.SECONDS),
            "waited " + WATCHDOG_S + " s for the example to end; it printed: " + Files.readString(output));
        assertEquals(lines.lines().collect(Collectors.toList()), Files.readAllLines(output));
        assertEquals(0, process.exitValue());
    }

    private static String page(final String name) throws IOException
    {
        return Files.readString(DocumentsTest.ROOT.resolve(name));
    }

    private static String first(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), "the page has nothing like " + pattern);
        return matcher.group(1);
    }
}
