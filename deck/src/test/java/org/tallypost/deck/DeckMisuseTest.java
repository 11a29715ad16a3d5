// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;

/** Calls that are wrong, and processes that end in the midst of something: each is named, and all buffers come back. */
class DeckMisuseTest extends DeckFixture
{
    private static final int BUFFERS = 2;
    private static final int LIMIT = 8;
    private static final int LARGE = 40_000;
    private static final Consumer<DeckContext> FEW = (context) -> context.limit(LIMIT).buffersPerClass(BUFFERS)
        .maxLargeBytes(1 << 16);

    /** It ends without a word to the others. */
    private void end(final int rank)
    {
        endpoints[rank].close();
        decks[rank].close();
        decks[rank] = null;
        // a thread of a deck ends with its endpoint, and says so
        errors.removeIf((error) -> error instanceof AgentTerminationException);
    }

    private Message large(final int rank)
    {
        return decks[rank].newMessage(LARGE + 10).pack(new byte[LARGE], 0, LARGE);
    }

    private static boolean isWhole(final MailBox box)
    {
        for (int sizeClass = SizeClass.MIN; sizeClass <= LIMIT; sizeClass++)
        {
            if (box.pool.count(sizeClass) != BUFFERS)
            {
                return false;
            }
        }
        return box.largeCount == 0;
    }

    /** What a call throws in a thread that is not the deck's. */
    private static Throwable elsewhere(final Runnable call)
    {
        final CompletableFuture<Throwable> result = new CompletableFuture<>();
        new Thread(() ->
        {
            try
            {
                call.run();
                result.complete(new AssertionError("nothing was thrown"));
            }
            catch (final Throwable thrown)
            {
                result.complete(thrown);
            }
        }).start();
        return result.join();
    }

    @Test
    void shouldGiveABufferBackOnce()
    {
        launch(2, FEW);
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = decks[0].cloneMailBox("box");
        final Message sent = decks[0].newMessage(20).pack(1L);
        final Message got = decks[1].newMessage(0);
        for (int i = 0; i < 3 * BUFFERS; i++)
        {
            to.post(sent);
            assertTrue(box.retrieve(got, LONG_NS));
            got.clear();
            got.clear();
            got.close();
            assertEquals(0, got.length());
            assertEquals(-1, got.source());
            assertThrows(UnpackException.class, got::unpackLong);
        }
        drive("all buffers", () -> at(1, () -> isWhole(box)));
        assertEquals(0, decks[0].counters().get(DeckCounters.Counter.REFUSED));
    }

    @Test
    void shouldSayThatADeckIsClosedInEachCall()
    {
        launch(1, FEW);
        final MailBox box = decks[0].createMailBox("box");
        final MailBoxReference to = decks[0].cloneMailBox("box");
        final Message sent = decks[0].newMessage(20).pack(1L);
        final Message got = decks[0].newMessage(0);
        to.post(sent);
        assertTrue(box.retrieve(got, LONG_NS));
        decks[0].close();
        failsAs(DeckFailure.CLOSED, "rank=0", () -> decks[0].createMailBox("other"));
        failsAs(DeckFailure.CLOSED, "rank=0", () -> decks[0].cloneMailBox("box"));
        failsAs(DeckFailure.CLOSED, "rank=0", () -> decks[0].start("thread", () -> {}));
        failsAs(DeckFailure.CLOSED, "rank=0", () -> to.post(sent));
        failsAs(DeckFailure.CLOSED, "'box'", () -> box.retrieve(decks[0].newMessage(0)));
        failsAs(DeckFailure.CLOSED, "'box'", () -> box.retrieve(decks[0].newMessage(0), 0));
        assertThrows(AgentTerminationException.class, decks[0]::doWork);
        box.close();
        // what was retrieved stays until it is cleared
        assertEquals(1L, got.unpackLong());
        got.clear();
        got.clear();
    }

    @Test
    void shouldKeepWhatWasRetrievedFromABoxThatIsClosed()
    {
        launch(2, FEW);
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = decks[0].cloneMailBox("box");
        final Message got = decks[1].newMessage(0);
        to.post(decks[0].newMessage(20).pack(7L));
        assertTrue(box.retrieve(got, LONG_NS));
        box.close();
        box.close();
        assertEquals(7L, got.unpackLong());
        got.clear();
        drive("all buffers", () -> at(1, () -> isWhole(box)));
    }

    /** It would give the buffer back to its own deck, which does not have it. */
    @Test
    void shouldRefuseAMessageOfAnotherDeck()
    {
        launch(2, FEW);
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = decks[0].cloneMailBox("box");
        final Message sent = decks[0].newMessage(20).pack(7L);
        to.post(sent);
        assertThrows(IllegalStateException.class, () -> to.post(decks[1].newMessage(0)));
        assertThrows(IllegalStateException.class, () -> box.retrieve(sent, 0));
        assertThrows(IllegalStateException.class, () -> box.retrieve(sent));
        final Message got = decks[1].newMessage(0);
        assertTrue(box.retrieve(got, LONG_NS), "the message is still there");
        assertEquals(7L, got.unpackLong());
        got.clear();
        drive("all buffers", () -> at(1, () -> isWhole(box)));
    }

    @Test
    void shouldRefuseWorkByAnotherThread()
    {
        launch(1, FEW);
        final MailBox box = decks[0].createMailBox("box");
        final Throwable thrown = elsewhere(decks[0]::doWork);
        assertTrue(thrown instanceof IllegalStateException, thrown.toString());
        assertTrue(thrown.getMessage().contains(Thread.currentThread().getName()), thrown.getMessage());
        final Throwable closing = elsewhere(decks[0]::close);
        assertTrue(closing instanceof IllegalStateException, closing.toString());
        decks[0].cloneMailBox("box").post(decks[0].newMessage(20).pack(1L));
        assertTrue(box.retrieve(decks[0].newMessage(0), LONG_NS));
    }

    /** Before it has created anything. The clone goes on waiting, for any rank that creates the box. */
    @Test
    void shouldGoOnWaitingForANameIfAProcessEnds()
    {
        launch(2, FEW);
        final String name = nameOf(0, "late");
        final CompletableFuture<Integer> found = new CompletableFuture<>();
        final Thread clone = decks[0].start("clone", () -> found.complete(decks[0].cloneMailBox(name).rank()));
        end(1);
        failsAs(DeckFailure.TIMED_OUT, "'" + name + "'", () -> decks[0].cloneMailBox(name, SHORT_NS));
        open(1, FEW);
        assertTrue(clone.isAlive());
        at(1, () -> decks[1].createMailBox(name));
        drive("the clone", found::isDone);
        assertEquals(1, found.join());
    }

    /** While it posts, some of it in the box, some retrieved: all buffers come back, also those of large messages. */
    @Test
    void shouldGetAllBuffersBackOfAProcessThatEndsWhileItPosts()
    {
        launch(2, FEW);
        final MailBox box = decks[0].createMailBox(nameOf(0, "box"));
        for (int round = 0; round < 3; round++)
        {
            final CompletableFuture<DeckException> failed = new CompletableFuture<>();
            final Deck deck = decks[1];
            deck.start("posts", () ->
            {
                final MailBoxReference to = deck.cloneMailBox(box.name());
                final Message small = deck.newMessage(20).pack(1L);
                final Message large = large(1);
                try
                {
                    while (true)
                    {
                        to.post(small);
                        to.post(large);
                        large.awaitPosted(LONG_NS);
                    }
                }
                catch (final DeckException ex)
                {
                    failed.complete(ex);
                }
            });
            final Message[] got = {decks[0].newMessage(0), decks[0].newMessage(0), decks[0].newMessage(0)};
            for (final Message each : got)
            {
                assertTrue(box.retrieve(each, LONG_NS));
            }
            end(1);
            assertEquals(DeckFailure.CLOSED, failed.join().failure());
            open(1, FEW);
            for (final Message each : got)
            {
                each.clear();
            }
            drive("all buffers", () ->
            {
                while (box.retrieve(got[0], 0))
                {
                    got[0].clear();
                }
                return isWhole(box);
            });
        }
    }

    /** It has no memory for what is announced. The next owner of the name gets the message. */
    @Test
    void shouldSayThatAnOwnerEndedInTheHandshake()
    {
        launch(2, FEW);
        final String name = nameOf(0, "box");
        at(1, () -> decks[1].createMailBox(name));
        final MailBoxReference to = decks[0].cloneMailBox(name);
        final Message first = large(0);
        final Message second = large(0);
        to.post(first);
        assertTrue(first.awaitPosted(LONG_NS));
        to.post(second);
        drive("nothing", () -> true);
        assertFalse(second.isPosted());
        end(1);
        failsAs(DeckFailure.OWNER_GONE, "'" + name + "' of rank 1", () -> second.awaitPosted(LONG_NS));
        failsAs(DeckFailure.OWNER_GONE, "'" + name + "' of rank 1", () -> to.post(decks[0].newMessage(20).pack(1L)));
        open(1, FEW);
        final MailBox next = at(1, () -> decks[1].createMailBox(name));
        decks[0].cloneMailBox(name).post(second);
        assertTrue(second.awaitPosted(LONG_NS));
        final Message got = decks[1].newMessage(0);
        drive("a large message", () -> next.retrieve(got, 0));
        got.clear();
        drive("all buffers", () -> at(1, () -> isWhole(next)));
    }

    /** The next owner has all its buffers, and the sender all tokens for it. */
    @Test
    void shouldForgetBuffersThatAnOwnerHadNotGivenBack()
    {
        launch(2, FEW);
        final String name = nameOf(0, "box");
        final MailBox box = at(1, () -> decks[1].createMailBox(name));
        final MailBoxReference to = decks[0].cloneMailBox(name);
        final Message sent = decks[0].newMessage(20).pack(1L);
        final Message got = decks[1].newMessage(0);
        for (int i = 0; i < BUFFERS; i++)
        {
            to.post(sent);
        }
        assertTrue(box.retrieve(got, LONG_NS));
        end(1);
        got.clear();
        open(1, FEW);
        final MailBox next = at(1, () -> decks[1].createMailBox(name));
        final MailBoxReference again = decks[0].cloneMailBox(name);
        final Message[] taken = {decks[1].newMessage(0), decks[1].newMessage(0)};
        for (int i = 0; i < BUFFERS; i++)
        {
            again.post(sent);
            assertTrue(next.retrieve(taken[i], LONG_NS));
        }
        failsAs(DeckFailure.TIMED_OUT, "class=5", () -> again.post(sent, SHORT_NS));
        failsAs(DeckFailure.OWNER_GONE, name, () -> to.post(sent));
        for (final Message each : taken)
        {
            each.clear();
        }
        drive("all buffers", () -> at(1, () -> isWhole(next)));
    }
}
