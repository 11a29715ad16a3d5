// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the races and judges them: the right ones must show no outcome that is forbidden, and the wrong ones must show that they
 * are wrong. A wrong one that was lucky is run again, for longer.
 */
public final class Races
{
    private static final int ROUNDS = 10;
    private static final int QUICK_MS = 100;
    private static final int LONG_MS = 1000;
    /** From this round on, counted from 0, each takes as long as this one: sixty-four times as long as the first. */
    private static final int LONGEST_ROUND = 3;
    /** A right one that was run less often, on a busy machine, is run again. */
    private static final long FEW = 1000;
    private static final Pattern RACE = Pattern.compile("\\.{10} \\[([^]]*)] ([\\w.]+)");
    private static final Pattern OUTCOME = Pattern.compile(" +(.*?) +([\\d,]+) +\\S+% +(Acceptable|Interesting|Forbidden) .*");

    private final Path directory;
    private final boolean isLong;
    private final Map<String, Long> samples = new TreeMap<>();
    private final Map<String, Long> interesting = new TreeMap<>();
    private final Map<String, Long> forbidden = new TreeMap<>();
    private final TreeSet<String> broken = new TreeSet<>();

    private Races(final Path directory, final boolean isLong)
    {
        this.directory = directory;
        this.isLong = isLong;
    }

    /**
     * Runs the races. Exit code 0: all is as it should be.
     *
     * @param args directory for the results; "quick" or "long"; and what the names have to contain, if not all are to be run.
     * @throws Exception if a process cannot be started or its results not be written, and what the harness throws.
     */
    public static void main(final String[] args) throws Exception
    {
        final String names = args.length > 2 ? args[2] : "";
        final String fault = run(Path.of(args[0]), "long".equals(args[1]), names);
        System.out.println(fault.isEmpty() ? "races: all as they should be" : fault);
        System.exit(fault.isEmpty() ? 0 : 1);
    }

    /**
     * Runs the races and prints a summary.
     *
     * @param directory for the results.
     * @param isLong    whether to take all the time.
     * @param names     what the names have to contain.
     * @return what is wrong; empty if nothing is.
     * @throws IOException if a process cannot be started or its results not be written.
     * @throws InterruptedException if this thread was interrupted.
     */
    public static String run(final Path directory, final boolean isLong, final String names)
        throws IOException, InterruptedException
    {
        final Races races = new Races(directory, isLong);
        Files.createDirectories(directory);
        TreeSet<String> open = TestList.tests().stream().filter((name) -> name.contains(names))
            .collect(Collectors.toCollection(TreeSet::new));
        final TreeSet<String> all = open;
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++)
        {
            races.round(open, round);
            open = all.stream().filter((name) -> races.isUndecided(name)).collect(Collectors.toCollection(TreeSet::new));
        }
        return races.summary(all, open);
    }

    /** Whether a race is wrong on purpose. */
    static boolean isWrong(final String name)
    {
        return name.contains("Wrong") || name.endsWith("ArmThenLookAtTheHeader");
    }

    private boolean isUndecided(final String name)
    {
        return isWrong(name) ? !interesting.containsKey(name) : samples.getOrDefault(name, 0L) < FEW && !broken.contains(name);
    }

    private void round(final TreeSet<String> names, final int round) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-cp", absolute(System.getProperty("java.class.path"))));
        final int timeMs = (isLong ? LONG_MS : QUICK_MS) << 2 * Math.min(round, LONGEST_ROUND);
        if (isLong)
        {
            command.addAll(List.of(Main.class.getName(),
                "-v", "-r", "results", "-sc", "false", "-f", "1", "-fsm", "1", "-pth", "false",
                // few states at a time: each is a mapped file, or several
                "-strideSize", "16", "-strideCount", "4",
                "-t", names.stream().map(Pattern::quote).collect(Collectors.joining("|", "^(", ")$")),
                "-iters", "5", "-time", Integer.toString(timeMs)));
        }
        else
        {
            command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", QuickRaces.class.getName(), Integer.toString(timeMs)));
            command.addAll(names);
        }
        final File log = directory.resolve("round-" + round + ".txt").toFile();
        final Process process = new ProcessBuilder(command).directory(directory.toFile())
            .redirectErrorStream(true).redirectOutput(log).start();
        try
        {
            process.waitFor();
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        read(Files.readString(log.toPath(), StandardCharsets.UTF_8));
    }

    private static String absolute(final String classPath)
    {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL).splitAsStream(classPath)
            .map((entry) -> Path.of(entry).toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    }

    /** The last part of the output has each race once, with the sums over all JVMs. */
    private void read(final String output)
    {
        String race = "";
        for (final String line : output.substring(Math.max(0, output.indexOf("RUN RESULTS:"))).split("\n"))
        {
            final Matcher name = RACE.matcher(line);
            final Matcher outcome = OUTCOME.matcher(line);
            if (name.find())
            {
                race = name.group(2);
                if (!"OK".equals(name.group(1)))
                {
                    broken.add(race);
                }
            }
            else if (outcome.matches() && !race.isEmpty())
            {
                final long count = Long.parseLong(outcome.group(2).replace(",", ""));
                samples.merge(race, count, Long::sum);
                if (count > 0 && "Interesting".equals(outcome.group(3)))
                {
                    interesting.merge(race, count, Long::sum);
                }
                if (count > 0 && "Forbidden".equals(outcome.group(3)))
                {
                    forbidden.merge(race, count, Long::sum);
                }
            }
        }
    }

    private String summary(final TreeSet<String> all, final TreeSet<String> undecided)
    {
        final StringBuilder fault = new StringBuilder();
        long rightSamples = 0;
        int right = 0;
        for (final String name : all)
        {
            final long count = samples.getOrDefault(name, 0L);
            final long found = interesting.getOrDefault(name, 0L);
            System.out.printf("%-52s %,12d races%s%n", name.substring(name.indexOf('.', "org.tallypost.".length()) + 1), count,
                isWrong(name) ? String.format(", %,d of them wrong, as they should be", found) : "");
            right += isWrong(name) ? 0 : 1;
            rightSamples += isWrong(name) ? 0 : count;
        }
        forbidden.forEach(
            (name, count) -> fault.append("forbidden outcomes in ").append(name).append(": ").append(count).append('\n'));
        broken.stream().filter((name) -> !forbidden.containsKey(name)).forEach(
            (name) -> fault.append("could not be run: ").append(name).append('\n'));
        undecided.forEach((name) -> fault.append(isWrong(name) ? "wrong, and not found to be: " : "hardly ran: ")
            .append(name).append('\n'));
        System.out.printf("races (%s): %d right ones, %,d times, %d with forbidden outcomes; %d wrong ones, %d found%n",
            isLong ? "long" : "quick", right, rightSamples, forbidden.size(), all.size() - right, interesting.size());
        return fault.length() == 0 ? "" : fault + "see " + directory.toAbsolutePath();
    }
}
