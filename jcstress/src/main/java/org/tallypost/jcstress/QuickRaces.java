// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs races one after another in this JVM, with the runners that the harness has generated, and prints them as the harness does.
 * The harness itself starts a JVM for each race, which takes several times as long as the race.
 */
final class QuickRaces
{
    /** Few states at a time: each is a mapped file, or several. */
    private static final int STRIDE_SIZE = 16;
    private static final int STRIDE_COUNT = 4;
    private static final int MAX_FOOTPRINT_MIB = 64;
    /** A wrong race is run so long at a time. */
    private static final int PART_MS = 50;

    private QuickRaces()
    {
    }

    /**
     * Runs races.
     *
     * @param args how long each takes at most, in milliseconds, then their names. A wrong one ends as soon as it was found.
     * @throws Exception if there is no runner for a race, or it cannot be made.
     */
    public static void main(final String[] args) throws Exception
    {
        final int timeMs = Integer.parseInt(args[0]);
        for (final String name : Arrays.asList(args).subList(1, args.length))
        {
            final boolean isWrong = Races.isWrong(name);
            for (int ms = 0; ms < timeMs && !run(TestList.getInfo(name), isWrong ? PART_MS : timeMs);)
            {
                ms += isWrong ? PART_MS : timeMs;
            }
        }
        System.exit(0);
    }

    /** Runs a race and says whether an outcome was found that is not acceptable. */
    private static boolean run(final TestInfo info, final int timeMs) throws Exception
    {
        final Runner<?> runner = (Runner<?>)Class.forName(info.generatedRunner())
            .getConstructor(ForkedTestConfig.class).newInstance(config(info, timeMs));
        final TestResult result = runner.run();
        print(info, result);
        if (runner.forceExit())
        {
            // its threads still run
            System.exit(1);
        }
        return result.status() != Status.NORMAL ||
            result.getStateKeys().stream().anyMatch((state) -> expect(info, state) != Expect.ACCEPTABLE);
    }

    /** In the form in which the harness sends it to its JVMs. */
    private static ForkedTestConfig config(final TestInfo info, final int timeMs) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes))
        {
            out.writeInt(SpinLoopStyle.THREAD_SPIN_WAIT.ordinal());
            out.writeInt(timeMs);
            out.writeInt(1);
            out.writeUTF(info.generatedRunner());
            out.writeInt(MAX_FOOTPRINT_MIB);
            out.writeInt(STRIDE_SIZE);
            out.writeInt(STRIDE_COUNT);
            // threads are bound to no core
            out.writeBoolean(false);
        }
        return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    private static void print(final TestInfo info, final TestResult result)
    {
        System.out.printf(".......... [%s] %s%n", result.status() == Status.NORMAL ? "OK" : result.status(), info.name());
        result.getMessages().forEach(System.out::println);
        for (final String state : result.getStateKeys())
        {
            System.out.printf("  %s  %,d  %.2f%%  %s  %s%n", state, result.getCount(state),
                100.0 * result.getCount(state) / result.getTotalCount(), word(expect(info, state)), info.description());
        }
        System.out.flush();
    }

    private static Expect expect(final TestInfo info, final String state)
    {
        return info.cases().stream().filter((outcome) -> outcome.matchesExactly(state)).findFirst()
            .or(() -> info.cases().stream().filter((outcome) -> outcome.matches(state)).findFirst())
            .map(StateCase::expect).orElse(info.unmatched().expect());
    }

    /** What is neither of two is forbidden. */
    private static String word(final Expect expect)
    {
        return expect == Expect.ACCEPTABLE ? "Acceptable" : expect == Expect.ACCEPTABLE_INTERESTING ? "Interesting" : "Forbidden";
    }
}
