// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.SendRequest;
import org.tallypost.node.Node;

/** Rank 1 is no deck: it says what it likes. Rank 0 counts what cannot be, keeps its bounds, and works as before. */
@Tag("once")
class DeckForgedTest extends DeckFixture
{
    private static final int RANKS = 2;
    private static final int FIRST_CONTEXT = new DeckContext().firstContext();
    private static final int LONGEST = 3_000;
    private static final int STEPS = 5_000;
    private static final int FORGED_KINDS = 16;
    private static final int LARGE_BYTES = 1 << 20;

    private final UnsafeBuffer sent = new UnsafeBuffer(new byte[LONGEST]);
    private final UnsafeBuffer received = new UnsafeBuffer(new byte[LONGEST]);
    private final ReceiveRequest receive = new ReceiveRequest();
    private final List<int[]> answers = new ArrayList<>();
    private Endpoint endpoint;
    private Messenger forger;
    private Communicator data;
    private Communicator control;
    private MailBox box;
    private MailBoxReference own;
    private Message message;
    private boolean isReading = true;

    @BeforeEach
    void launch()
    {
        node = Node.launch(context(directory, RANKS));
        endpoints = new Endpoint[RANKS];
        decks = new Deck[RANKS];
        open(0, (context) -> context.maxLargeBytes(LARGE_BYTES).limit(8).buffersPerClass(2));
        endpoint = node.open(1);
        forger = Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(RANKS));
        data = forger.duplicate(forger.world(), FIRST_CONTEXT);
        forger.duplicate(forger.world(), FIRST_CONTEXT + 1);
        control = forger.duplicate(forger.world(), FIRST_CONTEXT + 2);
        final String name = nameOf(0, "own");
        box = decks[0].createMailBox(name);
        own = decks[0].cloneMailBox(name);
        message = decks[0].newMessage(100);
    }

    @AfterEach
    void end()
    {
        forger.close();
        endpoint.close();
    }

    private void turn()
    {
        decks[0].doWork();
        forger.doWork();
        while (isReading && !receive.isActive())
        {
            if (receive.isDone() && receive.source() == 0)
            {
                answers.add(new int[] {received.getInt(ControlDescriptor.KIND_OFFSET, LITTLE_ENDIAN),
                    received.getInt(ControlDescriptor.REQUEST_OFFSET, LITTLE_ENDIAN),
                    received.getInt(ControlDescriptor.VALUE_OFFSET, LITTLE_ENDIAN)});
            }
            forger.receive(receive, control, Communicator.ANY_SOURCE, Communicator.ANY_TAG, received, 0, LONGEST);
        }
    }

    private void driveBoth(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
        while (!condition.getAsBoolean())
        {
            turn();
            watchdog.idle();
        }
    }

    private int incarnation()
    {
        return RankState.incarnation(endpoint.rankState(1));
    }

    private void put(final int kind, final int incarnation, final int request, final int number, final int value)
    {
        sent.putInt(ControlDescriptor.KIND_OFFSET, kind, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.INCARNATION_OFFSET, incarnation, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.REQUEST_OFFSET, request, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.BOX_OFFSET, number, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.VALUE_OFFSET, value, LITTLE_ENDIAN);
        describe(0, 0, 0);
    }

    private void describe(final int limit, final int buffers, final int owner)
    {
        sent.putInt(ControlDescriptor.LIMIT_OFFSET, limit, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.BUFFERS_OFFSET, buffers, LITTLE_ENDIAN);
        sent.putInt(ControlDescriptor.OWNER_OFFSET, owner, LITTLE_ENDIAN);
    }

    private int name(final String name)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        sent.putBytes(ControlDescriptor.NAME_OFFSET, bytes);
        return ControlDescriptor.NAME_OFFSET + bytes.length;
    }

    private void send(final Communicator communicator, final int tag, final int length)
    {
        final SendRequest request = new SendRequest();
        forger.send(request, communicator, 0, tag, sent, 0, length);
        driveBoth("a forged message of " + length + " bytes", request::isDone);
    }

    private void sendControl(final int length)
    {
        send(control, 0, length);
    }

    /** Sends a message that is answered, and so waits until all before it were taken. */
    private void sync()
    {
        answers.clear();
        put(ControlDescriptor.WANT, incarnation(), 0, box.number(), SizeClass.MIN);
        sendControl(ControlDescriptor.NAME_OFFSET);
        driveBoth("the answer to a wanted token", () ->
            answers.stream().anyMatch((each) -> each[0] == ControlDescriptor.TOKENS));
    }

    private long count(final Counter counter)
    {
        return decks[0].counters().get(counter);
    }

    private void worksAsBefore()
    {
        for (int i = 0; i < 5; i++)
        {
            message.clear();
            own.post(message.pack(i));
            Message got = message;
            do
            {
                box.retrieve(got);
            }
            while (got.source() != 0);
            assertEquals(i, got.unpackInt());
        }
        message.clear();
    }

    @ParameterizedTest
    @CsvSource({
        // kind, request, box beside the own one, value, refused, undelivered
        "0, 0, 0, 0, 1, 0",
        "-1, 0, 0, 0, 1, 0",
        "13, 0, 0, 0, 1, 0",
        "2147483647, 7, 0, 0, 1, 0",
        "2, 0, 0, 0, 0, 1",
        "2, 12345, 0, -5, 0, 1",
        "4, 12345, -1, 99, 0, 1",
        "5, -1, 0, 0, 0, 0",
        "7, 0, 0, 2147483647, 0, 1",
        "7, 0, -1, -1, 0, 1",
        "8, 0, 0, -1, 1, 0",
        "8, 0, 0, 9, 1, 0",
        "8, 0, 0, 2, 1, 0",
        "8, 0, 99, 3, 0, 0",
        "9, 1, 0, -1, 1, 0",
        "9, 1, 0, 2147483647, 1, 0",
        "9, 1, 0, 1073741824, 1, 0",
        "9, 1, 0, 8, 1, 0",
        "9, 1, -1, 100000, 0, 0",
        "10, 1, 0, -1, 0, 0",
        "10, 1, 0, 5, 0, 0",
        "11, 77, 0, 0, 0, 0",
        "12, 0, 0, 0, 0, 0",
        "12, 0, -7, 0, 0, 0"})
    void shouldCountWhatCannotBe(
        final int kind, final int request, final int number, final int value, final int refused, final int undelivered)
    {
        put(kind, incarnation(), request, box.number() + number, value);
        sendControl(ControlDescriptor.NAME_OFFSET);
        sync();
        assertEquals(refused, count(Counter.REFUSED));
        assertEquals(undelivered, count(Counter.UNDELIVERED));
        worksAsBefore();
    }

    /** An answer would go to the next process of the rank, which may have asked for something else. */
    @ParameterizedTest
    @CsvSource({"-1, 1", "-1, 3", "-1, 8", "1, 1", "1, 3", "1, 8"})
    void shouldNotAnswerAnotherProcessOfTheRank(final int later, final int kind)
    {
        final String name = nameOf(0, "other");
        put(kind, incarnation() + later, 9, box.number(), SizeClass.MIN);
        describe(8, 2, incarnation() + later);
        sendControl(name(kind == ControlDescriptor.CLONE ? box.name() : name));
        put(ControlDescriptor.CLONE, incarnation(), 10, 0, 0);
        sendControl(name(box.name()));
        driveBoth("the answer to the process that is there", () -> answers.size() == 1);
        assertEquals(10, answers.get(0)[1]);
        assertEquals(1, count(Counter.UNDELIVERED));
        assertEquals(name, decks[0].createMailBox(name).name());
    }

    @Test
    void shouldRefuseWhatIsTooShortOrTooLong()
    {
        put(ControlDescriptor.WANT, incarnation(), 0, box.number(), SizeClass.MIN);
        sendControl(0);
        sendControl(ControlDescriptor.NAME_OFFSET - 1);
        sendControl(ControlDescriptor.MAX_LENGTH + 1);
        sendControl(LONGEST);
        sync();
        assertEquals(4, count(Counter.REFUSED));
        worksAsBefore();
    }

    @ParameterizedTest
    @CsvSource({"-1, 8, 2", "524288, 8, 2", "0, 2, 2", "0, 21, 2", "0, 8, 0", "0, 8, -1", "0, 8, 1025"})
    void shouldRefuseABoxThatCannotBe(final int number, final int limit, final int buffers)
    {
        put(ControlDescriptor.CREATE, incarnation(), 9, number, 0);
        describe(limit, buffers, incarnation());
        sendControl(name(nameOf(0, "forged")));
        sync();
        assertEquals(1, count(Counter.REFUSED));
    }

    @Test
    void shouldKeepNamesThatAreTaken()
    {
        final String taken = box.name();
        for (final int kind : new int[] {ControlDescriptor.CREATE, ControlDescriptor.REMOVE})
        {
            put(kind, incarnation(), 9, box.number(), 0);
            describe(8, 2, incarnation());
            sendControl(name(taken));
        }
        driveBoth("the answer to a name that is taken", () -> answers.size() == 1);
        assertEquals(ControlDescriptor.CREATED, answers.get(0)[0]);
        assertEquals(1, answers.get(0)[2], "rank 0 has it");
        assertEquals(0, decks[0].cloneMailBox(taken).rank());
        put(ControlDescriptor.CREATE, incarnation(), 9, 0, 0);
        describe(8, 2, incarnation());
        sendControl(name(nameOf(1, "elsewhere")));
        sendControl(ControlDescriptor.NAME_OFFSET);
        sent.putByte(ControlDescriptor.NAME_OFFSET, (byte)0xFF);
        sendControl(ControlDescriptor.NAME_OFFSET + 1);
        sync();
        assertEquals(3, count(Counter.REFUSED));
        worksAsBefore();
    }

    /** So what a rank can have kept of it is bounded, as its boxes are. */
    @Test
    void shouldKeepOneNameForABox()
    {
        final String first = nameOf(0, "first");
        final String second = nameOf(0, "second");
        for (final String each : new String[] {first, first, second})
        {
            put(ControlDescriptor.CREATE, incarnation(), 9, 3, 0);
            describe(8, 2, incarnation());
            sendControl(name(each));
        }
        sync();
        assertEquals(1, count(Counter.REFUSED));
        assertEquals(1, decks[0].cloneMailBox(first, LONG_NS).rank());
        failsAs(DeckFailure.TIMED_OUT, "second", () -> decks[0].cloneMailBox(second, SHORT_NS));
        // and the name is free again behind it
        put(ControlDescriptor.REMOVE, incarnation(), 0, 3, 0);
        sendControl(name(first));
        put(ControlDescriptor.CREATE, incarnation(), 9, 3, 0);
        describe(8, 2, incarnation());
        sendControl(name(second));
        sync();
        assertEquals(1, decks[0].cloneMailBox(second, LONG_NS).rank());
    }

    /** A rank that asks and never reads an answer: no more answers wait for it than a bound says. */
    @Test
    void shouldKeepAnswersWithinBounds()
    {
        isReading = false;
        final SendRequest request = new SendRequest();
        put(ControlDescriptor.WANT, incarnation(), 0, box.number(), SizeClass.MIN);
        for (int i = 0; i < Controls.MAX_WAITING + 5_000; i++)
        {
            forger.send(request, control, 0, 0, sent, 0, ControlDescriptor.NAME_OFFSET);
            driveBoth("a question", request::isDone);
        }
        driveBoth("answers that are refused", () -> count(Counter.REFUSED) > 0);
        assertTrue(decks[0].controls().waiting(1) <= Controls.MAX_WAITING);
        worksAsBefore();
        isReading = true;
        driveBoth("all answers", () -> decks[0].controls().waiting(1) == 0);
        sync();
    }

    /** What it announces and never sends keeps no message of others from the box. */
    @Test
    void shouldDeliverBesideAMessageThatDoesNotCome()
    {
        // its bytes come when the forger works, which it does not
        final UnsafeBuffer longOne = new UnsafeBuffer(new byte[LONGEST]);
        decks[0].close();
        endpoints[0].close();
        open(0, (context) -> context.limit(12).buffersPerClass(2));
        final String name = nameOf(0, "two");
        box = decks[0].createMailBox(name);
        own = decks[0].cloneMailBox(name);
        message = decks[0].newMessage(100);
        final SendRequest request = new SendRequest();
        driveBoth("a first message", () ->
        {
            if (!request.isActive() && !request.isDone())
            {
                forger.send(request, data, 0, box.number(), longOne, 0, 8);
            }
            return request.isDone();
        });
        box.retrieve(message);
        message.clear();
        forger.send(request, data, 0, box.number(), longOne, 0, LONGEST);
        assertTrue(request.isActive());
        worksAsBefore();
        final Message got = decks[0].newMessage(0);
        driveBoth("the long message", () -> box.retrieve(got, 0));
        assertEquals(LONGEST, got.length());
        assertEquals(1, got.source());
    }

    /** Their tags need no head, and begin anew after 2^16 of them: not with that of one on its way. */
    @Test
    void shouldGiveNoLargeMessageTheTagOfAnother()
    {
        decks[0].incoming().large().nextTag = BoxNumbers.SHORT - 3;
        announce();
        announce();
        decks[0].incoming().large().nextTag = BoxNumbers.SHORT - 4;
        announce();
        announce();
        final int[] tags = answers.stream().mapToInt((each) -> each[2]).toArray();
        assertArrayEquals(new int[] {BoxNumbers.SHORT - 2, BoxNumbers.SHORT - 1, BoxNumbers.SHORT - 3, 0}, tags);
    }

    private void announce()
    {
        final int before = answers.size();
        put(ControlDescriptor.ANNOUNCE, incarnation(), 7, box.number(), 1_000);
        sendControl(ControlDescriptor.NAME_OFFSET);
        driveBoth("a tag", () -> answers.size() > before);
        assertEquals(ControlDescriptor.READY, answers.get(before)[0]);
    }

    @Test
    void shouldSurviveWhateverIsSaid()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("DeckForgedTest: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        final Message got = decks[0].newMessage(0);
        for (int i = 0; i < STEPS; i++)
        {
            for (int at = 0; at < ControlDescriptor.NAME_OFFSET; at += Integer.BYTES)
            {
                sent.putInt(at, number(random), LITTLE_ENDIAN);
            }
            sent.putInt(ControlDescriptor.BOX_OFFSET, box(random), LITTLE_ENDIAN);
            sent.putInt(ControlDescriptor.KIND_OFFSET, random.nextInt(FORGED_KINDS), LITTLE_ENDIAN);
            if (random.nextInt(4) > 0)
            {
                sent.putInt(ControlDescriptor.INCARNATION_OFFSET, incarnation(), LITTLE_ENDIAN);
            }
            final int nameLength = random.nextInt(4) > 0 ? name("n" + random.nextInt(50)) :
                random.nextInt(2 * ControlDescriptor.MAX_LENGTH);
            if (random.nextInt(8) == 0)
            {
                send(data, Math.max(0, box(random)), random.nextInt(LONGEST));
            }
            else
            {
                sendControl(random.nextBoolean() ? ControlDescriptor.NAME_OFFSET : nameLength);
            }
            answers.clear();
            if (random.nextInt(4) == 0 && box.retrieve(got, 0))
            {
                got.clear();
            }
        }
        // two ranks with one name are told to the error handler, and nothing else is
        errors.removeIf((error) -> error instanceof IllegalStateException && error.getMessage().startsWith("two ranks"));
        assertEquals(List.of(), errors);
        sync();
        worksAsBefore();
    }

    private int box(final Random random)
    {
        return (random.nextBoolean() ? box.number() : 0) + number(random);
    }

    private static int number(final Random random)
    {
        switch (random.nextInt(4))
        {
            case 0:
                return random.nextInt();
            case 1:
                return -random.nextInt(5);
            default:
                return random.nextInt(12);
        }
    }
}
