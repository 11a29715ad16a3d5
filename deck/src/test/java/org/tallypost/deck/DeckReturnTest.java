// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.tallypost.deck.DeckCounters.Counter;

/** A process of a rank ends, and the rank is opened anew: nothing of the former process counts for the next one. */
class DeckReturnTest extends DeckFixture
{
    private static final int BUFFERS = 2;
    private static final int TOKEN_CLASS = 5;
    private static final Consumer<DeckContext> FEW = (context) -> context.limit(8).buffersPerClass(BUFFERS);

    /** It ends without a word to the others. */
    private void end(final int rank)
    {
        endpoints[rank].close();
        decks[rank].close();
        decks[rank] = null;
        // a thread of a deck ends with its endpoint, and says so
        errors.removeIf((error) -> error instanceof AgentTerminationException);
    }

    private static void take(final MailBox box, final Message got, final long expected)
    {
        assertTrue(box.retrieve(got, LONG_NS), "message " + expected);
        assertEquals(expected, got.unpackLong());
    }

    @Test
    void shouldGiveTokensOfAProcessThatEndedToNobody()
    {
        launch(2, FEW);
        final String name = nameOf(1, "kept");
        final MailBox box = at(1, () -> decks[1].createMailBox(name));
        final MailBoxReference before = decks[0].cloneMailBox(name);
        before.post(decks[0].newMessage(20).pack(0L));
        before.post(decks[0].newMessage(20).pack(1L));
        final Message[] got = {decks[1].newMessage(0), decks[1].newMessage(0)};
        for (int i = 0; i < BUFFERS; i++)
        {
            take(box, got[i], i);
        }
        end(0);
        open(0, FEW);
        final MailBoxReference to = decks[0].cloneMailBox(name);
        for (final Message each : got)
        {
            each.clear();
        }
        drive("free buffers", () -> at(1, () -> box.pool.count(TOKEN_CLASS)) == BUFFERS);
        // the new process has all its tokens, with none too many
        for (int i = 0; i < 5 * BUFFERS; i++)
        {
            to.post(decks[0].newMessage(20).pack((long)i));
            drive("a message", () -> !box.messages.isEmpty());
            take(box, got[0], i);
            got[0].clear();
        }
        at(1, () -> decks[1].createMailBox(nameOf(1, "behind those")));
        assertEquals(0, decks[0].counters().get(Counter.REFUSED));
        assertEquals(0, decks[1].counters().get(Counter.HELD));
        assertTrue(to.destination().tokens(TOKEN_CLASS) <= BUFFERS);
    }

    /** One rank keeps the name and does nothing while another one ends and comes back. */
    @Test
    void shouldAnswerTheNextProcessWhateverTheFormerOneHasAsked()
    {
        launch(2, DEFAULTS);
        final String asked = nameOf(0, "asked");
        final String other = nameOf(0, "other");
        final MailBox box = decks[0].createMailBox(asked);
        final CompletableFuture<DeckException> failed = new CompletableFuture<>();
        decks[1].start("clone", () ->
        {
            try
            {
                decks[1].cloneMailBox(asked);
            }
            catch (final DeckException ex)
            {
                failed.complete(ex);
            }
        });
        end(1);
        assertEquals(DeckFailure.CLOSED, failed.join().failure());
        open(1, DEFAULTS);
        final MailBox later = at(1, () -> decks[1].createMailBox(other));
        assertEquals(1, at(1, () -> decks[1].cloneMailBox(other)).rank());
        assertEquals(0, at(1, () -> decks[1].cloneMailBox(asked)).rank());
        assertNotEquals(box.number(), later.number());
    }

    @Test
    void shouldNumberBoxesAndRequestsAnew()
    {
        launch(1, DEFAULTS);
        final int box = decks[0].createMailBox("a").number();
        final NameRequest request = new NameRequest(decks[0], "a", null);
        final int number = decks[0].handler().enter(request);
        end(0);
        open(0, DEFAULTS);
        assertNotEquals(box, decks[0].createMailBox("a").number());
        assertNotEquals(number, decks[0].handler().enter(new NameRequest(decks[0], "a", null)));
    }
}
