// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;
import org.tallypost.mailbox.ForkedJvm;
import picocli.CommandLine;

@Tag("once")
class CommandLineTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "alltoall --ranks 1|--ranks: found 1, expected 2 to",
        "alltoall --ranks 8 --processes 9|--processes: found 9, expected 1 to 8 for --ranks 8",
        "alltoall --processes 0|--processes: found 0, expected 1 to 64",
        "alltoall --active 65|--active: found 65, expected 2 to 64 for --ranks 64",
        "alltoall --slots 3|--slots: found 3, expected 4 to",
        "alltoall --credit-slots 0|--credit-slots: found 0, expected 1 to",
        "alltoall --credit-slots 5|--slots: found 8, expected 10 to 262,144 for --credit-slots 5 and --ranks 64",
        "alltoall --length 0|--length: found 0, expected 1 to 16,777,216",
        "alltoall --length 16777217|--length: found 16,777,217, expected 1 to 16,777,216",
        "alltoall --repeat 0|--repeat: found 0, expected 1 to",
        "alltoall --operations 0|--operations: found 0, expected 1 to",
        "alltoall --repeat 1000 --operations 201|--repeat times --operations: found 201,000, expected 1 to 200,000",
        "rate --operations 0|--operations: found 0, expected 1 to",
        "alltoall --flow both|found 'both', expected none, static, dynamic, all",
        "alltoall --path pigeon|found 'pigeon', expected runs, packets, regions",
        "alltoall --path runs,|found '', expected runs, packets, regions",
        "rate --path regions|Unknown option",
        "alltoall --path regions --processes 1 --ranks 256 --flow dynamic --length 8388608|--path regions: found",
        "alltoall --path packets --ranks 1024 --active 1024 --length 1048576|--flow none: found mailboxes of",
        "alltoall --credit-return pigeon|found 'pigeon', expected direct, packet",
        "alltoall --timeout soon|found 'soon', expected a time such as",
        "alltoall --loss 1%|--loss: found --nodes 1, expected --nodes 2 or more",
        "rate --network loopback|--network: found --nodes 1, expected --nodes 2 or more",
        "pingpong --seed 7|--seed: found --nodes 1, expected --nodes 2 or more",
        "alltoall --directory /there/is/none|--directory: found /there/is/none, expected an existing directory",
        "alltoall --json /there/is/none.json|--json: found /there/is/none.json, expected a file in an existing directory",
        "alltoall --ranks 1024 --active 1024 --length 1048576|--flow none: found mailboxes of",
        "alltoall --ranks 64 --active 64 --length 8388608 --flow none|--flow none: found mailboxes of",
        "multipingpong --ranks 7|--ranks: found 7, expected an even number",
        "multipingpong --active 3|--active: found 3, expected an even number",
        "pingpong --ranks 4|Unknown option",
        "alltoall --speed 9|Unknown option",
    })
    void shouldRefuseWithWhatWasFoundAndExpected(final String options, final String message)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), ("bench " + options).split(" "));
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.errors().contains(message), run::toString);
        assertEquals(
            message.startsWith("Unknown option"), run.errors().contains("Usage: "), () -> "usage is for syntax: " + run);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "bench alltoall --flow both|--flow=FLOW: Flow control: none",
        "bench alltoall --ranks many|--ranks=N: Endpoints in the group; default 64.",
        "stat /dev/shm --interval never|--interval=TIME: Time between two looks, such as 500ms, 1s or 2m; default 1s.",
        "hello --timeout soon|--timeout=TIME: Time after which it gives up",
    })
    void shouldSayWhatTheOptionOfAWrongValueIsForAndNoMore(final String options, final String line)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), options.split(" "));
        assertEquals(2, run.exitCode(), run::toString);
        final List<String> lines = run.errors().lines().toList();
        assertEquals(3, lines.size(), run::toString);
        assertTrue(lines.get(1).startsWith(line), run::toString);
        assertTrue(lines.get(2).startsWith("options: ") && lines.get(2).endsWith(" --help"), run::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nosuch|found 'tallypost nosuch', expected one of bench, calibrate, clean,",
        "bench am|found 'tallypost bench am', expected one of alltoall, pingpong,",
        "study loggps --rounds 2|found 'tallypost study loggps', expected one of buffers, collectives,",
        "calibrate nosuch --sweep|found 'tallypost calibrate nosuch', expected one of bulk, collectives, loggp",
    })
    void shouldSayWhichCommandsThereAre(final String options, final String message)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), options.split(" "));
        assertEquals(2, run.exitCode(), run::toString);
        final List<String> lines = run.errors().lines().toList();
        assertEquals(2, lines.size(), run::toString);
        assertTrue(lines.get(0).startsWith("no such command: " + message), run::toString);
        assertTrue(lines.get(1).startsWith("options: tallypost") && lines.get(1).endsWith(" --help"), run::toString);
    }

    @ParameterizedTest
    @CsvSource({"help,Usage: tallypost [-hV] [COMMAND]", "help bench,Usage: tallypost bench [-hV] [COMMAND]",
        "help knobs,Usage: tallypost knobs "})
    void shouldHelpByACommandToo(final String options, final String usage)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), options.split(" "));
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(run.output().startsWith(usage), run::toString);
    }

    @Test
    void shouldRefuseFilesThatDoNotFit()
    {
        final CommandRun run = CommandRun.of(
            Tallypost.commandLine(),
            "bench", "alltoall", "--ranks", "4096", "--slots", "4096", "--directory", directory.toString());
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.errors().matches("(?s).*--directory: found [\\d,]+ bytes free in .*, expected at least [\\d,]+.*"),
            run::toString);
    }

    /** Half of a pair of surrogates has no bytes in any locale, as a letter with an umlaut has none in that of ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"bench alltoall", "study buffers", "compare"})
    void shouldNameTheLocaleForADirectoryThatTheJvmCannotName(final String command)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), (command + " --directory /dev/shm/\ud800").split(" "));
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("--directory: found ") && run.errors().contains("LC_ALL=C.UTF-8"), run::toString);
    }

    @Test
    void shouldExplainItself()
    {
        for (final String workload : new String[]{ "alltoall", "pingpong", "multipingpong", "rate" })
        {
            final CommandRun run = CommandRun.of(Tallypost.commandLine(), "bench", workload, "--help");
            assertEquals(0, run.exitCode(), run::toString);
            assertTrue(run.output().contains("--length=BYTES"), run::toString);
        }
        assertEquals(2, CommandRun.of(Tallypost.commandLine(), "bench").exitCode());
    }

    /** Warnings of the parser go to the standard error that there is when it is loaded, so a JVM of its own prints all help. */
    @Test
    void shouldExplainItselfWithoutAWarning() throws IOException, InterruptedException
    {
        final File output = directory.resolve("output").toFile();
        final Process process = new ProcessBuilder(ForkedJvm.command(Help.class, List.of()))
            .redirectErrorStream(true).redirectOutput(output).start();
        assertTrue(process.waitFor(900, TimeUnit.SECONDS), "waited 900 s for the help of all commands");
        final String text = Files.readString(output.toPath());
        assertEquals(0, process.exitValue(), text);
        for (final String name : List.of("tallypost bench alltoall", "tallypost compare", "tallypost plan",
            "tallypost study link"))
        {
            assertTrue(text.contains("Usage: " + name + " "), () -> name + ": " + text);
        }
        assertFalse(text.contains("picocli"), text);
    }

    /** Prints the help of every command. */
    static final class Help
    {
        private Help()
        {
        }

        public static void main(final String[] args)
        {
            print(Tallypost.commandLine());
        }

        private static void print(final CommandLine command)
        {
            command.usage(System.out);
            command.getSubcommands().values().forEach(Help::print);
        }
    }
}
