// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.ToolProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compiles and runs the Java that the README shows, in a JVM with the options that the README names.
 */
class ReadmeExampleTest
{
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ADD_OPENS = Pattern.compile("^--add-opens (\\S+)$", Pattern.MULTILINE);
    private static final Pattern CLASS_NAME = Pattern.compile("public final class (\\w+)");
    private static final long WATCHDOG_S = 600;

    @TempDir
    private Path dir;

    @Test
    void shouldRunAsShown() throws IOException, InterruptedException
    {
        final String readme = Files.readString(DocumentsTest.ROOT.resolve("README.md"));
        final String source = first(JAVA_BLOCK, readme);
        final String className = first(CLASS_NAME, source);
        final String classPath = System.getProperty("java.class.path");
        final Path file = Files.writeString(dir.resolve(className + ".java"), source);

        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
            null, null, null, "-Xlint:all", "-Werror", "-d", dir.toString(), "-cp", classPath, file.toString()), "javac");

        final File output = dir.resolve("output").toFile();
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", first(ADD_OPENS, readme),
            "-cp", dir + File.pathSeparator + classPath,
            className, dir.resolve("node").toString())
            .redirectErrorStream(true).redirectOutput(output).start();
        try
        {
            assertTrue(process.waitFor(WATCHDOG_S, TimeUnit.SECONDS),
                "waited " + WATCHDOG_S + " s for the example to end; it printed: " + Files.readString(output.toPath()));
            assertEquals(List.of("0 says hello, bob"), Files.readAllLines(output.toPath()));
            assertEquals(0, process.exitValue());
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private static String first(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), "the README has nothing like " + pattern);
        return matcher.group(1);
    }
}
