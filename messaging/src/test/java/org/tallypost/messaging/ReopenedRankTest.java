// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MembershipListener;

/** A rank that is opened again is as good as one that was never closed, and what its last incarnation has left is kept. */
@Tag("once")
class ReopenedRankTest extends MessengerFixture
{
    private static final int LENGTH = 8_000;

    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private int openings;

    private Communicator world(final int rank)
    {
        return messengers[rank].world();
    }

    /** Rank 0 has sent to the first incarnation of rank 1, and hears that the second one is open. */
    private void reopen()
    {
        endpoints[0].addMembershipListener(new MembershipListener()
        {
            @Override
            public void onOpen(final int rank, final int incarnation)
            {
                openings++;
            }

            @Override
            public void onGone(final int rank, final int incarnation)
            {
                // the next one counts
            }
        });
        messengers[0].send(send, world(0), 1, 7, bytes(100, 1), 0, 100);
        drive("first message", () -> send.isDone() && openings == 1 && messengers[1].counters().unexpected() == 1);
        nextLife();
        drive("second incarnation", () -> openings == 2);
    }

    private void nextLife()
    {
        messengers[1].close();
        endpoints[1].close();
        open(1, DEFAULTS);
    }

    @ParameterizedTest
    @CsvSource({"STANDARD,8000", "SYNCHRONOUS,8", "SYNCHRONOUS,8000"})
    void shouldAnswerAnIncarnationThatItHasNotSentTo(final SendMode mode, final int length)
    {
        launch(2);
        reopen();
        final UnsafeBuffer room = room(LENGTH);
        messengers[0].receive(receive, world(0), ANY, 3, room, 0, LENGTH);
        send.prepare(mode, world(1), 0, 3, bytes(length, 2), 0, length);
        messengers[1].start(send);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, send.result());
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, 2);
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }

    @Test
    void shouldTellAnIncarnationThatItHasNotSentToThatItsMessageIsForgotten()
    {
        launch(2);
        reopen();
        messengers[1].sendSynchronous(send, world(1), 0, 4, bytes(100, 1), 0, 100);
        messengers[1].cancel(send);
        await(send);
        assertEquals(RequestResult.CANCELLED, send.result());
        assertEquals(0, messengers[0].counters().refused());
    }

    @Test
    void shouldSendToTheIncarnationThatIsOpen()
    {
        launch(2);
        reopen();
        final UnsafeBuffer room = room(100);
        messengers[1].receive(receive, world(1), 0, 7, room, 0, 100);
        messengers[0].send(send, world(0), 1, 7, bytes(100, 5), 0, 100);
        await(send);
        assertEquals(RequestResult.SUCCESS, send.result());
        await(receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, 100, 5);
    }

    @Test
    void shouldLoseNothingBesideMessagesThatAreHeld()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.eagerWindow(16_384).maxRequests(16).announcements(16));
        final MessengerCounters counters = messengers[0].counters();
        final long most = messengers[0].context().maxUnexpectedBytes();
        final List<MatchedMessage> held = new ArrayList<>();
        final int each = 8;
        final int lives = 6;
        for (int life = 0; life < lives; life++)
        {
            for (int i = 0; i < each; i++)
            {
                final int number = held.size();
                messengers[1].send(send, world(1), 0, 5, bytes(1_500, number), 0, 1_500);
                final MatchedMessage message = new MatchedMessage();
                drive("message " + number, () -> send.isDone() && messengers[0].matchedProbe(world(0), 1, 5, message));
                assertEquals(RequestResult.SUCCESS, send.result());
                held.add(message);
            }
            nextLife();
        }
        assertTrue(counters.unexpectedBytes() > most, "more is held than would fit");
        messengers[0].send(send, world(0), 0, 9, bytes(1_500, 9), 0, 1_500);
        final UnsafeBuffer room = room(1_500);
        messengers[0].receive(receive, world(0), 0, 9, room, 0, 1_500);
        await(send, receive);
        check(room, 0, 1_500, 9);
        for (int number = 0; number < held.size(); number++)
        {
            messengers[0].receive(receive, held.get(number), room, 0, 1_500);
            await(receive);
            assertEquals(RequestResult.SUCCESS, receive.result());
            check(room, 0, 1_500, number);
        }
        assertEquals(0, counters.unexpectedBytes());
        assertEquals(0, counters.refused());
    }
}
