// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.deck.Deck;
import org.tallypost.deck.DeckContext;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.deck.DeckException;
import org.tallypost.deck.DeckFailure;
import org.tallypost.deck.MailBox;
import org.tallypost.deck.MailBoxReference;
import org.tallypost.deck.Message;
import org.tallypost.deck.UnpackException;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Names are known, and messages come, in mail boxes of another node; a node that goes is an owner that goes. */
@Tag("once")
class MailBoxesBetweenNodesTest
{
    private static final long LONG_NS = 150_000_000_000L;
    /** Doubles for which no mail box has a buffer. */
    private static final int LARGE = 17_000;

    /** Rank 1 keeps the first one, rank 0 the other. */
    private static final String[] NAMES = {"north", "depot"};
    private static final long SHORT_NS = 20_000_000L;
    private static final int BUFFERS = 2;
    private static final int KILLS = 2;

    @TempDir
    private File directory;

    private static Deck launch(final NodesRig rig, final int rank)
    {
        return launch(rig, rank, new DeckContext());
    }

    private static Deck launch(final NodesRig rig, final int rank, final DeckContext context)
    {
        return Deck.launch(context.endpoint(rig.endpoint(rank)).rankCount(2).timeoutNs(LONG_NS).ownThread(rank == 1));
    }

    /** A mail box of rank 1. The other deck works meanwhile, as it may keep the name. */
    private static MailBox create(final Deck here, final Deck there, final String name)
    {
        final AtomicReference<MailBox> made = new AtomicReference<>();
        there.start("creation", () -> made.set(there.createMailBox(name)));
        drive("a mail box", here, () -> made.get() != null);
        return made.get();
    }

    private static void drive(final String what, final Deck deck, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
        while (!condition.getAsBoolean())
        {
            deck.doWork();
            watchdog.idle();
        }
    }

    private static void failsAs(final DeckFailure expected, final String part, final Executable call)
    {
        final DeckException ex = assertThrows(DeckException.class, call);
        assertEquals(expected, ex.failure(), ex.getMessage());
        assertTrue(ex.getMessage().contains(part), ex.getMessage());
    }

    private static void exchange(
        final MailBoxReference to, final MailBox box, final Message sent, final Message got, final int count)
    {
        final double[] values = new double[count];
        java.util.Arrays.setAll(values, (i) -> i / 3.0);
        sent.clear();
        to.post(sent.pack(values, 0, count).pack(count));
        assertTrue(sent.awaitPosted(LONG_NS));
        assertTrue(box.retrieve(got, LONG_NS), "a message of " + count);
        final double[] found = new double[count];
        got.unpack(found, 0, count);
        assertArrayEquals(values, found);
        assertEquals(count, got.unpackInt());
    }

    @Test
    void shouldPostToAnotherNode()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0);
            Deck there = launch(rig, 1))
        {
            final Message sent = here.newMessage(150_000);
            final Message got = there.newMessage(0);
            MailBoxReference last = null;
            MailBox box = null;
            for (final String name : NAMES)
            {
                final MailBox[] made = new MailBox[1];
                final Thread creation = there.start("creation", () -> made[0] = there.createMailBox(name));
                final MailBoxReference to = here.cloneMailBox(name);
                assertEquals(1, to.rank());
                while (creation.isAlive())
                {
                    here.doWork();
                }
                final DeckException ex = assertThrows(DeckException.class, () -> here.createMailBox(name));
                assertEquals(DeckFailure.DUPLICATE_NAME, ex.failure());
                exchange(to, made[0], sent, got, 1);
                exchange(to, made[0], sent, got, 1_000);
                last = to;
                box = made[0];
            }
            final MailBoxReference to = last;
            exchange(to, box, sent, got, LARGE);
            rig.endpoint(1).close();
            sent.clear();
            final DeckException gone = assertThrows(DeckException.class, () ->
            {
                while (true)
                {
                    to.post(sent);
                }
            });
            assertEquals(DeckFailure.OWNER_GONE, gone.failure(), gone.getMessage());
        }
    }

    @Test
    void shouldSayWhichNameOfAnotherNodeNobodyHas()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0);
            Deck there = launch(rig, 1))
        {
            final List<Integer> homes = new ArrayList<>();
            for (final String name : NAMES)
            {
                final DeckException ex = assertThrows(DeckException.class, () -> here.cloneMailBox(name, SHORT_NS));
                assertEquals(DeckFailure.TIMED_OUT, ex.failure(), ex.getMessage());
                homes.add(ex.getMessage().contains("'" + name + "', home=rank 1") ? 1 : 0);
                // it is forgotten: the name is free, and the next clone finds it
                create(here, there, name);
                assertEquals(1, here.cloneMailBox(name).rank());
            }
            assertEquals(List.of(1, 0), homes);
        }
    }

    @Test
    void shouldRefuseOtherTypesThanAnotherNodeHasPacked()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0);
            Deck there = launch(rig, 1))
        {
            final MailBox box = create(here, there, NAMES[0]);
            final Message got = there.newMessage(0);
            here.cloneMailBox(NAMES[0]).post(here.newMessage(64).pack(7).pack(new long[] {8, 9}, 0, 2));
            assertTrue(box.retrieve(got, LONG_NS), "a message");
            final String value = assertThrows(UnpackException.class, got::unpackLong).getMessage();
            assertTrue(value.contains("found=int, expected=long"), value);
            assertEquals(7, got.unpackInt());
            final String array = assertThrows(UnpackException.class, () -> got.unpack(new long[3], 0, 3)).getMessage();
            assertTrue(array.contains("found=long[] of 2, expected=long[] of 3"), array);
            final long[] values = new long[2];
            got.unpack(values, 0, 2);
            assertArrayEquals(new long[] {8, 9}, values);
            final String nothing = assertThrows(UnpackException.class, got::unpackByte).getMessage();
            assertTrue(nothing.contains("found=nothing, expected=byte"), nothing);
        }
    }

    @Test
    void shouldSayThatAClassOfAnotherNodeIsExhausted()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0, new DeckContext().failWhenExhausted(true));
            Deck there = launch(rig, 1, new DeckContext().buffersPerClass(BUFFERS)))
        {
            final MailBox box = create(here, there, NAMES[0]);
            final MailBoxReference to = here.cloneMailBox(NAMES[0]);
            final Message sent = here.newMessage(64).pack(1L);
            final Message got = there.newMessage(0);
            for (int i = 0; i < BUFFERS; i++)
            {
                to.post(sent);
            }
            failsAs(DeckFailure.CLASS_EXHAUSTED, "class=5, 9 bytes to '" + NAMES[0] + "' of rank 1", () -> to.post(sent));
            // another class has tokens of its own
            to.post(here.newMessage(0));
            for (int i = 0; i <= BUFFERS; i++)
            {
                assertTrue(box.retrieve(got, LONG_NS), "message " + i);
            }
            got.clear();
            drive("a token", here, () -> isPosted(to, sent));
            assertTrue(box.retrieve(got, LONG_NS), "one behind those");
            assertEquals(1L, got.unpackLong());
            assertEquals(0, there.counters().get(Counter.HELD));
        }
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
            assertEquals(DeckFailure.CLASS_EXHAUSTED, ex.failure(), ex.getMessage());
            return false;
        }
    }

    /** A rank of the other node ends while its last creation is here and not read, and comes back. */
    @Test
    void shouldGiveTheNameOfAProcessThatEndedToTheNextOneOfItsRank()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            Deck here = launch(rig, 0);
            Deck there = launch(rig, 1))
        {
            create(here, there, NAMES[1]).close();
            final long before = rig.endpoint(1).counters().sent();
            there.start("creation", () -> failsAs(DeckFailure.CLOSED, NAMES[1], () -> there.createMailBox(NAMES[1])));
            await("a creation that is sent", () -> rig.endpoint(1).counters().sent() > before);
            final int ended = RankState.incarnation(rig.endpoint(0).rankState(1));
            rig.endpoint(1).close();
            rig.endpoints[1] = rig.nodes.get(1).open(1);
            await("the next process of the rank", () ->
            {
                final long state = rig.endpoint(0).rankState(1);
                return RankState.of(state) == RankState.OPEN && RankState.incarnation(state) > ended;
            });
            try (Deck again = launch(rig, 1))
            {
                final AtomicReference<Object> made = new AtomicReference<>();
                again.start("creation again", () -> made.set(outcome(() -> again.createMailBox(NAMES[1]))));
                drive("an answer", here, () -> made.get() != null);
                assertEquals(NAMES[1], made.get() instanceof MailBox ? ((MailBox)made.get()).name() : made.get());
                exchange(here.cloneMailBox(NAMES[1]), (MailBox)made.get(), here.newMessage(100), again.newMessage(0), 1);
            }
        }
    }

    private static Object outcome(final Supplier<MailBox> call)
    {
        try
        {
            return call.get();
        }
        catch (final DeckException ex)
        {
            return ex.getMessage();
        }
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
        while (!condition.getAsBoolean())
        {
            watchdog.idle();
        }
    }

    /** Kill -9 of the owner's process on the other node. The next one on that node may have the name again. */
    @Test
    void shouldSayThatAKilledOwnerOfAnotherNodeIsGone()
    {
        final NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            context.livenessIntervalNs(OwnerOfNode.LIVENESS_NS));
        try (rig)
        {
            rig.launch(0);
            try (Deck here = launch(rig, 0))
            {
                final Message message = here.newMessage(100_000);
                for (int kill = 0; kill < KILLS; kill++)
                {
                    final MailBoxReference to;
                    try (ForkedJvm child = OwnerOfNode.start(new File(directory, "node-1"), rig.topology, NAMES[1]))
                    {
                        to = here.cloneMailBox(NAMES[1]);
                        message.clear();
                        to.post(message.pack(kill));
                        final AtomicReference<String> line = new AtomicReference<>();
                        drive("the first message", here, () ->
                        {
                            line.set(child.pollLine());
                            return line.get() != null;
                        });
                        assertEquals("found " + kill, line.get());
                        child.kill();
                    }
                    failsAs(DeckFailure.OWNER_GONE, "'" + NAMES[1] + "' of rank 1", () -> postForEver(to, message));
                    failsAs(DeckFailure.OWNER_GONE, "'" + NAMES[1] + "' of rank 1", () -> to.post(message));
                }
            }
        }
    }

    private static void postForEver(final MailBoxReference to, final Message message)
    {
        while (true)
        {
            to.post(message);
        }
    }
}
