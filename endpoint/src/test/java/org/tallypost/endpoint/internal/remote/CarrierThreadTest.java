// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tallypost.endpoint.CarrierFixture;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageClaim;

/** What the thread that does the transport's work sends itself. */
@Timeout(1800)
class CarrierThreadTest extends CarrierFixture
{
    @Test
    void shouldHandOnWhatTheCarrierSendsAtOnce()
    {
        launch();
        final long first = offer(7);
        final long second = offer(8);
        assertTrue(0 <= first && first < second, () -> first + ", " + second);
        assertEquals(List.of(7, 8), transport.direct);
        assertEquals(CREDITS - 2, credits());
        assertEquals(0, transport.drain());
        assertEquals(3, from.counters().sent());
        assertEquals(3 * LENGTH, from.counters().bytesSent());
        assertEquals(3, transport.port().unacknowledged(1));
    }

    @Test
    void shouldSendByTheRingBehindWhatItHasSentThere()
    {
        launch();
        final LongSend send = from.newSend();
        message.putLong(0, 1);
        assertTrue(send.start(IdleTransport.FAR, 1, message, 0, LENGTH) >= 0);
        assertTrue(offer(2) >= 0);
        assertEquals(List.of(), transport.direct);
        assertEquals(2, transport.drain());
        assertTrue(offer(3) >= 0);
        assertEquals(List.of(1, 2), transport.byRing);
        assertEquals(List.of(3), transport.direct);
        assertEquals(CREDITS - 3, credits());
        assertEquals(4, transport.port().unacknowledged(1));
    }

    @Test
    void shouldNotWaitForWhatOthersHaveSentByTheRing()
    {
        launch();
        assertTrue(inThread(() -> offer(1)) >= 0);
        assertTrue(offer(2) >= 0, "looks whether the ring is empty, once");
        assertEquals(2, transport.drain());
        assertTrue(offer(3) >= 0);
        assertTrue(inThread(() -> offer(4)) >= 0);
        final long last = offer(5);
        assertTrue(last >= 0);
        assertEquals(List.of(3, 5), transport.direct);
        assertEquals(1, transport.drain());
        assertTrue(offer(6) > last);
    }

    @Test
    void shouldTakeCreditsTogetherAndGiveThemBackInADutyCycle()
    {
        launch();
        assertTrue(offer(1) >= 0);
        assertEquals(CREDITS - RemotePeer.MAX_IN_HAND, inWord());
        transport.duty = () -> assertEquals(CREDITS - 1, inWord(), "before anybody asks for them");
        node.transportWork();
        // few, of which half are for others; nothing of this thread goes without them
        transport.port().takeExcess(0, IdleTransport.FAR, 1);
        transport.port().addCredits(0, IdleTransport.FAR, 8);
        final int left = inWord();
        assertTrue(left >= 8 && left < 16);
        assertTrue(offer(2) >= 0);
        assertEquals(left - left / 2, inWord());
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 3, LENGTH, claim) >= 0);
        assertEquals(left - 2, inWord());
        claim.abort();
        assertEquals(left - 1, inWord());
        // a thread that takes over finds them too
        assertTrue(offer(4) >= 0);
        assertTrue(inWord() < left - 2);
        transport.duty = () -> assertEquals(left - 2, inWord());
        assertEquals(1, inThread(node::transportWork));
    }

    @Test
    void shouldSendByTheRingWhatTheTransportDoesNotTake()
    {
        launch();
        transport.isRefusing = true;
        assertTrue(offer(1) >= 0);
        assertEquals(CREDITS - 1, credits(), "taken once");
        transport.isRefusing = false;
        assertTrue(offer(2) >= 0);
        transport.drain();
        assertEquals(List.of(1, 2), transport.byRing);
        assertEquals(List.of(), transport.direct);
    }

    @Test
    void shouldSendByTheRingWithinADutyCycle()
    {
        launch();
        transport.duty = () -> assertTrue(offer(1) >= 0);
        node.transportWork();
        transport.duty = transport::drain;
        node.transportWork();
        assertEquals(List.of(1), transport.byRing);
        assertEquals(List.of(), transport.direct);
    }

    @Test
    void shouldGiveCreditsBackForABufferThatThrows()
    {
        launch();
        final RuntimeException fault = new IllegalStateException("a buffer that throws");
        final UnsafeBuffer broken = new UnsafeBuffer(new byte[LENGTH])
        {
            @Override
            public long getLong(final int index)
            {
                throw fault;
            }
        };
        assertSame(fault, assertThrows(IllegalStateException.class, () -> from.offer(IdleTransport.FAR, 1, broken, 0, LENGTH)));
        assertEquals(CREDITS, credits());
        assertTrue(offer(2) >= 0);
        assertEquals(List.of(2), transport.direct);
        assertEquals(2, transport.port().unacknowledged(1));
    }

    @Test
    void shouldSayWhenThereAreNoCredits()
    {
        launch();
        for (int i = 0; i < CREDITS; i++)
        {
            assertTrue(offer(i) >= 0);
        }
        assertEquals(Endpoint.NO_CREDIT, offer(CREDITS));
        assertEquals(CREDITS, transport.direct.size());
        assertEquals(0, credits());
        transport.port().addCredits(0, IdleTransport.FAR, 1);
        assertTrue(offer(CREDITS) >= 0);
        assertEquals(CREDITS + 1, transport.direct.size());
    }

    private int fillTheRing()
    {
        return inThread(() ->
        {
            int count = 0;
            while (offer(count) >= 0)
            {
                count++;
            }
            return count;
        });
    }

    /** Its room can only be made by the thread that waits for it. */
    @Test
    void shouldMakeRoomForACommitOfTheCarrier()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 1_000_000, LENGTH, claim) >= 0);
        final int count = fillTheRing();
        assertEquals(EGRESS_SLOTS, count);
        transport.duty = transport::drain;
        claim.commit();
        node.transportWork();
        assertEquals(count + 1, transport.byRing.size());
        assertEquals(1_000_000, transport.byRing.get(count));
    }

    @Test
    void shouldRefuseACommitWithinADutyCycleThatFindsNoRoom()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 1, LENGTH, claim) >= 0);
        fillTheRing();
        transport.duty = () ->
        {
            final IllegalStateException refused = assertThrows(IllegalStateException.class, claim::commit);
            assertTrue(refused.getMessage().contains("egressSlots=" + EGRESS_SLOTS), refused::getMessage);
        };
        node.transportWork();
        assertTrue(claim.state().isOpen());
        transport.duty = () ->
        {
            transport.drain();
            claim.commit();
        };
        node.transportWork();
        assertFalse(claim.state().isOpen());
        assertEquals(EGRESS_SLOTS, transport.byRing.size());
        assertEquals(1, transport.drain());
    }

    @Test
    void shouldSendAClaimOfTheCarrierAtOnce()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 5, LENGTH, claim) >= 0);
        assertTrue(offer(4) >= 0);
        claim.buffer().putLong(0, 5);
        claim.commit();
        assertEquals(List.of(4, 5), transport.direct);
        assertEquals(CREDITS - 2, credits());
    }

    /** A buffer that sends, and works for the transport, while it is read. */
    @Test
    void shouldNotBeEnteredTwice()
    {
        launch();
        final UnsafeBuffer calling = new UnsafeBuffer(new byte[LENGTH])
        {
            private boolean isCalled;

            @Override
            public long getLong(final int index)
            {
                if (!isCalled)
                {
                    isCalled = true;
                    assertEquals(0, node.transportWork());
                    assertTrue(offer(2) >= 0);
                }
                return super.getLong(index);
            }
        };
        calling.putLong(0, 1);
        assertTrue(from.offer(IdleTransport.FAR, 1, calling, 0, LENGTH) >= 0);
        assertEquals(List.of(1), transport.direct);
        assertEquals(1, transport.drain());
        assertEquals(List.of(2), transport.byRing);
    }

    @Test
    void shouldSendBehindAClaimThatWentByTheRing()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        final long first = from.tryClaim(IdleTransport.FAR, 1, LENGTH, claim);
        final long second = offer(2);
        transport.isRefusing = true;
        claim.commit();
        transport.isRefusing = false;
        final long third = offer(3);
        assertTrue(0 <= first && first < second && second < third);
        assertEquals(2, transport.drain());
        assertEquals(List.of(2), transport.direct);
        assertEquals(List.of(1, 3), transport.byRing);
        // others' runs are in front of it
        assertTrue(from.tryClaim(IdleTransport.FAR, 4, LENGTH, claim) > third);
        assertTrue(offer(5) >= 0);
        assertTrue(inThread(() -> offer(6)) >= 0);
        claim.commit();
        assertTrue(offer(7) >= 0);
        assertEquals(3, transport.drain());
        assertEquals(List.of(2, 5), transport.direct);
        assertEquals(List.of(1, 3, 6, 4, 7), transport.byRing);
    }

    @Test
    void shouldGrowInPositionThoughOthersFillTheRing()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        try (Endpoint other = node.open(1))
        {
            transport.port().pollRanks(transport);
            transport.port().addCredits(1, IdleTransport.FAR, 100);
            for (int i = 0; i < 100; i++)
            {
                assertTrue(other.offer(IdleTransport.FAR, i, message, 0, LENGTH) >= 0);
            }
            transport.drain();
            final long direct = offer(1);
            final long claimed = from.tryClaim(IdleTransport.FAR, 2, LENGTH, claim);
            claim.buffer().putLong(0, 2);
            claim.commit();
            final long last = offer(3);
            assertTrue(direct < claimed && claimed < last, () -> direct + ", " + claimed + ", " + last);
        }
    }

    private MessageBatch batch(final DirectBuffer... messages)
    {
        final MessageBatch batch = new MessageBatch(messages.length);
        for (int i = 0; i < messages.length; i++)
        {
            assertTrue(batch.add((int)message(i).getLong(0), messages[i], 0, LENGTH));
        }
        return batch;
    }

    private static UnsafeBuffer message(final int tag)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        message.putLong(0, tag);
        return message;
    }

    @Test
    void shouldHandOnABatch()
    {
        launch();
        final long before = offer(9);
        final long result = from.offer(IdleTransport.FAR, batch(message(0), message(1), message(2)));
        assertTrue(result > before, () -> result + ", " + before);
        assertEquals(List.of(9, 0, 1, 2), transport.direct);
        assertEquals(CREDITS - 4, credits());
        assertEquals(5, from.counters().sent());
        assertEquals(5 * LENGTH, from.counters().bytesSent());
        assertEquals(5, transport.port().unacknowledged(1));
        assertEquals(0, transport.drain());
        assertTrue(offer(3) > result);
    }

    @Test
    void shouldSendAllOfABatchOnceItHasBegun()
    {
        launch();
        final MessageBatch batch = batch(message(0), message(1), message(2));
        transport.taking = 0;
        assertTrue(from.offer(IdleTransport.FAR, batch) >= 0);
        assertEquals(3, transport.drain());
        assertEquals(List.of(0, 1, 2), transport.byRing);
        transport.byRing.clear();
        transport.taking = 1;
        assertTrue(from.offer(IdleTransport.FAR, batch) >= 0);
        assertEquals(List.of(0), transport.direct);
        assertEquals(List.of(1, 2), transport.byRing, "not by the ring: for the transport to keep");
        assertEquals(0, transport.drain());
        assertEquals(CREDITS - 6, credits());
        assertEquals(7, transport.port().unacknowledged(1));
        assertEquals(7, from.counters().sent());
    }

    @Test
    void shouldSendNothingOfABatchWithoutCreditsForAllOfIt()
    {
        launch();
        for (int i = 0; i < CREDITS - 2; i++)
        {
            assertTrue(offer(i) >= 0);
        }
        transport.direct.clear();
        assertEquals(Endpoint.NO_CREDIT, from.offer(IdleTransport.FAR, batch(message(0), message(1), message(2))));
        assertTrue(from.offer(IdleTransport.FAR, batch(message(0), message(1))) >= 0);
        transport.drain();
        assertEquals(List.of(0, 1), transport.direct);
        assertEquals(0, credits());
    }

    @Test
    void shouldKeepItsCreditsStraightWhenABatchThrows()
    {
        launch();
        final UnsafeBuffer broken = new UnsafeBuffer(new byte[LENGTH])
        {
            @Override
            public long getLong(final int index)
            {
                throw new IllegalStateException("a buffer that throws");
            }
        };
        final MessageBatch batch = batch(message(0), broken, message(2));
        assertThrows(IllegalStateException.class, () -> from.offer(IdleTransport.FAR, batch));
        assertEquals(List.of(0), transport.direct);
        assertEquals(CREDITS - 1, credits());
        assertTrue(offer(3) >= 0);
        assertEquals(List.of(0, 3), transport.direct);
    }
}
