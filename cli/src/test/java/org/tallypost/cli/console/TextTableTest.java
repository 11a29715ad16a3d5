// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextTableTest
{
    @Test
    void shouldAlignTheFirstColumnToTheLeftAndOthersToTheRight()
    {
        final TextTable table = new TextTable("flow", "n");
        table.add("a", "1,000");
        table.add("dynamic", "7");
        assertEquals(List.of("flow         n", "a        1,000", "dynamic      7"), table.toString().lines().toList());
    }

    @Test
    void shouldRefuseARowOfAnotherWidth()
    {
        assertThrows(IllegalArgumentException.class, () -> new TextTable("a", "b").add("1"));
    }

    @Test
    void shouldRepeatWhatARowIsOfInEachPartOfAWideTable()
    {
        final TextTable table = new TextTable(2, "operation", "bytes", "a", "b");
        table.add("alltoall", "1,024", "x".repeat(60), "y".repeat(60));
        assertEquals(140, table.width());
        assertEquals(List.of(
            "operation  bytes  " + " ".repeat(59) + "a", "alltoall   1,024  " + "x".repeat(60), "",
            "operation  bytes  " + " ".repeat(59) + "b", "alltoall   1,024  " + "y".repeat(60)),
            table.toString().lines().toList());
    }

    /** As many columns as the widest table of a command has, and cells as long as figures get. */
    @Test
    void shouldFitATerminalHoweverLongTheFiguresAre()
    {
        final Random random = new Random(1);
        for (int turn = 0; turn < 200; turn++)
        {
            final int columns = 2 + random.nextInt(18);
            final TextTable table = new TextTable(cells(random, columns));
            for (int row = random.nextInt(5); row > 0; row--)
            {
                table.add(cells(random, columns));
            }
            table.toString().lines().forEach((line) -> assertTrue(line.length() <= TextTable.MOST_WIDTH, line));
        }
    }

    private static String[] cells(final Random random, final int columns)
    {
        return IntStream.range(0, columns).mapToObj((i) -> "9".repeat(random.nextInt(i == 0 ? 42 : 30))).toArray(String[]::new);
    }
}
