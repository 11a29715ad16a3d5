// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.messaging.RequestResult;

/** Numbers of boxes are tags of messages, and those of the first ones need no head. */
class BoxNumbersTest extends DeckFixture
{
    private static final int DECKS = 100;

    @Test
    void shouldGiveEachNumberOnce()
    {
        final BoxNumbers numbers = new BoxNumbers();
        final BitSet given = new BitSet(BoxNumbers.COUNT);
        for (int i = 0; i < BoxNumbers.COUNT; i++)
        {
            given.set(numbers.next());
        }
        assertEquals(BoxNumbers.COUNT, given.cardinality());
        assertEquals(BoxNumbers.COUNT, given.length());
        assertThrows(IllegalStateException.class, numbers::next);
    }

    @Test
    void shouldBeginWithShortOnesAnywhere()
    {
        final BitSet firsts = new BitSet(BoxNumbers.SHORT);
        for (int i = 0; i < DECKS; i++)
        {
            final BoxNumbers numbers = new BoxNumbers();
            final int first = numbers.next();
            firsts.set(first);
            assertTrue(first < BoxNumbers.SHORT, "first number " + first);
            for (int next = 1; next < BoxNumbers.SHORT; next++)
            {
                assertEquals((first + next) % BoxNumbers.SHORT, numbers.next());
            }
            assertEquals(BoxNumbers.SHORT, numbers.next());
        }
        assertTrue(firsts.cardinality() > 1, "all begin with the same number");
    }

    /** The messenger says which tags go without a head: only those are sent without a request. */
    @Test
    void shouldBeShortWhereAMessageNeedsNoHead()
    {
        launch(2, DEFAULTS);
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        assertTrue(box.number() < BoxNumbers.SHORT, box.toString());
        final MailBoxReference to = decks[0].cloneMailBox("box");
        to.post(decks[0].newMessage(20).pack(1L));
        drive("a short tag", () -> trySend(BoxNumbers.SHORT - 1) == RequestResult.SUCCESS);
        assertEquals(RequestResult.NONE, trySend(BoxNumbers.SHORT));
        assertEquals(RequestResult.NONE, trySend(BoxNumbers.COUNT - 1));
        drive("another short tag", () -> trySend(BoxNumbers.SHORT - 1) == RequestResult.SUCCESS);
    }

    private RequestResult trySend(final int tag)
    {
        return decks[0].messenger().trySend(decks[0].data(), 1, tag, new UnsafeBuffer(new byte[8]), 0, 8);
    }
}
