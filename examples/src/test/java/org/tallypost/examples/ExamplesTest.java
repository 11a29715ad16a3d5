// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.cli.Tallypost;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** The programs come to what one process comes to, in real processes that "tallypost run" starts. */
class ExamplesTest
{
    @TempDir
    private File directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldComeToTheResultOfOneProcess(final int ranks) throws IOException, InterruptedException
    {
        final List<Object> words =
            new ArrayList<>(List.of("run", "--quiet", "--directory", directory.getPath(), "-n", ranks));
        final List<String> program = ForkedJvm.command(AllPrograms.class, List.of(), ranks);
        // run itself gives what Agrona needs
        program.removeAll(ForkedJvm.ADD_OPENS);
        words.addAll(program);
        final File output = new File(directory, "output");
        final File errors = new File(directory, "errors");
        final Process launcher = new ProcessBuilder(ForkedJvm.command(Tallypost.class, List.of(), words.toArray()))
            .redirectError(errors).redirectOutput(output).start();
        final boolean isEnded;
        try
        {
            isEnded = launcher.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        finally
        {
            // ends its ranks by itself
            launcher.destroy();
        }
        final String text = Files.readString(output.toPath());
        final String all = text + Files.readString(errors.toPath());
        assertTrue(isEnded, () -> "waited " + Watchdog.DEFAULT_LIMIT.toSeconds() + " s for the end of the programs\n" + all);
        assertEquals(0, launcher.exitValue(), all);
        final List<String> expected = new ArrayList<>(List.of("heat: right", "sort: right", "cg: right", "cg: right"));
        if (ranks > 1)
        {
            expected.addAll(List.of("transfers: right", "transfers: right"));
        }
        assertEquals(expected,
            text.lines().filter((line) -> line.contains(": ")).toList(), all);
        assertEquals(2 * expected.size(), text.lines().filter((line) -> line.startsWith("seconds ")).count(), all);
    }

    @Test
    void shouldTellAnotherSolution()
    {
        final double[] solution = Poisson.alone(9, 9);
        assertTrue(Poisson.isEqual(solution.clone(), solution));
        for (final double wrong : new double[] { Double.NaN, Double.POSITIVE_INFINITY, solution[40] * 1.001 })
        {
            final double[] other = solution.clone();
            other[40] = wrong;
            assertFalse(Poisson.isEqual(other, solution), () -> "with " + wrong);
        }
    }

    /** The method has to solve the equation, not only to do the same on all numbers of ranks. */
    @Test
    void shouldSolveTheEquation()
    {
        final int size = 12;
        final double[] solution = Poisson.alone(size, 60);
        final double[] halo = new double[solution.length + 2 * size];
        System.arraycopy(solution, 0, halo, size, solution.length);
        final double[] product = new double[solution.length];
        Poisson.multiply(halo, product, size);
        assertArrayEquals(Poisson.side(size, new Share(0, size)), product, 1e-9);
    }

    @Test
    void shouldSortAndDistribute()
    {
        final int[] keys = Keys.make(new Share(0, 5_000));
        final int[] expected = keys.clone();
        Arrays.sort(expected);
        final int[] counts = new int[3];
        final int[] distributed = new int[keys.length];
        Keys.distribute(keys, distributed, counts);
        assertEquals(keys.length, Arrays.stream(counts).sum());
        assertTrue(counts[0] > 1_000 && counts[1] > 1_000 && counts[2] > 1_000, () -> Arrays.toString(counts));
        assertEquals(1, Keys.rank(distributed[counts[0]], 3));
        Keys.sort(distributed, new int[keys.length], keys.length);
        assertArrayEquals(expected, distributed);
    }
}
