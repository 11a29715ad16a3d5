// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/** A rank that is no messenger writes what it likes: it is refused, and nobody else notices. */
@Tag("once")
class ForgedMessagesTest extends MessengerFixture
{
    private static final int FIRST_CHANNEL = 0xF0;
    private static final int MESSAGES = Integer.getInteger("tallypost.forged", 100_000);
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };

    private Endpoint forger;
    /** Of the last greeting. */
    private long session;

    private void launch()
    {
        launch(Flow.DYNAMIC, 3, 64, (context) -> context.eagerWindow(8_192).announcements(16).maxRequests(256)
            .regionMemory(context.endpoint().rank() == 0 ? RegionMemory.open(node, context.endpoint()) : null));
        messengers[2].close();
        messengers[2] = null;
        forger = endpoints[2];
    }

    private void forge(final int kind, final int compact, final UnsafeBuffer bytes, final int length)
    {
        drive("forged message", () ->
        {
            forger.poll(NOTHING, 10);
            final long result = forger.offer(0, Channel.tag(FIRST_CHANNEL + kind, compact), bytes, 0, length);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED,
                () -> Endpoint.errorString(result));
            return result >= 0;
        });
    }

    private void settle()
    {
        drive("quiet", () -> endpoints[0].backlogSlots() == 0 && endpoints[1].backlogSlots() == 0);
    }

    private void hello(final long session)
    {
        final UnsafeBuffer head = room(HeadDescriptor.HELLO_LENGTH);
        head.putLong(HeadDescriptor.SESSION_OFFSET, session);
        head.putLong(HeadDescriptor.VERSION_OFFSET, HeadDescriptor.VERSION);
        forge(MessageKind.HELLO, 0, head, HeadDescriptor.HELLO_LENGTH);
    }

    private long refused()
    {
        settle();
        return messengers[0].counters().refused();
    }

    @Test
    void shouldRefuseWhatIsOutOfTurn()
    {
        launch();
        final UnsafeBuffer head = room(200);
        forge(MessageKind.EAGER, 1, head, 8);
        assertEquals(1, refused(), "no hello");
        hello(1);
        hello(1);
        assertEquals(2, refused(), "hello twice");
        forge(MessageKind.LOOK, 1, head, 100);
        hello(0);
        assertEquals(3, refused(), "no session");
        for (int kind = MessageKind.EAGER_EXTENDED; kind < MessageKind.LOOK; kind++)
        {
            forge(kind, 1, head, 7);
        }
        assertEquals(16, refused(), "too short");
        head.putLong(HeadDescriptor.SEND_ID_OFFSET, 5);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, -1);
        forge(MessageKind.RTS, 0, head, HeadDescriptor.RTS_LENGTH);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, 1L << 32);
        forge(MessageKind.RTS, 0, head, HeadDescriptor.RTS_LENGTH);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, 10);
        head.putInt(HeadDescriptor.TAG_OFFSET, -1);
        forge(MessageKind.RTS, 0, head, HeadDescriptor.RTS_LENGTH);
        assertEquals(19, refused(), "lengths and tags");
        forge(MessageKind.CTS, 0, head, HeadDescriptor.CTS_LENGTH);
        forge(MessageKind.DONE, 0, head, HeadDescriptor.DONE_LENGTH);
        forge(MessageKind.CANCELLED, 0, head, HeadDescriptor.DONE_LENGTH);
        forge(MessageKind.DATA, 0, head, 100);
        assertEquals(23, refused(), "ids that name nothing");
    }

    @Test
    void shouldRefuseWhatIsBeyondTheWindow()
    {
        launch();
        hello(1);
        final UnsafeBuffer head = room(2_048);
        for (int i = 0; i < 200; i++)
        {
            forge(MessageKind.EAGER, MessageKind.compact(9, 1), head, 60);
        }
        // the context does not exist: what is in the window is kept
        assertEquals(200 - 8_192 / 128, refused());
        assertEquals(8_192, messengers[0].counters().unexpectedBytes());
        head.putLong(HeadDescriptor.SEND_ID_OFFSET, 5);
        for (int i = 0; i < 20; i++)
        {
            forge(MessageKind.RTS, 0, head, HeadDescriptor.RTS_LENGTH);
        }
        assertEquals(200 - 64 + 4, refused());
    }

    /** The forger answers an announcement that was made to another rank, and sends bytes that nobody has asked for. */
    @Test
    void shouldRefuseAnswersOfTheWrongRank()
    {
        launch();
        hello(1);
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[0].send(send, messengers[0].world(), 1, 1, bytes(5_000, 1), 0, 5_000);
        drive("announcement", () -> messengers[1].counters().unexpected() == 1);
        final UnsafeBuffer head = room(200);
        head.putLong(HeadDescriptor.ANSWERED_ID_OFFSET, send.id);
        head.putLong(HeadDescriptor.WANTED_OFFSET, 5_000);
        forge(MessageKind.CTS, 0, head, HeadDescriptor.CTS_LENGTH);
        forge(MessageKind.DONE, 0, head, HeadDescriptor.DONE_LENGTH);
        forge(MessageKind.CANCELLED, 0, head, HeadDescriptor.DONE_LENGTH);
        assertEquals(3, refused());
        final UnsafeBuffer room = room(5_200);
        messengers[0].receive(receive, messengers[0].world(), 1, 1, room, 100, 5_000);
        final SendRequest back = new SendRequest();
        messengers[1].send(back, messengers[1].world(), 0, 1, bytes(5_000, 2), 0, 5_000);
        drive("match", () -> receive.state() == RequestState.MOVING || receive.isDone());
        final long id = receive.id;
        head.putLong(HeadDescriptor.ASKING_ID_OFFSET, id);
        head.putLong(HeadDescriptor.POSITION_OFFSET, 0);
        forge(MessageKind.DATA, 0, head, 200);
        assertEquals(4, refused());
        await(receive, back);
        check(new UnsafeBuffer(room, 100, 5_000), 0, 5_000, 2);
        assertEquals(0, room.getLong(0) | room.getLong(5_100));
    }

    private void goodbye(final long left, final long heard)
    {
        final UnsafeBuffer head = room(HeadDescriptor.GOODBYE_LENGTH);
        head.putLong(HeadDescriptor.LEFT_SESSION_OFFSET, left);
        head.putLong(HeadDescriptor.HEARD_SESSION_OFFSET, heard);
        forge(MessageKind.GOODBYE, HeadDescriptor.GOODBYE_ALL, head, HeadDescriptor.GOODBYE_LENGTH);
        settle();
    }

    /** A goodbye ends the sessions that it names, of its own pair alone. */
    @Test
    void shouldHearOnlyTheGoodbyeOfASessionThatThereIs()
    {
        launch();
        final SendRequest send = new SendRequest();
        final ReceiveRequest fromForger = new ReceiveRequest();
        final UnsafeBuffer room = room(100);
        messengers[0].sendSynchronous(send, messengers[0].world(), 1, 1, room, 0, 8);
        drive("message", () -> messengers[1].counters().unexpected() == 1);
        messengers[0].receive(fromForger, messengers[0].world(), 2, 1, room, 0, 8);
        final long ofOthers = messengers[0].state().pair(1).out.window.session();
        goodbye(0, 0);
        goodbye(0, ofOthers);
        hello(5);
        goodbye(0, ofOthers);
        goodbye(6, 0);
        assertEquals(4, messengers[0].counters().outdated());
        assertEquals(RequestState.POSTED, fromForger.state());
        goodbye(5, ofOthers);
        assertEquals(4, messengers[0].counters().outdated());
        assertEquals(RequestResult.PEER_GONE, fromForger.result());
        assertEquals(RequestState.ANNOUNCED, send.state());
        goodbye(5, 0);
        assertEquals(5, messengers[0].counters().outdated());
        hello(7);
        settle();
        messengers[0].receive(fromForger, messengers[0].world(), 2, 1, room, 0, 8);
        forge(MessageKind.EAGER, MessageKind.compact(0, 1), room, 8);
        drive("message of the next session", fromForger::isDone);
        assertEquals(RequestResult.SUCCESS, fromForger.result());
        messengers[1].receive(fromForger, messengers[1].world(), 0, 1, room, 0, 8);
        await(fromForger, send);
        assertEquals(RequestResult.SUCCESS, send.result());
    }

    @Test
    void shouldNeverWriteOutsideThePostedBuffer()
    {
        launch();
        hello(1);
        final UnsafeBuffer room = room(300);
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[0].receive(receive, messengers[0].world(), 2, 1, room, 100, 100);
        final UnsafeBuffer head = room(4_000);
        head.setMemory(0, 4_000, (byte)1);
        head.putInt(HeadDescriptor.CONTEXT_OFFSET, 0);
        head.putInt(HeadDescriptor.TAG_OFFSET, 1);
        head.putLong(HeadDescriptor.SEND_ID_OFFSET, 77);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, 3_000);
        forge(MessageKind.RTS, 0, head, HeadDescriptor.RTS_LENGTH);
        drive("match", () -> receive.state() == RequestState.MOVING);
        head.setMemory(0, 4_000, (byte)1);
        head.putLong(HeadDescriptor.ASKING_ID_OFFSET, receive.id);
        for (final long position : new long[]{-1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32})
        {
            head.putLong(HeadDescriptor.POSITION_OFFSET, position);
            forge(MessageKind.DATA, 0, head, 60);
        }
        assertEquals(5, refused(), "positions");
        head.putLong(HeadDescriptor.POSITION_OFFSET, 0);
        forge(MessageKind.DATA, 0, head, HeadDescriptor.DATA_LENGTH + 101);
        assertEquals(6, refused(), "lengths");
        final LongSend send = forger.newSend();
        drive("long message", () -> (send.isActive() ? send.progress() :
            send.start(0, Channel.tag(FIRST_CHANNEL + MessageKind.DATA, 0), head, 0, 4_000)) >= 0);
        assertEquals(7, refused(), "long one");
        forge(MessageKind.DATA, 0, head, HeadDescriptor.DATA_LENGTH + 40);
        head.putLong(HeadDescriptor.POSITION_OFFSET, 40);
        forge(MessageKind.DATA, 0, head, HeadDescriptor.DATA_LENGTH + 60);
        assertEquals(7, refused());
        drive("receive", receive::isDone);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        for (int i = 0; i < 300; i++)
        {
            assertEquals(i >= 100 && i < 200 ? 1 : 0, room.getByte(i), "byte " + i);
        }
    }

    /** Whatever a sender says of where its message lies: it is asked for the bytes instead, and nothing is read from others. */
    @Test
    void shouldAskForTheBytesIfTheirPlaceIsForged()
    {
        launch();
        hello(1);
        final RegionMemory memory = RegionMemory.open(node, forger);
        final RegionMemory others = RegionMemory.open(node, endpoints[1]);
        final Region region = memory.register(1_000, Region.ALL);
        final UnsafeBuffer place = room(HeadDescriptor.PLACE_LENGTH);
        region.key(new RegionKey()).encode(place, 0);
        others.register(1_000, Region.ALL).key(new RegionKey()).encode(place, 0);
        refusePlace(MessageKind.RTS_REGION, place, 100, "region of another rank");
        memory.register(1_000, Region.WRITE).key(new RegionKey()).encode(place, 0);
        refusePlace(MessageKind.RTS_REGION, place, 100, "no right to read");
        final Loan loan = new Loan();
        memory.tryLoan(1_000, loan);
        loan.lend(1);
        loan.key(new RegionKey()).encode(place, 0);
        refusePlace(MessageKind.RTS_LOAN, place, 1_000, "lent to another rank");
        loan.cancel();
        refusePlace(MessageKind.RTS_LOAN, place, 1_000, "a loan that is over");
        memory.tryLoan(1_000, loan);
        loan.lend(0);
        loan.key(new RegionKey()).encode(place, 0);
        refusePlace(MessageKind.RTS_REGION, place, 1_000, "no region");
        region.key(new RegionKey()).encode(place, 0);
        refusePlace(MessageKind.RTS_LOAN, place, 1_000, "no loan");
        refusePlace(MessageKind.RTS_REGION, place, 1_001, "too long");
        for (final long position : new long[]{-1, 1, 901, 1_000, Integer.MAX_VALUE, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            place.putLong(RegionKey.LENGTH, position);
            refusePlace(MessageKind.RTS_REGION, place, 1_000, "position " + position);
        }
        place.putLong(RegionKey.LENGTH, 0);
        for (int at = 0; at < RegionKey.LENGTH; at += 4)
        {
            final int right = place.getInt(at);
            for (final int wrong : new int[]{right + 1, right ^ 1 << 20, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
            {
                place.putInt(at, wrong);
                refusePlace(MessageKind.RTS_REGION, place, 1_000, "word at " + at + ": " + wrong);
            }
            place.putInt(at, right);
        }
        assertEquals(0, messengers[0].counters().refused());
        fill(region.buffer(), 0, 1_000, 5);
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer room = room(1_000);
        messengers[0].receive(receive, messengers[0].world(), 2, 1, room, 0, 1_000);
        forgePlace(MessageKind.RTS_REGION, place, 1_000);
        await(receive);
        check(room, 0, 1_000, 5);
        loan.key(new RegionKey()).encode(place, 0);
        messengers[0].receive(receive, messengers[0].world(), 2, 1, room, 0, 1_000);
        forgePlace(MessageKind.RTS_LOAN, place, 1_000);
        await(receive);
        memory.collect();
        assertEquals(0, memory.loanCount(0));
    }

    private void forgePlace(final int kind, final UnsafeBuffer place, final int length)
    {
        final UnsafeBuffer head = room(HeadDescriptor.PLACED_LENGTH);
        head.putInt(HeadDescriptor.TAG_OFFSET, 1);
        head.putLong(HeadDescriptor.SEND_ID_OFFSET, 77);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, length);
        head.putBytes(HeadDescriptor.PLACE_KEY_OFFSET, place, 0, HeadDescriptor.PLACE_LENGTH);
        forge(kind, 0, head, HeadDescriptor.PLACED_LENGTH);
    }

    private void refusePlace(final int kind, final UnsafeBuffer place, final int length, final String what)
    {
        final long before = messengers[0].counters().placesRefused();
        final UnsafeBuffer room = room(2_000);
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[0].receive(receive, messengers[0].world(), 2, 1, room, 500, 1_001);
        forgePlace(kind, place, length);
        drive(what, () -> receive.state() == RequestState.MOVING);
        assertEquals(before + 1, messengers[0].counters().placesRefused(), what);
        for (int i = 0; i < 2_000; i++)
        {
            assertEquals(0, room.getByte(i), what);
        }
    }

    @Test
    void shouldStandRandomBytes()
    {
        launch();
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ForgedMessagesTest: seed=" + seed);
        final Random random = new Random(seed);
        final byte[] bytes = new byte[2_048];
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        final UnsafeBuffer room = room(64 + 3_000 + 64);
        final ReceiveRequest[] receives = {new ReceiveRequest(), new ReceiveRequest(), new ReceiveRequest()};
        final SendRequest send = new SendRequest();
        final ReceiveRequest other = new ReceiveRequest();
        final UnsafeBuffer otherRoom = room(3_000);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "forged messages");
        int exchanged = 0;
        for (int i = 0; i < MESSAGES; i++)
        {
            random.nextBytes(bytes);
            guess(random, message, receives, send);
            final int kind = random.nextInt(MessageKind.COUNT);
            final int length = random.nextInt(8) == 0 ? random.nextInt(2_048) : random.nextInt(64);
            if (random.nextInt(50) == 0)
            {
                session = random.nextLong();
                hello(session);
            }
            if (forger.offer(0, Channel.tag(FIRST_CHANNEL + kind, random.nextInt(1 << random.nextInt(25))), message, 0,
                length) < 0)
            {
                forger.poll(NOTHING, 10);
                work();
            }
            repost(receives, room);
            exchanged += exchange(send, other, otherRoom, exchanged);
            watchdog.check();
        }
        settle();
        System.out.println("ForgedMessagesTest: refused=" + messengers[0].counters().refused() + ", exchanged=" + exchanged);
        assertTrue(messengers[0].counters().refused() > MESSAGES / 8);
        assertTrue(messengers[0].counters().unexpectedBytes() <= messengers[0].context().maxUnexpectedBytes());
        assertEquals(0, messengers[1].counters().refused());
        for (int i = 0; i < 64; i++)
        {
            assertEquals(0, room.getByte(i) | room.getByte(3_064 + i), "beside the buffer");
        }
    }

    /** Often ids that exist, small numbers, and context 0. */
    private void guess(
        final Random random, final UnsafeBuffer message, final ReceiveRequest[] receives, final SendRequest send)
    {
        for (int at = 0; at < 24; at += 8)
        {
            switch (random.nextInt(5))
            {
                case 0:
                    message.putLong(at, receives[random.nextInt(receives.length)].id);
                    break;
                case 1:
                    message.putLong(at, send.id);
                    break;
                case 2:
                    message.putLong(at, random.nextInt(3_000));
                    break;
                case 3:
                    message.putLong(at, random.nextBoolean() ? 0 : session);
                    break;
                default:
                    break;
            }
        }
    }

    private void repost(final ReceiveRequest[] receives, final UnsafeBuffer room)
    {
        for (final ReceiveRequest receive : receives)
        {
            if (!receive.isActive())
            {
                messengers[0].receive(receive, messengers[0].world(), 2, Communicator.ANY_TAG, room, 64, 3_000);
            }
        }
    }

    /** Ranks 0 and 1 go on as ever. */
    private int exchange(final SendRequest send, final ReceiveRequest other, final UnsafeBuffer room, final int number)
    {
        final int length = number % 2 == 0 ? 3_000 : 100;
        if (other.isActive() || send.isActive())
        {
            work();
            return 0;
        }
        if (other.isDone())
        {
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(RequestResult.SUCCESS, other.result());
            check(room, 0, other.length(), other.length());
        }
        messengers[1].receive(other, messengers[1].world(), 0, ANY, room, 0, 3_000);
        messengers[0].send(send, messengers[0].world(), 1, 1, bytes(length, length), 0, length);
        return 1;
    }
}
