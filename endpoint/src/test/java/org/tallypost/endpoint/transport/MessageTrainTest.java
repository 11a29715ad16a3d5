// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.CarrierFixture;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;

/** Short messages that are put behind the one before, and what ends that. */
@Timeout(1800)
class MessageTrainTest extends CarrierFixture
{
    private static final int CLOSED = -1;

    private final byte[] batch = new byte[4096];
    private final UnsafeBuffer bytes = new UnsafeBuffer(batch);
    /** Contents of messages, in the order in which the transport had them. */
    private final List<Long> had = new ArrayList<>();
    private int room = 20;
    private int asked;
    private int last;
    private long next;

    @Override
    public TakingTransport newTransport()
    {
        return new TakingTransport()
        {
            @Override
            public boolean onMessage(
                final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset,
                final int length)
            {
                if (taking == 0)
                {
                    return false;
                }
                taking--;
                had.add(buffer.getLong(offset));
                last = length;
                return true;
            }

            @Override
            public boolean onTrain(final MessageTrain train)
            {
                asked++;
                train.begin(batch, bytes.addressOffset(), room);
                return room > 0;
            }

            @Override
            public void onTrainEnd(final int count)
            {
                assertTrue(0 < count && count <= room, () -> count + " of " + room);
                for (int i = 0; i < count; i++)
                {
                    had.add(bytes.getLong(i * last));
                    assertEquals(~bytes.getLong(i * last), bytes.getLong(i * last + last - Long.BYTES), "the last word");
                }
            }

            @Override
            public void onRun(
                final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
                final DirectBuffer buffer, final int offset, final int length)
            {
                had.add(buffer.getLong(offset));
            }

            @Override
            public void onClose()
            {
                had.add((long)CLOSED);
            }
        };
    }

    private static UnsafeBuffer message(final long content, final int length)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
        message.putLong(0, content);
        message.putLong(length - Long.BYTES, ~content);
        return message;
    }

    private void send(final int tag, final int length)
    {
        assertTrue(from.offer(IdleTransport.FAR, tag, message(++next, length), 0, length) >= 0);
    }

    private void send(final int tag)
    {
        send(tag, LENGTH);
    }

    private void assertHad(final long count)
    {
        final List<Long> all = new ArrayList<>();
        for (long i = 1; i <= count; i++)
        {
            all.add(i);
        }
        assertEquals(all, had);
    }

    @Override
    public void launched()
    {
        had.clear();
        asked = 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 40, 48, 64})
    void shouldCountTheMessagesOfATrainInADutyCycle(final int length)
    {
        launch();
        final int credits = credits();
        for (int i = 0; i < 5; i++)
        {
            send(7, length);
        }
        assertHad(1);
        assertEquals(1, asked);
        assertEquals(6, from.counters().sent(), "told at once");
        assertEquals(LENGTH + 5 * length, from.counters().bytesSent());
        assertEquals(credits - 5 * PacketDescriptor.slots(length), credits());
        assertHad(5);
        assertEquals(6, transport.port().unacknowledged(1));
    }

    @Test
    void shouldPutNothingBehindAMessageOfAnotherTagOrLength()
    {
        launch();
        for (final int tag : new int[]{7, 7, 7, 8, 8, 7})
        {
            send(tag);
        }
        assertHad(6);
        send(7);
        send(7, 48);
        assertHad(8);
        send(7, 48);
        send(7);
        assertHad(10);
        assertEquals(11, transport.port().unacknowledged(1));
    }

    @Test
    void shouldPutNoMoreThanThereIsRoomFor()
    {
        room = 2;
        launch();
        for (int i = 0; i < 8; i++)
        {
            send(7);
        }
        // one, two behind it, one, two, one, and one behind that
        assertHad(7);
        node.transportWork();
        assertHad(8);
        room = 0;
        send(7);
        send(7);
        assertHad(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 41, 72, 1000})
    void shouldHandOnOtherMessagesOneByOne(final int length)
    {
        launch();
        send(7, length);
        send(7, length);
        assertHad(2);
        assertEquals(0, asked);
    }

    @Test
    void shouldTakeNoMoreThanThereAreCredits()
    {
        room = 100;
        launch();
        int sent = 0;
        while (from.offer(IdleTransport.FAR, 7, message(++next, LENGTH), 0, LENGTH) >= 0)
        {
            sent++;
        }
        assertEquals(CREDITS, sent);
        assertEquals(0, credits());
        assertHad(CREDITS);
    }

    @Test
    void shouldKeepTheOrderWithClaimsAndBatchesAndTheRing()
    {
        launch();
        send(7);
        send(7);
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(IdleTransport.FAR, 7, LENGTH, claim) >= 0);
        send(7);
        claim.putBytes(message(++next, LENGTH), 0);
        claim.commit();
        final MessageBatch some = new MessageBatch(3);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(some.add(7, message(++next, LENGTH), 0, LENGTH));
        }
        assertTrue(from.offer(IdleTransport.FAR, some) >= 0);
        send(7);
        final LongSend send = from.newSend();
        assertTrue(send.start(IdleTransport.FAR, 7, message(++next, 5_000), 0, 5_000) >= 0);
        assertFalse(send.isActive());
        node.transportWork();
        assertHad(8);
        assertTrue(transport.drain() > 1);
        assertEquals(Long.valueOf(5_000), had.get(8), "the length of a message in several runs is in the first");
        had.clear();
        send(7);
        send(7);
        node.transportWork();
        assertEquals(List.of(10L, 11L), had);
    }

    /** It has a place behind what is in the batch, and nothing of the same kind may come before it. */
    @Test
    void shouldPutNothingBehindAMessageThatTheTransportHadToKeep()
    {
        launch();
        transport.taking = 1;
        final MessageBatch some = new MessageBatch(3);
        for (final int tag : new int[]{7, 8, 8})
        {
            assertTrue(some.add(tag, message(++next, LENGTH), 0, LENGTH));
        }
        assertTrue(from.offer(IdleTransport.FAR, some) >= 0);
        assertHad(3);
        assertEquals(1, asked, "after the first, which was taken");
        transport.taking = 2;
        send(8);
        send(8);
        node.transportWork();
        assertHad(5);
        assertEquals(2, asked);
        assertEquals(6, transport.port().unacknowledged(1));
    }

    /** What is copied word by word from where the buffer was would be somebody else's memory. */
    @Test
    void shouldRefuseABufferThatWasWrappedAnewSinceItWasAdded()
    {
        launch();
        final MessageBatch some = new MessageBatch(3);
        final UnsafeBuffer changed = message(3, LENGTH);
        assertTrue(some.add(7, message(1, LENGTH), 0, LENGTH));
        assertTrue(some.add(7, message(2, LENGTH), 0, LENGTH));
        assertTrue(some.add(7, changed, 0, LENGTH));
        changed.wrap(new byte[Long.BYTES]);
        assertThrows(IndexOutOfBoundsException.class, () -> from.offer(IdleTransport.FAR, some));
        assertEquals(CREDITS - 2, credits());
        assertHad(2);
    }

    @Test
    void shouldBeCountedByTheThreadThatTakesOver()
    {
        launch();
        send(7);
        send(7);
        transport.duty = () -> assertHad(2);
        assertEquals(1, inThread(node::transportWork));
        assertEquals(3, transport.port().unacknowledged(1));
    }

    @Test
    void shouldBeCountedBeforeTheTransportEnds()
    {
        launch();
        send(7);
        send(7);
        send(7);
        node.close();
        assertEquals(List.of(1L, 2L, 3L, (long)CLOSED), had);
    }
}
