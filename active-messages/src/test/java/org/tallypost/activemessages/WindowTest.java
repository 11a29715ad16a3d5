// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of a window, and the ids that tell their requests apart. */
class WindowTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64})
    void shouldGiveEachSlotOnce(final int length)
    {
        final Window window = new Window(length);
        final Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < length; i++)
        {
            assertTrue(window.hasFree());
            final int id = window.take(i);
            ids.add(MessageDescriptor.slot(id));
            window.sent(id);
        }
        assertFalse(window.hasFree());
        assertEquals(length, ids.size());
        assertEquals(length, window.unansweredCount());
        while (window.hasUnanswered())
        {
            final int id = window.unanswered();
            assertTrue(window.answered(id));
            assertFalse(window.answered(id), "an answer counts once");
        }
        assertTrue(window.hasFree());
    }

    @Test
    void shouldKnowNoAnswerToWhatIsNotOutOrOver()
    {
        final Window window = new Window(2);
        final int given = window.take(1);
        assertFalse(window.answered(given), "it is not out");
        window.giveBack(given);
        final int next = window.take(1);
        window.sent(next);
        assertEquals(MessageDescriptor.slot(given), MessageDescriptor.slot(next));
        assertFalse(window.answered(given), "of a former request");
        assertTrue(window.answered(next));
    }

    /** The ids of a slot begin anew after 2^26 requests, half of them are negative numbers. */
    @Test
    void shouldGoOnWhenIdsBeginAnew()
    {
        final Window window = new Window(1);
        int negative = 0;
        for (long i = 0; i < (1L << 26) + 3; i++)
        {
            final int id = window.take(7);
            negative += id < 0 ? 1 : 0;
            window.sent(id);
            assertTrue(window.hasUnanswered() && window.unanswered() == id && window.answered(id));
        }
        assertEquals(1 << 25, negative);
        assertFalse(window.hasUnanswered());
    }
}
