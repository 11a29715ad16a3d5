// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script {@code bin/tallypost} in a made-up tree with a space in its name, with a {@code mvn} that counts how often it is
 * called and a {@code java} that prints its arguments: what the script does in environments as users have them.
 */
class ScriptTest
{
    private static final long LONGEST_S = 120;
    private static final Pattern SOURCES = Pattern.compile("\nsources=\\(pom\\.xml ([^)]*)\\)");
    private static final String SOURCE = "mailbox/src/main/java/A.java";

    @TempDir
    private Path place;
    private Path tree;
    private Path jdk;
    private List<String> directories;

    private record Run(int exitCode, String output, String errors)
    {
    }

    @BeforeEach
    void makeTree() throws IOException
    {
        tree = place.resolve("a tree");
        jdk = place.resolve("jdk");
        final Path script = ReadScript.path();
        Files.createDirectories(tree.resolve("bin"));
        Files.copy(script, tree.resolve("bin/tallypost"));
        // a module that the command line needs is named there
        final Matcher sources = SOURCES.matcher(Files.readString(script));
        assertTrue(sources.find(), "the directories of the sources");
        directories = List.of(sources.group(1).split("\\s+"));
        assertTrue(directories.containsAll(List.of("mailbox", "cli", "benchmarks")), directories::toString);
        for (final String directory : directories)
        {
            write(directory + "/pom.xml", "<project/>");
        }
        write("pom.xml", "<project/>");
        write(SOURCE, "class A { }");
        program(jdk.resolve("bin/java"), "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.1\"' >&2; exit 0; fi",
            "echo \"${LC_ALL:-none}\" > '" + place.resolve("locale") + "'",
            "readlink /proc/$$/fd/0 > '" + place.resolve("input") + "'",
            "for word in \"$@\"; do printf '<%s>' \"$word\"; done; echo");
        program(jdk.resolve("bin/javac"), "exit 0");
        program(place.resolve("tools/mvn"), "echo called >> '" + place.resolve("calls") + "'", "mkdir -p benchmarks/target",
            "echo '[INFO] Building Tallypost mailbox 0.1.0-SNAPSHOT                      [2/6]'",
            "[ -z \"${BREAK:-}\" ] || { echo '[ERROR] it does not compile'; exit 1; }",
            "[ -f benchmarks/target/tallypost.jar ] || echo jar > benchmarks/target/tallypost.jar");
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = tree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void program(final Path file, final String... lines) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private Run run(final Path directory, final Map<String, String> variables, final String... command)
        throws IOException, InterruptedException
    {
        final Path output = place.resolve("output");
        final Path errors = place.resolve("errors");
        final ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
            .redirectOutput(output.toFile()).redirectError(errors.toFile()).redirectInput(new File("/dev/null"));
        builder.environment().put("PATH", place.resolve("tools") + File.pathSeparator + "/usr/bin" + File.pathSeparator + "/bin");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().remove("TALLYPOST_JAVA_OPTS");
        builder.environment().putAll(variables);
        final Process process = builder.start();
        if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new AssertionError("waited " + LONGEST_S + " s for " + Arrays.toString(command) + " to end");
        }
        return new Run(process.exitValue(), Files.readString(output), Files.readString(errors, StandardCharsets.ISO_8859_1));
    }

    private Run run(final Map<String, String> variables, final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("bin/tallypost"));
        command.addAll(List.of(arguments));
        return run(tree, variables, command.toArray(new String[0]));
    }

    private long calls() throws IOException
    {
        final Path calls = place.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    private static void assertRan(final Run run)
    {
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(run.output().contains("<-jar>") && run.output().endsWith("tallypost.jar><--version>\n"), run::toString);
    }

    /** A JVM opens a file of its own in the place of a standard input that is closed. */
    @Test
    void shouldGiveAnEmptyInputInsteadOfNone() throws IOException, InterruptedException
    {
        assertRan(run(tree, Map.of(), "sh", "-c", "exec bin/tallypost --version <&-"));
        assertEquals("/dev/null\n", Files.readString(place.resolve("input")));
    }

    @Test
    void shouldFindItsTreeWithCdpathSet() throws IOException, InterruptedException
    {
        Files.createDirectories(place.resolve("elsewhere/bin"));
        assertRan(run(Map.of("CDPATH", ".:" + place.resolve("elsewhere")), "--version"));
        try (Stream<Path> names = Files.list(tree))
        {
            assertEquals(Stream.concat(directories.stream(), Stream.of("bin", "pom.xml")).sorted().toList(),
                names.map((name) -> name.getFileName().toString()).sorted().toList());
        }
        assertTrue(Files.exists(tree.resolve("benchmarks/target/tallypost.jar")));
    }

    @Test
    void shouldFollowRelativeLinks() throws IOException, InterruptedException
    {
        final Path links = Files.createDirectories(place.resolve("links"));
        Files.createSymbolicLink(links.resolve("first"), Path.of("../a tree/bin/tallypost"));
        Files.createSymbolicLink(place.resolve("second"), Path.of("links/first"));
        assertRan(run(place, Map.of(), "./second", "--version"));
        assertRan(run(Path.of("/"), Map.of(), place.toString().substring(1) + "/second", "--version"));
        assertEquals(1, calls());
    }

    @Test
    void shouldTakeEmptyVariablesForUnset() throws IOException, InterruptedException
    {
        Files.createSymbolicLink(place.resolve("tools/java"), jdk.resolve("bin/java"));
        assertRan(run(Map.of("JAVA_HOME", "", "TALLYPOST_JAVA_OPTS", "", "CDPATH", "", "TMPDIR", ""), "--version"));
    }

    @Test
    void shouldTakeJavaOptionsAsWordsAndNotAsPatterns() throws IOException, InterruptedException
    {
        final Run run = run(Map.of("TALLYPOST_JAVA_OPTS", " -Da=* \t-Db=2 "), "--version");
        assertRan(run);
        assertTrue(run.output().contains("<-Da=*><-Db=2><-jar>"), run::toString);
        final Run star = run(Map.of("TALLYPOST_JAVA_OPTS", "*"), "--version");
        assertTrue(star.output().contains("<*><-jar>"), star::toString);
    }

    @Test
    void shouldRunWithATemporaryDirectoryThatIsNotThereAndAnUnknownLocale() throws IOException, InterruptedException
    {
        assertRan(run(Map.of("TMPDIR", place.resolve("not here").toString(), "LC_ALL", "xx_YY.UTF-8"), "--version"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "xx_YY.UTF-8"})
    void shouldGiveTheJvmALocaleThatHasAllCharacters(final String locale) throws IOException, InterruptedException
    {
        fakeLocales("C.UTF-8");
        assertRan(run(Map.of("LC_ALL", locale), "--version"));
        assertEquals("C.UTF-8", jvmLocale());
        assertRan(run(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", locale), "--version"));
        assertEquals("C.UTF-8", jvmLocale());
    }

    @Test
    void shouldLeaveALocaleThatHasAllCharactersOrHasNoBetterOne() throws IOException, InterruptedException
    {
        fakeLocales("C.UTF-8", "de_DE.UTF-8");
        assertRan(run(Map.of("LC_ALL", "de_DE.UTF-8"), "--version"));
        assertEquals("de_DE.UTF-8", jvmLocale());
        assertRan(run(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "de_DE.UTF-8"), "--version"));
        assertEquals("none", jvmLocale());
        fakeLocales("de_DE.UTF-8");
        assertRan(run(Map.of("LC_ALL", "C"), "--version"));
        assertEquals("C", jvmLocale());
        program(place.resolve("tools/locale"), "exit 127");
        assertRan(run(Map.of("LC_ALL", "C"), "--version"));
        assertEquals("C", jvmLocale());
    }

    /** A {@code locale} of a system on which these locales are installed, all of UTF-8, beside that of ASCII. */
    private void fakeLocales(final String... installed) throws IOException
    {
        program(place.resolve("tools/locale"), "case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in",
            String.join(" | ", installed) + ") echo UTF-8 ;;", "*) echo ANSI_X3.4-1968 ;;", "esac");
    }

    private String jvmLocale() throws IOException
    {
        return Files.readString(place.resolve("locale")).strip();
    }

    @Test
    void shouldNameAWrongJavaHome() throws IOException, InterruptedException
    {
        final Run run = run(Map.of("JAVA_HOME", place.resolve("no jdk").toString()), "--version");
        assertEquals(3, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("JAVA_HOME is " + place.resolve("no jdk") + ", but "), run::toString);
        assertEquals(0, calls());
    }

    @Test
    void shouldTakeARelativeJavaHome() throws IOException, InterruptedException
    {
        assertRan(run(Map.of("JAVA_HOME", "../jdk"), "--version"));
    }

    /** A change of any module that goes into the jar is one of its sources. */
    @Test
    void shouldKnowTheModulesOfTheJar() throws IOException
    {
        final String pom = Files.readString(ReadScript.path().resolveSibling("../pom.xml"));
        final Matcher module = Pattern.compile("<module>([^/<]*)[^<]*</module>").matcher(pom);
        boolean isLast = false;
        while (!isLast && module.find())
        {
            assertTrue(directories.contains(module.group(1)), module.group(1) + " is not among " + directories);
            isLast = "benchmarks".equals(module.group(1));
        }
        assertTrue(isLast, "the jar is of the module benchmarks");
    }

    @Test
    void shouldBuildOnceAndAgainOnlyWhenContentsChange() throws IOException, InterruptedException
    {
        final Run first = run(Map.of(), "--version");
        assertRan(first);
        assertEquals(1, calls());
        final Path log = tree.resolve("benchmarks/target/build.log");
        assertTrue(first.errors().contains("log: " + log), first::toString);
        assertTrue(first.errors().contains("Building Tallypost mailbox") ||
            first.errors().contains("Tallypost mailbox 0.1.0-SNAPSHOT [2/6]"), first::toString);
        assertTrue(Files.readString(log).contains("[2/6]"));

        // a copy with other times: each source is newer than the jar
        final FileTime later = FileTime.fromMillis(System.currentTimeMillis() + 3_600_000);
        Files.setLastModifiedTime(tree.resolve(SOURCE), later);
        Files.setLastModifiedTime(tree.resolve("pom.xml"), later);
        final Run copied = run(Map.of(), "--version");
        assertRan(copied);
        assertEquals("", copied.errors());
        assertEquals(1, calls());

        // other contents with an old time
        write(SOURCE, "class A { int a; }");
        Files.setLastModifiedTime(tree.resolve(SOURCE), FileTime.fromMillis(0));
        assertRan(run(Map.of(), "--version"));
        assertEquals(2, calls());

        // the jar stays as it was, since this Maven finds it up to date: that is no reason to build at each run
        assertRan(run(Map.of(), "--version"));
        assertEquals(2, calls());

        Files.delete(tree.resolve(SOURCE));
        assertRan(run(Map.of(), "--version"));
        assertEquals(3, calls());
    }

    @Test
    void shouldRunWithoutWritingOnceBuilt() throws IOException, InterruptedException
    {
        assertRan(run(Map.of(), "--version"));
        final Path target = tree.resolve("benchmarks/target");
        final FileTime before = Files.getLastModifiedTime(target);
        Files.setLastModifiedTime(tree.resolve(SOURCE), FileTime.fromMillis(System.currentTimeMillis() + 3_600_000));
        assertRan(run(Map.of(), "--version"));
        assertEquals(before, Files.getLastModifiedTime(target));
        assertEquals(1, calls());
    }

    @Test
    void shouldShowTheEndOfTheLogOfABuildThatFails() throws IOException, InterruptedException
    {
        final Run run = run(Map.of("BREAK", "1"), "--version");
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("it does not compile") && run.errors().contains("its log is "), run::toString);
        assertFalse(Files.exists(tree.resolve("benchmarks/target/tallypost.stamp")));
    }

    /** Where the script is. */
    private static final class ReadScript
    {
        static Path path()
        {
            Path directory = Path.of("").toAbsolutePath();
            while (!Files.exists(directory.resolve("bin/tallypost")))
            {
                directory = directory.getParent();
            }
            return directory.resolve("bin/tallypost");
        }
    }
}
