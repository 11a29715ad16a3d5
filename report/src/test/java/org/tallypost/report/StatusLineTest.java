// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A console is a terminal unless it says that it is none, as consoles of JDK 22 and later can. */
class StatusLineTest
{
    /** As a console before JDK 22: there was none without a terminal. */
    public static final class OldConsole
    {
    }

    /** As a console since JDK 22. */
    public record NewConsole(boolean isTerminal)
    {
    }

    @Test
    void shouldAskTheConsoleWhetherItIsATerminal()
    {
        assertFalse(StatusLine.isTerminal(null));
        assertTrue(StatusLine.isTerminal(new OldConsole()));
        assertTrue(StatusLine.isTerminal(new NewConsole(true)));
        assertFalse(StatusLine.isTerminal(new NewConsole(false)));
    }

    @Test
    void shouldFindTheMethodThatConsolesHaveSinceJdk22()
    {
        final boolean isThere = java.util.Arrays.stream(java.io.Console.class.getMethods())
            .anyMatch((method) -> method.getName().equals("isTerminal") && method.getReturnType() == boolean.class);
        assertEquals(Runtime.version().feature() >= 22, isThere);
    }
}
