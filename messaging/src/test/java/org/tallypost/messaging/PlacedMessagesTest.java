// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;

/** Messages that lie in a region of their sender, or that it lends, to receives with a buffer and to those that want a loan. */
@Tag("once")
class PlacedMessagesTest extends MessengerFixture
{
    private static final int TAG = 3;

    private final RegionMemory[] memories = new RegionMemory[3];
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final Loan loan = new Loan();
    private final LoanedMessage message = new LoanedMessage();
    private final UnsafeBuffer room = room(6_000_000);

    @Override
    void launch(final int ranks)
    {
        launch(ranks, 64, (context) ->
        {
        });
    }

    private void launch(final int ranks, final int maxLoans, final Consumer<MessengerContext> settings)
    {
        launch(Flow.DYNAMIC, ranks, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, 256, maxLoans);
            settings.accept(context.regionMemory(memories[rank]));
        });
    }

    private Communicator world(final int rank)
    {
        return messengers[rank].world();
    }

    private UnsafeBuffer region(final int length, final long salt)
    {
        final UnsafeBuffer buffer = memories[0].register(length, Region.READ).buffer();
        fill(buffer, 0, length, salt);
        return buffer;
    }

    private Loan written(final int length, final long salt)
    {
        assertEquals(length, memories[0].tryLoan(length, loan));
        fill(loan.buffer(), 0, length, salt);
        return loan;
    }

    private void awaitUnexpected(final int rank)
    {
        drive("an unexpected message", () -> messengers[rank].counters().unexpected() > 0);
    }

    private void assertNothingLent(final int borrower)
    {
        memories[0].collect();
        assertEquals(0, memories[0].loanCount(borrower));
    }

    @ParameterizedTest
    @ValueSource(ints = {2_049, 65_536, 65_537, 1_000_000, 5_000_000})
    void shouldCopyOnceFromARegion(final int length)
    {
        launch(2);
        final UnsafeBuffer buffer = region(length + 100, 1);
        messengers[1].receive(receive, world(1), ANY, Communicator.ANY_TAG, room, 8, length);
        messengers[0].send(send, world(0), 1, TAG, buffer, 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 8, length, 1);

        fill(buffer, 77, length, 2);
        messengers[0].send(send, world(0), 1, TAG, new UnsafeBuffer(buffer, 77, length), 0, length);
        awaitUnexpected(1);
        assertFalse(send.isDone());
        final MatchedMessage matched = new MatchedMessage();
        assertTrue(messengers[1].matchedProbe(world(1), 0, TAG, matched));
        assertEquals(length, matched.envelope().length());
        messengers[1].receive(receive, matched, room, 0, length - 7);
        await(send, receive);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        check(room, 0, length - 7, 2);
        assertEquals(2, messengers[0].counters().sentFromRegion());
        assertEquals(2L * length, messengers[0].counters().sentBytes());
        assertEquals(2L * length - 7, messengers[1].counters().receivedBytes());
        assertEquals(0, messengers[1].counters().placesRefused());
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
        assertEquals(0, messengers[1].counters().unexpectedBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2_000, 1_000_000})
    void shouldLendToAReceiveThatAsksForIt(final int length)
    {
        launch(2);
        final MatchedMessage matched = new MatchedMessage();
        for (int i = 0; i < 200; i++)
        {
            if ((i & 1) == 0)
            {
                messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
                messengers[0].send(send, world(0), 1, TAG, written(length, i));
            }
            else if (i % 4 == 1)
            {
                messengers[0].send(send, world(0), 1, TAG, written(length, i));
                awaitUnexpected(1);
                assertTrue(messengers[1].matchedProbe(world(1), ANY, TAG, matched));
                messengers[1].receiveLoaned(receive, matched, message);
            }
            else
            {
                messengers[0].send(send, world(0), 1, TAG, written(length, i));
                awaitUnexpected(1);
                messengers[1].receiveLoaned(receive, world(1), ANY, TAG, message);
            }
            await(send, receive);
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(length, receive.length());
            check(message.buffer(), 0, length, i);
            assertEquals(0, loan.buffer().capacity());
            assertEquals(0, message.release());
        }
        assertEquals(200, messengers[0].counters().sentAsLoan());
        assertEquals(0, memories[1].usedLength());
        assertNothingLent(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2_000, 1_000_000})
    void shouldCopyALoanForAReceiveWithABuffer(final int length)
    {
        launch(2);
        messengers[1].receive(receive, world(1), 0, TAG, room, 5, length);
        messengers[0].send(send, world(0), 1, TAG, written(length, 1));
        await(send, receive);
        check(room, 5, length, 1);
        messengers[0].send(send, world(0), 1, TAG, written(length, 2));
        awaitUnexpected(1);
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, length - 1);
        await(send, receive);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        check(room, 0, length - 1, 2);
        assertNothingLent(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 2_000, 50_000, 300_000})
    void shouldGiveMemoryOfTheOwnRankToAReceiveOfWhatIsNotLent(final int length)
    {
        launch(2);
        final UnsafeBuffer inRegion = region(length + 1, 4);
        for (int source = 0; source < 2; source++)
        {
            for (final boolean isReceiveFirst : new boolean[]{true, false})
            {
                for (final UnsafeBuffer from : new UnsafeBuffer[]{bytes(length, 4), inRegion})
                {
                    if (isReceiveFirst)
                    {
                        messengers[1].receiveLoaned(receive, world(1), source, TAG, message);
                    }
                    messengers[source].send(send, world(source), 1, TAG, from, 0, length);
                    if (!isReceiveFirst)
                    {
                        awaitUnexpected(1);
                        messengers[1].receiveLoaned(receive, world(1), source, TAG, message);
                    }
                    await(send, receive);
                    assertEquals(RequestResult.SUCCESS, receive.result());
                    assertEquals(length, receive.length());
                    assertEquals(length > 0, message.isHeld());
                    assertEquals(length, message.buffer().capacity());
                    check(message.buffer(), 0, length, 4);
                    if (length > 0)
                    {
                        assertEquals(0, message.release());
                    }
                }
            }
        }
        memories[1].collect();
        assertEquals(0, memories[1].usedLength());
    }

    /** The memory of a message that is coming is not the program's: released, it would be lent again, and overwritten. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTheMemoryOfAMessageThatIsComing(final boolean isPlaced)
    {
        launch(2);
        final int length = 1_000_000;
        final UnsafeBuffer from = isPlaced ? region(length, 1) : bytes(length, 1);
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, from, 0, length);
        drive("a receive that is under way", () -> receive.state() == RequestState.MOVING);
        assertFalse(message.isHeld());
        assertEquals(RegionResult.NOT_ATTACHED, message.release());
        assertEquals(0, memories[1].collect());
        final Loan other = new Loan();
        assertEquals(length, memories[1].tryLoan(length, other));
        other.buffer().setMemory(0, length, (byte)3);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(message.buffer(), 0, length, 1);
        for (int i = 0; i < length; i++)
        {
            assertEquals(3, other.buffer().getByte(i));
        }
        other.cancel();
        assertEquals(0, message.release());
        assertEquals(1, memories[1].collect());
        assertEquals(0, memories[1].usedLength());
    }

    /** A handle is for one receive at a time: what a second one would put there, or a program, would be lost. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAHandleThatIsInAReceive(final boolean isHeld)
    {
        launch(2);
        final ReceiveRequest second = new ReceiveRequest();
        final LoanedMessage other = new LoanedMessage();
        final MatchedMessage held = new MatchedMessage();
        if (isHeld)
        {
            messengers[0].send(send, world(0), 1, TAG + 1, bytes(10, 1), 0, 10);
            drive("a message to be held", () -> messengers[1].matchedProbe(world(1), 0, TAG + 1, held));
        }
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        final String refusal = assertThrows(IllegalStateException.class, isHeld ?
            () -> messengers[1].receiveLoaned(second, held, message) :
            () -> messengers[1].receiveLoaned(second, world(1), 0, TAG + 1, message)).getMessage();
        assertTrue(refusal.contains("the handle is in a receive: found ReceiveRequest{POSTED"), refusal);
        assertFalse(second.isActive());
        assertEquals(1, messengers[1].world().activeCount);
        assertThrows(IllegalStateException.class, () -> message.attach(memories[1], new RegionKey()));
        assertEquals(RegionResult.NOT_ATTACHED, message.release());
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 1));
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(message.buffer(), 0, 1_000, 1);
        assertThrows(IllegalStateException.class, () -> messengers[1].start(receive));
        assertThrows(IllegalStateException.class, () -> message.takeFrom(other));
        assertEquals(0, message.release());
        // whatever ends a receive lets go of the handle
        messengers[1].receiveLoaned(second, world(1), 0, TAG + 2, message);
        assertTrue(messengers[1].cancel(second));
        if (isHeld)
        {
            messengers[1].receiveLoaned(second, held, message);
            check(message.buffer(), 0, 10, 1);
            assertEquals(0, message.release());
        }
        messengers[1].receiveLoaned(second, world(1), 0, TAG, message);
        endpoints[0].close();
        drive("the end of the sender", second::isDone);
        assertEquals(RequestResult.PEER_GONE, second.result());
        messengers[1].receiveLoaned(second, world(1), 0, TAG, message);
        assertEquals(RequestResult.PEER_GONE, second.result());
        messengers[1].receiveLoaned(second, world(1), ANY, TAG, message);
        messengers[1].close();
        assertEquals(RequestResult.CLOSED, second.result());
        messengers[1].receiveLoaned(second, world(1), ANY, TAG, message);
        messengers[1].receiveLoaned(second, world(1), ANY, TAG, message);
        message.checkFree();
    }

    @Test
    void shouldLendToItself()
    {
        launch(1);
        messengers[0].receiveLoaned(receive, world(0), 0, TAG, message);
        messengers[0].send(send, world(0), 0, TAG, written(100, 1));
        assertTrue(send.isDone() && receive.isDone());
        check(message.buffer(), 0, 100, 1);
        message.release();
        messengers[0].send(send, world(0), 0, TAG, written(100, 2));
        assertTrue(send.isActive());
        messengers[0].receive(receive, world(0), 0, TAG, room, 0, 50);
        assertEquals(RequestResult.TRUNCATED, receive.result());
        assertTrue(send.isDone());
        check(room, 0, 50, 2);
        assertNothingLent(0);
        assertEquals(0, memories[0].usedLength());
    }

    @Test
    void shouldCutToNothingWhatHasNoRoom()
    {
        launch(2);
        final Region all = memories[1].register(1 << 24, Region.READ);
        for (final int length : new int[]{8, 100_000})
        {
            messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
            messengers[0].send(send, world(0), 1, TAG, bytes(length, 1), 0, length);
            await(send, receive);
            assertEquals(RequestResult.TRUNCATED, receive.result());
            assertEquals(0, receive.length());
            assertEquals(length, receive.messageLength());
            assertFalse(message.isHeld());
        }
        all.close();
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, bytes(100_000, 1), 0, 100_000);
        await(send, receive);
        check(message.buffer(), 0, 100_000, 1);
    }

    @Test
    void shouldStreamToAReceiverWithoutMemory()
    {
        launch(2, 64, (context) ->
        {
            if (context.endpoint().rank() == 1)
            {
                context.regionMemory(null);
            }
        });
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, 100_000);
        messengers[0].send(send, world(0), 1, TAG, region(100_000, 1), 0, 100_000);
        await(send, receive);
        check(room, 0, 100_000, 1);
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, 100_000);
        messengers[0].send(send, world(0), 1, TAG, written(100_000, 2));
        await(send, receive);
        check(room, 0, 100_000, 2);
        assertEquals(2, messengers[1].counters().placesRefused());
        assertEquals(0, loan.buffer().capacity());
        assertNothingLent(1);
        assertEquals(1 << 17, memories[0].usedLength(), "the region");
        final IllegalStateException ex = assertThrows(IllegalStateException.class,
            () -> messengers[1].receiveLoaned(receive, world(1), 0, TAG, message));
        assertTrue(ex.getMessage().contains("regionMemory"), ex.getMessage());
    }

    @Test
    void shouldStreamToABorrowerWithTooMuch()
    {
        launch(2, 1, (context) ->
        {
        });
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 1));
        await(send, receive);
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, 1_000);
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 2));
        await(send, receive);
        check(room, 0, 1_000, 2);
        check(message.buffer(), 0, 1_000, 1);
        assertEquals(1, messengers[0].counters().sentAsLoan());
        assertEquals(0, loan.buffer().capacity());
        message.release();
        assertNothingLent(1);
        assertEquals(0, memories[0].usedLength());
    }

    @Test
    void shouldStreamFromARegionThatWasClosed()
    {
        launch(2);
        final Region region = memories[0].register(200_000, Region.ALL);
        final UnsafeBuffer view = new UnsafeBuffer(region.buffer(), 0, 200_000);
        fill(view, 0, 200_000, 1);
        messengers[0].send(send, world(0), 1, TAG, view, 0, 200_000);
        awaitUnexpected(1);
        region.close();
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, 200_000);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, 200_000, 1);
        assertEquals(1, messengers[1].counters().placesRefused());
        assertEquals(1, memories[1].refusedCount(RegionResult.STALE));
        messengers[0].send(send, world(0), 1, TAG, memories[0].register(200_000, Region.WRITE).buffer(), 0, 200_000);
        assertEquals(1, messengers[0].counters().sentFromRegion(), "others may not read it");
    }

    /** Lets all ranks work until a send and its receive are over; what the work for a request throws has ended it. */
    private void awaitFailing(final RequestResult ofSend, final RequestResult ofReceive)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> send + " " + receive);
        while (!send.isDone() || !receive.isDone())
        {
            try
            {
                work();
            }
            catch (final IndexOutOfBoundsException ex)
            {
                watchdog.progress();
            }
            watchdog.idle();
        }
        assertEquals(ofSend, send.result());
        assertEquals(ofReceive, receive.result());
    }

    private void exchange(final int length, final long salt)
    {
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, length);
        messengers[0].send(send, world(0), 1, TAG, bytes(length, salt), 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, salt);
    }

    /** The region of a send is closed when the send is announced, or in the midst of the copy: both sides learn it. */
    @Test
    void shouldEndSendsFromARegionThatIsClosed()
    {
        launch(2);
        final int length = 1_000_000;
        for (int i = 0; i < 12; i++)
        {
            final Region region = memories[0].register(length, Region.READ);
            if (i % 2 == 0)
            {
                messengers[0].send(send, world(0), 1, TAG, region.buffer(), 0, length);
                awaitUnexpected(1);
                region.close();
                messengers[1].receive(receive, world(1), 0, TAG, room, 0, length);
            }
            else
            {
                messengers[1].receive(receive, world(1), 0, TAG, room, 0, length);
                messengers[0].send(send, world(0), 1, TAG, region.buffer(), 0, length);
                drive("a copy that is under way", () -> receive.state() == RequestState.MOVING);
                region.close();
            }
            awaitFailing(RequestResult.FAILED, RequestResult.FAILED);
            assertEquals(0, receive.length());
        }
        exchange(length, 3);
    }

    /** What is under way of a message goes on: the memory is there as long as the region memory is. */
    @Test
    void shouldGoOnWithThePartThatIsUnderWayWhenItsRegionIsClosed()
    {
        launch(2);
        final int length = 1_000_000;
        final Region region = memories[0].register(length, Region.WRITE);
        fill(region.buffer(), 0, length, 1);
        messengers[1].receive(receive, world(1), 0, TAG, room, 0, length);
        messengers[0].send(send, world(0), 1, TAG, region.buffer(), 0, length);
        drive("bytes that are under way", () -> send.state() == RequestState.MOVING && receive.state() == RequestState.MOVING);
        region.close();
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, send.result());
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, 1);
        exchange(length, 3);
    }

    @Test
    void shouldEndAReceiveIntoARegionThatIsClosed()
    {
        launch(2);
        final int length = 1_000_000;
        for (int i = 0; i < 6; i++)
        {
            final Region into = memories[1].register(length, Region.ALL);
            messengers[1].receive(receive, world(1), 0, TAG, into.buffer(), 0, length);
            messengers[0].send(send, world(0), 1, TAG, bytes(length, 1), 0, length);
            drive("bytes that are under way",
                () -> receive.state() == RequestState.MOVING && send.state() == RequestState.MOVING);
            into.close();
            awaitFailing(RequestResult.SUCCESS, RequestResult.FAILED);
            assertEquals(0, receive.length());
        }
        exchange(length, 3);
    }

    @Test
    void shouldGoOnWithoutTheWindow()
    {
        launch(2);
        final UnsafeBuffer buffer = region(10_000, 1);
        final SendRequest[] sends = new SendRequest[1_500];
        for (int i = 0; i < sends.length; i++)
        {
            sends[i] = new SendRequest();
            messengers[0].send(sends[i], world(0), 1, TAG, buffer, i, 5_000);
        }
        drive("a full window of bytes, and announcements", () -> messengers[1].counters().unexpected() > 1_024);
        assertTrue(messengers[1].counters().unexpectedBytes() <= messengers[1].context().maxUnexpectedBytes());
        for (int i = 0; i < sends.length; i++)
        {
            messengers[1].receive(receive, world(1), 0, TAG, room, 0, 5_000);
            await(receive);
            for (int at = 0; at < 5_000; at++)
            {
                assertEquals(buffer.getByte(i + at), room.getByte(at));
            }
        }
        await(sends);
        assertEquals(0, messengers[1].counters().unexpectedBytes());
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }

    @Test
    void shouldGiveACancelledLoanBack()
    {
        launch(2);
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 1));
        awaitUnexpected(1);
        assertEquals(0, loan.buffer().capacity());
        messengers[0].cancel(send);
        await(send);
        assertEquals(RequestResult.CANCELLED, send.result());
        assertEquals(1_000, loan.buffer().capacity());
        check(loan.buffer(), 0, 1_000, 1);
        assertNothingLent(1);
        assertEquals(0, messengers[1].counters().unexpectedBytes());
        messengers[0].send(send, world(0), 1, TAG, loan);
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        await(send, receive);
        messengers[0].cancel(send);
        assertEquals(RequestResult.SUCCESS, send.result());
        check(message.buffer(), 0, 1_000, 1);
    }

    @Test
    void shouldSayHowItIsMisused()
    {
        launch(2);
        final IllegalStateException nothing = assertThrows(IllegalStateException.class,
            () -> messengers[0].send(send, world(0), 1, TAG, loan));
        assertTrue(nothing.getMessage().contains("nothing to lend"), nothing.getMessage());
        send.prepare(world(0), 1, TAG, written(10, 1));
        loan.cancel();
        assertThrows(IllegalStateException.class, () -> messengers[0].start(send));
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, written(10, 1));
        await(send, receive);
        final IllegalStateException held = assertThrows(IllegalStateException.class,
            () -> messengers[1].receiveLoaned(receive, world(1), 0, TAG, message));
        assertTrue(held.getMessage().contains("not released"), held.getMessage());
        message.release();
        assertThrows(IllegalStateException.class, () -> messengers[0].start(send));
        final IllegalArgumentException other = assertThrows(IllegalArgumentException.class,
            () -> new MessengerContext().endpoint(endpoints[0]).rankCount(2).regionMemory(memories[1]).conclude());
        assertTrue(other.getMessage().contains("another endpoint"), other.getMessage());
    }

    @Test
    void shouldEndWhatABorrowerThatIsGoneHad()
    {
        launch(3);
        final SendRequest unmatched = new SendRequest();
        final Loan second = new Loan();
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 1));
        await(send, receive);
        assertEquals(1_000, memories[0].tryLoan(1_000, second));
        messengers[0].send(unmatched, world(0), 1, TAG, second);
        awaitUnexpected(1);
        final SendRequest half = new SendRequest();
        messengers[0].send(half, world(0), 1, TAG + 1, region(5_000_000, 1), 0, 5_000_000);
        final ReceiveRequest cut = new ReceiveRequest();
        messengers[1].receive(cut, world(1), 0, TAG + 1, room, 0, 5_000_000);
        drive("a part", () -> cut.state() == RequestState.MOVING);
        messengers[1].close();
        endpoints[1].close();
        messengers[1] = null;
        assertEquals(RequestResult.CLOSED, cut.result());
        await(unmatched, half);
        assertEquals(RequestResult.PEER_GONE, unmatched.result());
        assertEquals(RequestResult.PEER_GONE, half.result());
        assertNothingLent(1);
        if (second.buffer().capacity() > 0)
        {
            messengers[0].send(unmatched, world(0), 2, TAG, second);
            messengers[2].receiveLoaned(receive, world(2), 0, TAG, new LoanedMessage());
            await(unmatched, receive);
        }
    }

    @Test
    void shouldReadOnWhenTheOwnerIsGone()
    {
        launch(2);
        messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        messengers[0].send(send, world(0), 1, TAG, written(1_000, 1));
        await(send, receive);
        final SendRequest unmatched = new SendRequest();
        messengers[0].send(unmatched, world(0), 1, TAG + 1, written(1_000, 1));
        awaitUnexpected(1);
        final ReceiveRequest half = new ReceiveRequest();
        messengers[1].receive(half, world(1), 0, TAG + 2, room, 0, 5_000_000);
        messengers[0].send(new SendRequest(), world(0), 1, TAG + 2, region(5_000_000, 1), 0, 5_000_000);
        drive("a part", () -> half.state() == RequestState.MOVING);
        messengers[0].close();
        endpoints[0].close();
        messengers[0] = null;
        final ReceiveRequest waiting = new ReceiveRequest();
        messengers[1].receive(waiting, world(1), 0, TAG + 3, room, 0, 10);
        await(half, waiting);
        assertEquals(RequestResult.PEER_GONE, waiting.result());
        assertEquals(RequestResult.PEER_GONE, half.result());
        check(message.buffer(), 0, 1_000, 1);
        message.release();
        messengers[1].receive(receive, world(1), 0, TAG + 1, room, 0, 10);
        assertEquals(RequestResult.PEER_GONE, receive.result());
        assertEquals(0, messengers[1].counters().unexpectedBytes());
    }

    @Test
    void shouldKeepTheOrderWhicheverWayMessagesGo()
    {
        final long seed = System.nanoTime();
        System.out.println("PlacedMessagesTest: seed " + seed);
        final Random random = new Random(seed);
        launch(2, 4, (context) -> context.eagerWindow(4_096).announcements(16));
        final int count = 2_000;
        final Region region = memories[0].register(1 << 20, Region.ALL);
        final SendRequest[] sends = new SendRequest[16];
        for (int i = 0; i < sends.length; i++)
        {
            sends[i] = new SendRequest();
        }
        final Loan[] loans = new Loan[sends.length];
        for (int number = 0; number < count; number += sends.length)
        {
            for (int i = 0; i < sends.length; i++)
            {
                final int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 65_536);
                loans[i] = new Loan();
                startOne(random.nextInt(3), sends[i], loans[i], region, i, length, number + i);
            }
            for (int i = 0; i < sends.length; i++)
            {
                receiveOne(random.nextInt(3), random.nextBoolean(), number + i);
            }
            await(sends);
        }
        memories[1].collect();
        assertEquals(0, memories[1].usedLength());
        assertNothingLent(1);
        assertEquals(1 << 20, memories[0].usedLength());
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
        assertEquals(0, messengers[1].counters().placesRefused());
    }

    private void startOne(
        final int way, final SendRequest request, final Loan toLend, final Region region, final int place, final int length,
        final int salt)
    {
        if (way == 0)
        {
            messengers[0].send(request, world(0), 1, TAG, bytes(length, salt), 0, length);
        }
        else if (way == 1)
        {
            fill(region.buffer(), place * 65_536, length, salt);
            messengers[0].send(request, world(0), 1, TAG, region.buffer(), place * 65_536, length);
        }
        else
        {
            assertEquals(length, memories[0].tryLoan(length, toLend));
            fill(toLend.buffer(), 0, length, salt);
            messengers[0].send(request, world(0), 1, TAG, toLend);
        }
    }

    private void receiveOne(final int way, final boolean isAny, final int salt)
    {
        final int source = isAny ? ANY : 0;
        if (way == 0)
        {
            messengers[1].receiveLoaned(receive, world(1), source, TAG, message);
            await(receive);
            assertEquals(RequestResult.SUCCESS, receive.result());
            check(message.buffer(), 0, receive.length(), salt);
            assertEquals(0, message.release());
            return;
        }
        messengers[1].receive(receive, world(1), source, isAny ? Communicator.ANY_TAG : TAG, room, 0, way == 1 ? 65_536 : 10);
        await(receive);
        check(room, 0, receive.length(), salt);
        assertEquals(Math.min(receive.messageLength(), way == 1 ? 65_536 : 10), receive.length());
    }
}
