// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ScreenTest
{
    private final StringWriter text = new StringWriter();

    private String drawn()
    {
        final String drawn = text.toString().replace(System.lineSeparator(), "\n");
        text.getBuffer().setLength(0);
        return drawn;
    }

    @Test
    void shouldDrawInPlaceOnATerminal()
    {
        final Screen screen = new Screen(new PrintWriter(text), true);
        screen.draw("a\nbb\n");
        assertEquals("a\033[K\nbb\033[K\n\033[J", drawn());
        screen.draw("c");
        assertEquals("\033[2Ac\033[K\n\033[J", drawn());
        screen.leave();
        screen.draw("d");
        assertEquals("d\033[K\n\033[J", drawn());
    }

    @Test
    void shouldWriteOneBehindTheOtherElsewhere()
    {
        final Screen screen = new Screen(new PrintWriter(text), false);
        screen.draw("a\nbb");
        screen.draw("c");
        assertEquals("a\nbb\nc\n", drawn());
    }

    @Test
    void shouldAlwaysHaveRows()
    {
        assertTrue(Screen.rows() > 0);
    }
}
