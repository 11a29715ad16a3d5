// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
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
}
