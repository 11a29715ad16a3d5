// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.mailbox.Watchdog;

/** Messages come to the mail boxes that their names say, whole and once, or a call says why not. */
class DeckTest extends DeckFixture
{
    private static final int SMALL_BUFFERS = 2;
    private static final int SMALL_LIMIT = 8;

    private Message message(final int rank, final int capacity)
    {
        return decks[rank].newMessage(capacity);
    }

    /** Where rank 0 posts to a box. */
    private MailBoxReference reference(final String name)
    {
        return decks[0].cloneMailBox(name);
    }

    private static MailBox close(final MailBox box)
    {
        box.close();
        return box;
    }

    private static byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i * 7 + (i >> 8));
        }
        return bytes;
    }

    private static void check(final Message message, final int length)
    {
        final byte[] found = new byte[length];
        message.unpack(found, 0, length);
        assertArrayEquals(bytes(length), found);
        assertFalse(message.hasNext());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 48, 2_043, 2_044, 10_000, 131_059, 131_060, 1_000_000})
    void shouldBringAMessageOfAnyLength(final int length)
    {
        launch(2, DEFAULTS);
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = reference("box");
        assertEquals(1, to.rank());
        final Message sent = message(0, length + 5).pack(bytes(length), 0, length);
        final Message got = message(1, 0);
        for (int i = 0; i < 3; i++)
        {
            to.post(sent);
            assertTrue(sent.awaitPosted(LONG_NS));
            assertTrue(box.retrieve(got, LONG_NS));
            assertEquals(0, got.source());
            check(got, length);
        }
        assertEquals(length + 5 > 131_064 ? 3 : 0, decks[0].counters().get(Counter.LARGE));
    }

    @Test
    void shouldPostToTheOwnProcess()
    {
        launch(1, DEFAULTS);
        final MailBox box = decks[0].createMailBox("own");
        final MailBoxReference to = reference("own");
        final Message message = message(0, 300_000);
        to.post(message.pack(7));
        box.retrieve(message);
        assertEquals(7, message.unpackInt());
        message.clear();
        to.post(message.pack(bytes(200_000), 0, 200_000));
        final Message got = message(0, 0);
        box.retrieve(got);
        check(got, 200_000);
        drive("post", message::isPosted);
    }

    /** A wait that follows one that has slept looks first: what it waits for is often there at once. */
    @Test
    void shouldLookBeforeItSleepsInEachWait()
    {
        launch(1, DEFAULTS);
        final MailBox box = decks[0].createMailBox("quiet");
        final Message message = message(0, 0);
        long most = 0;
        // a thread that the machine holds up looks less often
        for (int round = 0; round < 50 && most < 20; round++)
        {
            assertFalse(box.retrieve(message, SHORT_NS));
            final long before = endpoints[0].counters().polls();
            assertFalse(box.retrieve(message, SHORT_NS));
            most = Math.max(most, endpoints[0].counters().polls() - before);
        }
        assertTrue(most >= 20, "polls of a wait: " + most);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRefuseANameThatIsTaken(final int home)
    {
        launch(2, DEFAULTS);
        final String name = nameOf(home, "taken");
        final MailBox box = at(1, () -> decks[1].createMailBox(name));
        failsAs(DeckFailure.DUPLICATE_NAME, "owner=rank 1", () -> decks[0].createMailBox(name));
        failsAs(DeckFailure.DUPLICATE_NAME, name, () -> at(1, () -> decks[1].createMailBox(name)));
        assertEquals(1, reference(name).rank());
        at(1, () -> close(box));
        // the rank that keeps the name hears of the end by a message
        drive("the name to be free", () -> isCreated(0, name));
        assertEquals(0, at(1, () -> decks[1].cloneMailBox(name)).rank());
    }

    private boolean isCreated(final int rank, final String name)
    {
        try
        {
            decks[rank].createMailBox(name);
            return true;
        }
        catch (final DeckException ex)
        {
            assertEquals(DeckFailure.DUPLICATE_NAME, ex.failure());
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayWhichNameNobodyHas(final int home)
    {
        launch(2, DEFAULTS);
        final String name = nameOf(home, "none");
        failsAs(DeckFailure.TIMED_OUT, "'" + name + "', home=rank " + home, () -> decks[0].cloneMailBox(name, SHORT_NS));
        failsAs(DeckFailure.TIMED_OUT, name, () -> at(1, () -> decks[1].cloneMailBox(name, SHORT_NS)));
        assertThrows(IllegalArgumentException.class, () -> decks[0].cloneMailBox(""));
        assertThrows(IllegalArgumentException.class, () -> decks[0].createMailBox("x".repeat(129)));
    }

    @Test
    void shouldWaitForANameThatIsCreatedLater()
    {
        launch(3, DEFAULTS);
        final String name = nameOf(2, "late");
        final AtomicLong rank = new AtomicLong(-1);
        final Thread waiting = decks[1].start("clone", () -> rank.set(decks[1].cloneMailBox(name).rank()));
        assertTrue(waiting.isAlive());
        decks[0].createMailBox(name);
        drive("clone", () -> rank.get() == 0);
    }

    /** The name is kept by a process that ends and comes back, and knows nothing then. */
    @Test
    void shouldTellNamesToAHomeThatComesBack()
    {
        launch(3, DEFAULTS);
        final String name = nameOf(2, "kept");
        at(1, () -> decks[1].createMailBox(name));
        shut(2);
        open(2, DEFAULTS);
        assertEquals(1, reference(name).rank());
        failsAs(DeckFailure.DUPLICATE_NAME, "rank 1", () -> at(2, () -> decks[2].createMailBox(name)));
    }

    @Test
    void shouldFailToPostToABoxThatIsClosed()
    {
        launch(2, DEFAULTS);
        final MailBox box = at(1, () -> decks[1].createMailBox("closed"));
        final MailBoxReference to = reference("closed");
        final Message message = message(0, 300_000);
        to.post(message.pack(1));
        assertTrue(box.retrieve(message(1, 0), LONG_NS));
        box.close();
        drive("code", () ->
        {
            try
            {
                to.post(message);
                return false;
            }
            catch (final DeckException ex)
            {
                return ex.failure() == DeckFailure.BOX_CLOSED;
            }
        });
        failsAs(DeckFailure.BOX_CLOSED, "closed", () -> box.retrieve(message(1, 0), LONG_NS));
    }

    @Test
    void shouldFailALargeMessageToABoxThatIsClosed()
    {
        launch(2, DEFAULTS);
        final MailBox box = at(1, () -> decks[1].createMailBox("closed"));
        final MailBoxReference to = reference("closed");
        box.close();
        final Message message = message(0, 300_000).pack(bytes(200_000), 0, 200_000);
        to.post(message);
        failsAs(DeckFailure.BOX_CLOSED, "200005 bytes to 'closed'", () -> message.awaitPosted(LONG_NS));
    }

    @Test
    void shouldEndWhenTheOwnerGoes()
    {
        launch(3, DEFAULTS);
        final String name = nameOf(0, "gone");
        at(1, () -> decks[1].createMailBox(name));
        final MailBoxReference to = reference(name);
        shut(1);
        final Message message = message(0, 300_000).pack(1);
        failsAs(DeckFailure.OWNER_GONE, "rank 1", () ->
        {
            while (true)
            {
                to.post(message);
            }
        });
        failsAs(DeckFailure.OWNER_GONE, "rank 1", () -> to.post(message));
        message.pack(bytes(200_000), 0, 200_000);
        to.post(message);
        failsAs(DeckFailure.OWNER_GONE, "rank 1", () -> message.awaitPosted(LONG_NS));
        drive("the name to be free", () ->
        {
            try
            {
                return decks[0].createMailBox(name).name().equals(name);
            }
            catch (final DeckException ex)
            {
                assertEquals(DeckFailure.DUPLICATE_NAME, ex.failure());
                return false;
            }
        });
    }

    @Test
    void shouldWaitForATokenOfTheClass()
    {
        launch(2, (context) -> context.limit(SMALL_LIMIT).buffersPerClass(SMALL_BUFFERS));
        final MailBox box = at(1, () -> decks[1].createMailBox("small"));
        final MailBoxReference to = reference("small");
        final Message message = message(0, 200);
        to.post(message.pack(1L));
        to.post(message);
        failsAs(DeckFailure.TIMED_OUT, "class=5, 9 bytes to 'small'", () -> to.post(message, SHORT_NS));
        // another class has tokens of its own
        message.clear();
        to.post(message.pack((byte)1));
        final Message got = message(1, 0);
        assertTrue(box.retrieve(got, LONG_NS));
        got.clear();
        message.clear();
        to.post(message.pack(1L));
        assertTrue(decks[0].counters().get(Counter.EXHAUSTED) > 0);
        assertEquals(0, decks[1].counters().get(Counter.HELD));
        assertTrue(decks[1].counters().toString().matches("DeckCounters\\{posted=\\d+, .*, refused=0}"));
    }

    /** Messages of the former process are still in the box: tokens of the new one are not lost with those of the former one. */
    @Test
    void shouldKeepItsTokensAfterItCameBack()
    {
        final Consumer<DeckContext> settings = (context) -> context.limit(SMALL_LIMIT).buffersPerClass(SMALL_BUFFERS);
        launch(2, settings);
        final String name = nameOf(1, "kept");
        final MailBox box = at(1, () -> decks[1].createMailBox(name));
        reference(name).post(message(0, 20).pack(1L));
        shut(0);
        open(0, settings);
        final MailBoxReference to = reference(name);
        to.post(message(0, 20).pack(2L));
        final Message[] got = {message(1, 0), message(1, 0)};
        for (int i = 0; i < got.length; i++)
        {
            assertTrue(box.retrieve(got[i], LONG_NS));
            assertEquals(i + 1, got[i].unpackLong());
        }
        for (final Message each : got)
        {
            each.clear();
        }
        drive("all tokens", () -> hasAllTokens(to.destination()));
    }

    @Test
    void shouldFailWithoutATokenIfAsked()
    {
        launch(2, (context) -> context.limit(SMALL_LIMIT).buffersPerClass(SMALL_BUFFERS).failWhenExhausted(true));
        final MailBox box = at(1, () -> decks[1].createMailBox("small"));
        final MailBoxReference to = reference("small");
        final Message message = message(0, 200).pack(1L);
        final Message got = message(1, 0);
        for (int i = 0; i < 10; i++)
        {
            to.post(message);
            to.post(message);
            failsAs(DeckFailure.CLASS_EXHAUSTED, "class=5", () -> to.post(message));
            assertTrue(box.retrieve(got, LONG_NS));
            assertTrue(box.retrieve(got, LONG_NS));
            got.clear();
            // the thread of the deck has still to take the buffers over
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a token");
            while (!isPosted(to, message))
            {
                watchdog.idle();
            }
            assertTrue(box.retrieve(got, LONG_NS));
            got.clear();
            // asks anew if the answer was no: a buffer was not taken over yet
            drive("all tokens", () -> hasAllTokens(to.destination()));
        }
    }

    private static boolean hasAllTokens(final Destination destination)
    {
        final boolean isThere = destination.tokens(5) == SMALL_BUFFERS;
        if (!isThere && destination.ask(5))
        {
            destination.forgetDenial(5);
        }
        return isThere;
    }

    private static boolean isPosted(final MailBoxReference to, final Message message)
    {
        try
        {
            to.post(message);
            return true;
        }
        catch (final DeckException ex)
        {
            assertEquals(DeckFailure.CLASS_EXHAUSTED, ex.failure());
            return false;
        }
    }

    /** Two processes have as many tokens each as the box has buffers: what has no buffer waits, and comes in order. */
    @Test
    void shouldHoldWhatHasNoBuffer()
    {
        launch(3, (context) -> context.limit(SMALL_LIMIT).buffersPerClass(SMALL_BUFFERS));
        final MailBox box = decks[0].createMailBox("shared");
        final Message[] messages = new Message[3];
        for (int rank = 1; rank < 3; rank++)
        {
            final int from = rank;
            final AtomicLong posted = new AtomicLong();
            messages[rank] = message(rank, 100);
            decks[rank].start("posts", () ->
            {
                final MailBoxReference to = decks[from].cloneMailBox("shared");
                for (int i = 0; i < SMALL_BUFFERS; i++)
                {
                    messages[from].clear();
                    to.post(messages[from].pack(from).pack(i));
                    posted.incrementAndGet();
                }
            });
            drive("posts", () -> posted.get() == SMALL_BUFFERS);
        }
        drive("held", () -> decks[0].counters().get(Counter.HELD) == SMALL_BUFFERS);
        final Message got = message(0, 0);
        final int[] next = new int[3];
        for (int i = 0; i < 2 * SMALL_BUFFERS; i++)
        {
            assertTrue(box.retrieve(got, LONG_NS));
            final int from = got.unpackInt();
            assertEquals(from, got.source());
            assertEquals(next[from]++, got.unpackInt());
        }
        got.clear();
        assertFalse(box.retrieve(got, 0));
    }

    @Test
    void shouldRefuseWhatIsLongerThanTheOwnerTakes()
    {
        launch(2, (context) -> context.limit(SMALL_LIMIT).maxLargeBytes(1 << 16));
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = reference("box");
        final Message message = message(0, 300_000).pack(bytes(200_000), 0, 200_000);
        to.post(message);
        failsAs(DeckFailure.TOO_LONG, "200005 bytes", () -> message.awaitPosted(LONG_NS));
        // two that have to take turns with the memory
        final Message[] turns = {message(0, 40_010), message(0, 40_010)};
        for (final Message each : turns)
        {
            to.post(each.pack(bytes(40_000), 0, 40_000));
        }
        final Message got = message(1, 0);
        for (int i = 0; i < 2; i++)
        {
            drive("large", () -> box.retrieve(got, 0));
            check(got, 40_000);
        }
        for (final Message each : turns)
        {
            drive("post", each::isPosted);
        }
    }

    @Test
    void shouldGiveUpALargeMessageThatFindsNoRoom()
    {
        launch(2, (context) -> context.limit(SMALL_LIMIT).maxLargeBytes(1 << 16));
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference to = reference("box");
        final Message first = message(0, 40_010).pack(bytes(40_000), 0, 40_000);
        final Message second = message(0, 40_010).pack(bytes(40_000), 0, 40_000);
        to.post(first);
        assertTrue(first.awaitPosted(LONG_NS));
        to.post(second, SHORT_NS);
        assertFalse(second.isPosted());
        assertThrows(IllegalStateException.class, () -> second.pack(1));
        failsAs(DeckFailure.TIMED_OUT, "maxLargeBytes", () -> second.awaitPosted(LONG_NS));
        final Message got = message(1, 0);
        drive("first", () -> box.retrieve(got, 0));
        got.clear();
        // the memory of the one that was given up is free again
        to.post(second);
        drive("second", () -> box.retrieve(got, 0));
        check(got, 40_000);
        drive("post", second::isPosted);
    }

    @Test
    void shouldServeSeveralThreads()
    {
        launch(2, DEFAULTS);
        final int messages = 400;
        final MailBox box = at(1, () -> decks[1].createMailBox("work"));
        final AtomicLong sum = new AtomicLong();
        final AtomicLong taken = new AtomicLong();
        for (int i = 0; i < 3; i++)
        {
            decks[1].start("retrieves-" + i, () ->
            {
                final Message got = message(1, 0);
                while (taken.get() < messages)
                {
                    if (box.retrieve(got, SHORT_NS))
                    {
                        sum.addAndGet(got.unpackLong());
                        taken.incrementAndGet();
                    }
                }
                got.clear();
            });
            decks[0].start("posts-" + i, () ->
            {
                final MailBoxReference to = decks[0].cloneMailBox("work");
                final Message message = message(0, 16);
                for (int each = 0; each < messages / 4; each++)
                {
                    message.clear();
                    to.post(message.pack(1L));
                }
            });
        }
        final MailBoxReference to = reference("work");
        final Message message = message(0, 16).pack(1L);
        for (int each = 0; each < messages / 4; each++)
        {
            to.post(message);
        }
        drive("messages", () -> taken.get() == messages);
        assertEquals(messages, sum.get());
    }

    @Test
    void shouldSayThatNobodyWorksForTheDeck()
    {
        launch(1, DEFAULTS);
        final AtomicLong failed = new AtomicLong();
        final Thread thread = decks[0].start("clone", () ->
        {
            final DeckException ex = assertThrows(DeckException.class, () -> decks[0].cloneMailBox("x", 1));
            assertEquals(DeckFailure.NOT_WORKED, ex.failure());
            failed.incrementAndGet();
        });
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a thread");
        while (thread.isAlive())
        {
            watchdog.idle();
        }
        assertEquals(1, failed.get());
    }

    @Test
    void shouldRefuseSettingsThatCannotBe()
    {
        launch(1, DEFAULTS);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Deck.launch(
            new DeckContext().endpoint(endpoints[0]).rankCount(1).limit(21))).getMessage().contains("limit"));
        assertThrows(IllegalArgumentException.class, () -> Deck.launch(new DeckContext()));
        assertThrows(IllegalArgumentException.class, () -> decks[0].newMessage(-1));
        shutDeck();
        failsAs(DeckFailure.CLOSED, "rank=0", () -> decks[0].createMailBox("x"));
    }

    /** Such a message is not being posted: it may be used and closed. */
    @Test
    void shouldLeaveAMessageFreeThatAClosedDeckDoesNotPost()
    {
        launch(1, DEFAULTS);
        decks[0].createMailBox("box");
        final MailBoxReference to = reference("box");
        shutDeck();
        try (Message message = message(0, 300_000).pack(bytes(200_000), 0, 200_000))
        {
            failsAs(DeckFailure.CLOSED, "rank=0", () -> to.post(message));
            message.clear();
            failsAs(DeckFailure.CLOSED, "rank=0", () -> to.post(message.pack(1)));
        }
    }

    /** What waits behind a large message of a box has its turn when that box is closed. */
    @Test
    void shouldGoOnWithOtherBoxesWhenOneIsClosed()
    {
        launch(2, (context) -> context.limit(SMALL_LIMIT).maxLargeBytes((1 << 16) + (1 << 12)));
        final MailBox closed = at(1, () -> decks[1].createMailBox("closed"));
        final MailBox box = at(1, () -> decks[1].createMailBox("box"));
        final MailBoxReference toClosed = reference("closed");
        final MailBoxReference to = reference("box");
        final Message[] large = {message(0, 40_010), message(0, 40_010)};
        // the first one takes the memory that the second one waits for
        to.post(large[0].pack(bytes(40_000), 0, 40_000));
        toClosed.post(large[1].pack(bytes(40_000), 0, 40_000));
        final Message small = message(0, 2_010).pack(bytes(2_000), 0, 2_000);
        to.post(small);
        final Message[] got = {message(1, 0), message(1, 0)};
        drive("large", () -> box.retrieve(got[0], 0));
        closed.close();
        drive("small", () -> box.retrieve(got[1], 0));
        check(got[1], 2_000);
        failsAs(DeckFailure.BOX_CLOSED, "closed", () -> large[1].awaitPosted(LONG_NS));
    }

    @Test
    void shouldCloseByAThreadOfItsOwn()
    {
        launch(2, (context) -> context.timeoutNs(Deck.FOREVER));
        final Thread closing = decks[1].start("closes", () -> decks[1].close());
        drive("the close", () -> !closing.isAlive());
        failsAs(DeckFailure.CLOSED, "rank=1", () -> decks[1].createMailBox("x"));
    }

    private void shutDeck()
    {
        decks[0].close();
        decks[0].close();
    }

    /** A program may start one for each task, for as long as it runs. */
    @Test
    void shouldKeepNoThreadsThatHaveEnded() throws InterruptedException
    {
        launch(1, DEFAULTS);
        for (int i = 0; i < 20; i++)
        {
            decks[0].start("task-" + i, () -> {}).join();
        }
        assertEquals(1, decks[0].threadCount());
    }
}
