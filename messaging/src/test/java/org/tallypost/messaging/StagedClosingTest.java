// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/** One side of a staged message closes while the other one puts bytes into its area: step by step, by one thread. */
class StagedClosingTest extends StagedFixture
{
    /** What rank 0 sends. */
    private final StagedBytes bytes = new StagedBytes(LONG, 1);
    private SendRequest sending;

    private void sendWithin(final Runnable step)
    {
        bytes.within(step);
        sending = send(0, 1, TAG, bytes, LONG);
        while (!bytes.isDone())
        {
            work();
        }
    }

    /** The send ends, and the next one goes through an area again. */
    private void goOnWithANewMessenger()
    {
        drive("the end", () -> pollEndpoint(1) && sending.isDone());
        assertEquals(RequestResult.PEER_GONE, sending.result());
        relaunch(1);
        exchange(LONG, 2);
        assertEquals(1, staged());
    }

    /** The sender of an area is there, and puts nothing just now. */
    @Test
    void shouldGiveBackTheAreaOfASenderThatLives()
    {
        launchWith(2, AREA);
        final ReceiveRequest lost = receive(1, 0, TAG, room(LONG));
        sending = send(0, 1, TAG, bytes, LONG);
        drive("some bytes", () -> lost.received > 0);
        closeMessenger(1);
        assertEquals(RequestResult.CLOSED, lost.result());
        assertEquals(0, memories[1].usedLength());
        goOnWithANewMessenger();
    }

    /** The sender is in the midst of a put: its bytes come into no other region, and the area comes back behind the put. */
    @Test
    void shouldGiveBackTheAreaBehindAPut()
    {
        launchWith(2, AREA);
        receive(1, 0, TAG, room(LONG));
        final Region[] other = new Region[1];
        sendWithin(() ->
        {
            closeMessenger(1);
            assertEquals(0, memories[1].collect());
            assertEquals(AREA, memories[1].usedLength());
            other[0] = memories[1].register(AREA, Region.ALL);
        });
        for (int at = 0; at < AREA; at++)
        {
            assertEquals(0, other[0].buffer().getByte(at), "bytes of the put");
        }
        other[0].close();
        assertEquals(1, memories[1].collect(), "the put is over");
        assertEquals(0, memories[1].usedLength());
        goOnWithANewMessenger();
    }

    /** All memory is taken: what is kept is collected when something is registered. */
    @Test
    void shouldCollectTheAreaWhenThereIsNothingElse()
    {
        launchWith(2, AREA);
        receive(1, 0, TAG, room(LONG));
        sendWithin(() -> closeMessenger(1));
        final Region all = memories[1].register(1 << 24, 0);
        assertEquals(1 << 24, memories[1].usedLength());
        all.close();
    }

    /**
     * Another thread closes the endpoint of a sender, which is in the midst of a put: its bytes are none of another sender's
     * message, nor of the next incarnation's. Without an area for itself such a message takes the mailbox.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeTheEndOfAnEndpointForTheEndOfAPut(final boolean isReopened)
    {
        launchWith(3, AREA);
        final ReceiveRequest lost = receive(1, 0, TAG, room(LONG));
        final Messenger closing = messengers[0];
        final UnsafeBuffer room = room(LONG);
        final Request[] others = new Request[2];
        sendWithin(() ->
        {
            messengers[0] = null;
            closeByAnotherThread(0);
            drive("the end of the receive", lost::isDone);
            assertEquals(RequestResult.PEER_GONE, lost.result());
            if (isReopened)
            {
                memories[0].close();
                open(0, this::set);
            }
            final ReceiveRequest receiving = receive(1, ANY, TAG, room);
            others[0] = receiving;
            final int sender = isReopened ? 0 : 2;
            others[1] = send(sender, 1, TAG, bytes(LONG, 2), LONG);
            drive("an answer", () -> receiving.isDone() || receiving.state == RequestState.MOVING);
            // what it puts, if it puts, is not copied before the end of the put
            for (int round = 0; round < 100; round++)
            {
                messengers[sender].doWork();
            }
            assertEquals(0, memories[sender].refusedCount(RegionResult.ALREADY_ATTACHED), "the area is for nobody");
        });
        await(others);
        check(room, 0, LONG, 2);
        assertEquals(0, staged(), "by the mailbox");
        closing.close();
        final ReceiveRequest next = receive(1, ANY, TAG, room);
        await(send(2, 1, TAG, bytes(LONG, 3), LONG), next);
        check(room, 0, LONG, 3);
        assertEquals(1, staged(), "the put is over");
        assertEquals(AREA, memories[1].usedLength());
    }

    /** What has entered the area of a message before, and is about to leave: the next one takes the mailbox. */
    @Test
    void shouldTakeTheMailboxIfTheAreaIsEntered()
    {
        launchWith(3, AREA);
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest receiving = receive(1, 0, TAG, room);
        sending = send(0, 1, TAG, bytes, LONG);
        drive("an area", () -> receiving.area != null);
        final UnsafeBuffer head = room(HeadDescriptor.CTS_STAGED_LENGTH);
        receiving.area.put(head);
        final RemoteRegion entered = new RemoteRegion();
        assertEquals(0, entered.attach(memories[2], new RegionKey().decode(head, HeadDescriptor.STAGING_KEY_OFFSET)));
        assertEquals(0, entered.enter());
        await(sending, receiving);
        check(room, 0, LONG, 1);
        assertEquals(0, staged());
        entered.leave();
        exchange(LONG, 2);
        assertEquals(1, staged());
    }

    private void closeByAnotherThread(final int rank)
    {
        final Thread thread = new Thread(endpoints[rank]::close);
        thread.start();
        Watchdog.await("the end of the endpoint", () -> !thread.isAlive());
    }
}
