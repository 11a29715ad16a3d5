// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Turns of a busy lane that end when somebody who was quiet has sent something, all in one thread. */
class TurnWatchTest
{
    private static final int LANES = 4;
    private static final int LANE_SLOTS = 64;
    private static final int TURN = 16;
    private static final int LENGTH = 40;
    /** Most messages of one slot that are delivered between two looks at those who are quiet. */
    private static final int STEP = 2;
    private static final int BUSY = 0;
    private static final int RING = LANES;

    @TempDir
    private File directory;

    private final TurnWatch watch = new TurnWatch();
    private final LanePoller[] pollers = new LanePoller[LANES];
    private final Lane[] lanes = new Lane[LANES];
    private final long[] sequences = new long[LANES + 1];
    private final CheckingHandler handler = new Disturbed();
    private Rig rig;
    private ClaimMark mark;
    private long disturbedMessage = -1;
    private Runnable disturbance;

    /** Something happens while a message is handled. */
    private final class Disturbed extends CheckingHandler
    {
        Disturbed()
        {
            super(LANES + 1);
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            super.onPacket(type, flags, source, buffer, offset, length);
            if (messages == disturbedMessage)
            {
                disturbance.run();
            }
        }
    }

    @BeforeEach
    void start()
    {
        rig = new Rig(directory, LANES + 1, 64, 32, LANES, LANE_SLOTS);
        mark = rig.takeMark(rig.process);
        for (int i = 0; i < LANES; i++)
        {
            pollers[i] = new LanePoller(rig.box, i);
            pollers[i].grant(i);
            lanes[i] = new Lane(rig.box, i);
            lanes[i].pay(1 << 20);
        }
    }

    private void send(final int source, final int length)
    {
        if (source == RING)
        {
            rig.send(mark, source, sequences[source]++, length);
            return;
        }
        final int slots = MailboxDescriptor.slots(length);
        final long position = lanes[source].claim(slots);
        assertTrue(position >= 0);
        Payload.fill(lanes[source].buffer(), lanes[source].payloadOffset(position), length, source, sequences[source]++);
        lanes[source].publish(position, slots, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
    }

    private void sendMany(final int source, final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            send(source, length);
        }
    }

    private void disturb(final long message, final Runnable what)
    {
        disturbedMessage = message;
        disturbance = what;
    }

    /** One turn of the busy lane, as it is with others beside it. */
    private int turn()
    {
        watch.clear();
        for (int i = 1; i < LANES; i++)
        {
            pollers[i].watch(watch);
        }
        rig.poller.watch(watch);
        return pollers[BUSY].poll(handler, TURN, watch);
    }

    private int poll(final int source)
    {
        return source == RING ? rig.poller.poll(handler, TURN) : pollers[source].poll(handler, TURN);
    }

    /** All others are asked, and have nothing. */
    private void askOthers()
    {
        for (int i = 1; i <= RING; i++)
        {
            assertEquals(0, poll(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, RING})
    void shouldEndTheTurnSoonAfterSomebodyQuietHasSent(final int quiet)
    {
        for (int lap = 0; lap < 40; lap++)
        {
            askOthers();
            sendMany(BUSY, 40, LENGTH);
            final int during = 1 + lap % 9;
            disturb(handler.messages + during, () -> send(quiet, LENGTH));
            final int count = turn();
            assertTrue(count >= during && count < during + STEP, "delivered=" + count + ", sent during=" + during);
            assertTrue(watch.isCut());
            assertEquals(1, poll(quiet));
            while (pollers[BUSY].poll(handler, TURN) > 0)
            {
                assertFalse(watch.isEmpty());
            }
        }
        assertEquals(40 * 40, handler.next[BUSY]);
        assertEquals(40, handler.next[quiet]);
    }

    @Test
    void shouldSeeWhatHasComeBetweenTheQuietOnesTurnAndThis()
    {
        askOthers();
        sendMany(BUSY, 40, LENGTH);
        send(3, LENGTH);
        assertTrue(turn() <= STEP);
        assertTrue(watch.isCut());
    }

    @Test
    void shouldEndTheTurnBehindALongRun()
    {
        askOthers();
        sendMany(BUSY, 5, 300);
        disturb(2, () -> send(1, LENGTH));
        assertEquals(2, turn());
        assertTrue(watch.isCut());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, RING})
    void shouldNotEndTheTurnForOneWhoHasMoreThanHisTurn(final int other)
    {
        askOthers();
        sendMany(BUSY, 40, LENGTH);
        sendMany(other, TURN + 1, LENGTH);
        assertEquals(TURN, poll(other));
        assertEquals(TURN, turn());
        assertFalse(watch.isCut());
        assertEquals(1, poll(other));
        send(other, LENGTH);
        assertTrue(turn() <= STEP, "he is quiet now");
    }

    @Test
    void shouldNotEndTurnsForAClaimThatStaysOpen()
    {
        askOthers();
        sendMany(BUSY, 40, LENGTH);
        mark.intend(rig.box.claimKey(), 1);
        final long open = rig.box.claim(mark, 1);
        rig.box.defer(mark, open, LENGTH, RING);
        assertEquals(0, poll(RING));
        assertEquals(TURN, turn());
        Payload.fill(rig.box.buffer(), rig.box.payloadOffset(open), LENGTH, RING, sequences[RING]++);
        rig.box.settle(open, MailboxDescriptor.TYPE_FIRST_USER, 0, LENGTH, RING);
        assertTrue(turn() <= STEP);
        assertEquals(1, poll(RING));
    }

    /** What was seen ahead is delivered in later turns, whatever happens in between. */
    @Test
    void shouldGoOnWhereATurnEnded()
    {
        askOthers();
        sendMany(BUSY, 20, LENGTH);
        assertEquals(3, pollers[BUSY].poll(handler, 3));
        disturb(5, () ->
        {
            throw new IllegalStateException("of the test");
        });
        assertThrows(IllegalStateException.class, () -> pollers[BUSY].poll(handler, TURN));
        assertEquals(5, pollers[BUSY].position());
        assertEquals(15, pollers[BUSY].poll(handler, TURN));
        assertEquals(0, pollers[BUSY].poll(handler, TURN));
        sendMany(BUSY, 5, LENGTH);
        assertEquals(2, pollers[BUSY].poll(handler, 2));
        // the holder is gone; who gets the lane next has sent nothing
        pollers[BUSY].free();
        pollers[BUSY].grant(2);
        assertEquals(0, pollers[BUSY].poll(handler, TURN));
    }
}
