// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.RegionMemory;

/** A loan belongs to its send until that is over. */
class LoanInSendTest extends MessengerFixture
{
    private static final int TAG = 3;
    private static final int LENGTH = 10_000;

    private RegionMemory[] memories;
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final LoanedMessage message = new LoanedMessage();
    private final Loan loan = new Loan();

    @Override
    void launch(final int ranks)
    {
        memories = new RegionMemory[ranks];
        launch(Flow.DYNAMIC, ranks, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, 256, 64);
            context.regionMemory(memories[rank]);
        });
    }

    private Communicator world(final int rank)
    {
        return messengers[rank].world();
    }

    private Loan written(final long salt)
    {
        assertEquals(LENGTH, memories[0].tryLoan(LENGTH, loan));
        fill(loan.buffer(), 0, LENGTH, salt);
        return loan;
    }

    private void assertRefused()
    {
        assertTrue(loan.isInSend());
        final SendRequest second = new SendRequest();
        final IllegalStateException cancel = assertThrows(IllegalStateException.class, loan::cancel);
        assertTrue(cancel.getMessage().contains("in a send"), cancel.getMessage());
        assertThrows(IllegalStateException.class, loan::takeBack);
        assertThrows(IllegalStateException.class, () -> loan.lend(1));
        assertThrows(IllegalStateException.class, () -> memories[0].tryLoan(100, loan));
        assertThrows(IllegalStateException.class, () -> messengers[0].send(second, world(0), 1, TAG, loan));
        assertFalse(second.isActive());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseToChangeALoanThatIsAnnounced(final boolean isLoanWanted)
    {
        launch(2);
        messengers[0].send(send, world(0), 1, TAG, written(1));
        drive("an announcement", () -> messengers[1].counters().unexpected() > 0);
        assertRefused();
        final UnsafeBuffer room = room(LENGTH);
        if (isLoanWanted)
        {
            messengers[1].receiveLoaned(receive, world(1), 0, TAG, message);
        }
        else
        {
            messengers[1].receive(receive, world(1), 0, TAG, room, 0, LENGTH);
        }
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, send.result());
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(isLoanWanted ? message.buffer() : room, 0, LENGTH, 1);
        assertFalse(loan.isInSend());
        written(2);
        loan.cancel();
    }

    @Test
    void shouldRefuseToChangeALoanThatIsQueued()
    {
        launch(2);
        final SendRequest[] fill = new SendRequest[2_000];
        final ReceiveRequest[] receives = new ReceiveRequest[fill.length];
        for (int i = 0; i < fill.length; i++)
        {
            fill[i] = new SendRequest();
            messengers[0].send(fill[i], world(0), 1, TAG, bytes(1_000, i), 0, 1_000);
        }
        messengers[0].send(send, world(0), 1, TAG + 1, written(1));
        assertEquals(RequestState.QUEUED, send.state());
        assertRefused();
        for (int i = 0; i < fill.length; i++)
        {
            receives[i] = new ReceiveRequest();
            messengers[1].receive(receives[i], world(1), 0, TAG, room(1_000), 0, 1_000);
        }
        messengers[1].receiveLoaned(receive, world(1), 0, TAG + 1, message);
        await(fill);
        await(send, receive);
        check(message.buffer(), 0, LENGTH, 1);
    }

    @Test
    void shouldRefuseToChangeALoanToTheOwnRank()
    {
        launch(2);
        messengers[0].send(send, world(0), 0, TAG, written(1));
        assertRefused();
        messengers[0].receiveLoaned(receive, world(0), 0, TAG, message);
        assertTrue(send.isDone() && receive.isDone());
        check(message.buffer(), 0, LENGTH, 1);
        assertEquals(0, message.release());
        messengers[0].send(send, world(0), 0, TAG, written(2));
        messengers[0].cancel(send);
        assertEquals(RequestResult.CANCELLED, send.result());
        check(loan.buffer(), 0, LENGTH, 2);
        loan.cancel();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LENGTH})
    void shouldEndBothSidesIfTheMemoryIsClosed(final int capacity)
    {
        launch(2);
        messengers[0].send(send, world(0), 1, TAG, written(1));
        drive("an announcement", () -> messengers[1].counters().unexpected() > 0);
        memories[0].close();
        messengers[1].receive(receive, world(1), 0, TAG, room(LENGTH), 0, capacity);
        await(send, receive);
        assertEquals(RequestResult.FAILED, send.result());
        assertEquals(capacity == 0 ? RequestResult.TRUNCATED : RequestResult.FAILED, receive.result());
        assertFalse(loan.isInSend());
        messengers[1].receive(receive, world(1), 0, TAG, room(100), 0, 100);
        messengers[0].send(send, world(0), 1, TAG, bytes(100, 1), 0, 100);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
    }

    @Test
    void shouldGiveTheLoanFreeWhenTheMessengerIsClosed()
    {
        launch(2);
        messengers[0].send(send, world(0), 1, TAG, written(1));
        messengers[0].close();
        assertEquals(RequestResult.CLOSED, send.result());
        assertFalse(loan.isInSend());
        messengers[0].send(send, world(0), 1, TAG, loan);
        assertEquals(RequestResult.CLOSED, send.result());
        assertFalse(loan.isInSend());
        loan.cancel();
        memories[0].collect();
        assertEquals(0, memories[0].loanCount(1));
    }
}
