// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of several ranks in one stream. */
class LineOutputTest
{
    private static final int RANKS = 4;
    private static final int LINES = 2_000;

    private static InputStream of(final String text)
    {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNotMixLines() throws InterruptedException
    {
        final ByteArrayOutputStream target = new ByteArrayOutputStream();
        final LineOutput output = new LineOutput(target, true);
        final List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++)
        {
            final StringBuilder text = new StringBuilder();
            for (int i = 0; i < LINES; i++)
            {
                text.append("line ").append(i).append(" of ").append(rank).append('\n');
            }
            final int number = rank;
            // a few bytes at a time: no read ends where a line does
            final InputStream slow = new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8))
            {
                @Override
                public synchronized int read(final byte[] bytes, final int offset, final int length)
                {
                    return super.read(bytes, offset, Math.min(7, length));
                }
            };
            threads.add(new Thread(() -> output.copy(number, slow)));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        final int[] next = new int[RANKS];
        for (final String line : target.toString(StandardCharsets.UTF_8).split("\n"))
        {
            final int rank = line.charAt(1) - '0';
            assertEquals("[" + rank + "] line " + next[rank]++ + " of " + rank, line);
        }
        assertArrayEquals(new int[]{ LINES, LINES, LINES, LINES }, next);
    }

    @Test
    void shouldEndTheLastLine()
    {
        final ByteArrayOutputStream target = new ByteArrayOutputStream();
        assertTrue(new LineOutput(target, false).copy(0, of("whole\nhalf")));
        assertEquals("whole\nhalf\n", target.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldCutLinesThatHaveNoEnd()
    {
        final ByteArrayOutputStream target = new ByteArrayOutputStream();
        final String text = "x".repeat(200_000);
        assertTrue(new LineOutput(target, false).copy(0, of(text)));
        assertEquals(text, target.toString(StandardCharsets.UTF_8).replace("\n", ""));
        assertEquals(4, target.toString(StandardCharsets.UTF_8).split("\n").length);
    }

    @Test
    void shouldSayIfTheTargetTakesNoMore()
    {
        final LineOutput output = new LineOutput(new OutputStream()
        {
            @Override
            public void write(final int value) throws IOException
            {
                throw new IOException("closed");
            }
        }, false);
        assertFalse(output.copy(0, of("one\n")));
        assertFalse(output.copy(1, of("two")));
    }
}
