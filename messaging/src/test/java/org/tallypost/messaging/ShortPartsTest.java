// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When parts of long messages are short. */
class ShortPartsTest
{
    private static final int LONGEST = 65_536;

    private final ShortParts parts = new ShortParts();

    /** Lets parts pass, and returns how many of them were short. */
    private int shortOf(final int count)
    {
        int found = 0;
        for (int i = 0; i < count; i++)
        {
            found += parts.length(LONGEST) == ShortParts.LENGTH ? 1 : 0;
            parts.onPart();
        }
        return found;
    }

    @Test
    void shouldStayShortWhileShortMessagesComeSoon()
    {
        parts.onBegin();
        assertEquals(0, shortOf(100));
        for (int i = 0; i < 100; i++)
        {
            parts.onShort();
            assertEquals(ShortParts.COUNT - 1, shortOf(ShortParts.COUNT - 1), "message " + i);
        }
        assertEquals(1, shortOf(100));
        assertEquals(100, parts.length(100), "a part that is shorter anyway");
    }

    @Test
    void shouldBeOfTheUsualLengthWhereShortMessagesAreSeldom()
    {
        parts.onBegin();
        int found = 0;
        final int messages = 64 * 64;
        for (int i = 0; i < messages; i++)
        {
            parts.onShort();
            found += shortOf(4 * ShortParts.COUNT);
        }
        // one of 64 begins short parts, but for the first times
        assertTrue(found <= (messages / (ShortParts.MAX_SKIPS + 1) + 6) * ShortParts.COUNT, "found " + found);
        assertTrue(found >= messages / (ShortParts.MAX_SKIPS + 1) * ShortParts.COUNT, "found " + found);
        // as soon as they come often they are noticed again
        for (int i = 0; i <= ShortParts.MAX_SKIPS; i++)
        {
            parts.onShort();
        }
        parts.onShort();
        assertEquals(ShortParts.COUNT, shortOf(100));
        parts.onShort();
        assertEquals(0, shortOf(1), "one was skipped");
        parts.onShort();
        assertEquals(ShortParts.COUNT, shortOf(100));
    }

    @Test
    void shouldNotBeShortForAnswersBehindLongMessages()
    {
        for (int i = 0; i < 10; i++)
        {
            parts.onBegin();
            assertEquals(0, shortOf(ShortParts.COUNT), "message " + i);
            parts.onEnd();
            parts.onShort();
        }
    }

    @Test
    void shouldHoldNobodyAwakeForLong()
    {
        parts.onBegin();
        assertFalse(parts.isHeldBack());
        parts.onShort();
        assertTrue(parts.isHeldBack());
        for (int i = 0; i < 64; i++)
        {
            parts.onRound();
        }
        assertFalse(parts.isHeldBack(), "no part moves");
        parts.onPart();
        assertTrue(parts.isHeldBack());
        parts.onEnd();
        assertFalse(parts.isHeldBack(), "nothing is under way");
    }
}
