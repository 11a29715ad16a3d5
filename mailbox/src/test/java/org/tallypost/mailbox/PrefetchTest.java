// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** Stores into lines of a lane before there is a message for them: where they go, and where not. */
class PrefetchTest extends LaneFixture
{
    private static final int LANE_SLOTS = 16;
    private static final long PATTERN = 0x5A5A_5A5A_5A5A_5A5AL;
    private static final int WORDS = 8;

    /** All that is not a header, in slots that are free; as an honest holder may have left it there. */
    private void paint(final long from, final long end)
    {
        for (long slot = from; slot < end; slot++)
        {
            for (int word = 1; word < WORDS; word++)
            {
                buffer.putLong(slot(slot) + word * Long.BYTES, PATTERN);
            }
        }
    }

    /** Words of the lane, in order of the slots, that are not what they were; the spare slots included. */
    private List<String> written(final Runnable prefetch)
    {
        final int begin = box.laneOffset(1) + LaneDescriptor.SLOTS_OFFSET;
        final int end = begin + (LANE_SLOTS + LaneDescriptor.runSlots(LANE_SLOTS) - 1) * MailboxDescriptor.SLOT_LENGTH;
        final byte[] before = new byte[buffer.capacity()];
        buffer.getBytes(0, before);
        prefetch.run();
        final UnsafeBuffer old = new UnsafeBuffer(before);
        final List<String> found = new ArrayList<>();
        for (int at = 0; at < before.length; at += Long.BYTES)
        {
            if (old.getLong(at) != buffer.getLong(at))
            {
                assertEquals(true, at >= begin && at < end, "outside of the lane: " + at);
                found.add((at - begin) / MailboxDescriptor.SLOT_LENGTH + "+" + (at - begin) % MailboxDescriptor.SLOT_LENGTH);
            }
        }
        return found;
    }

    private void sendShort(final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            assertEquals(lane.position(), lane.claim(1));
            at = lane.shortPlaceClaimed();
        }
        UnsafeApi.putLong(at + MailboxDescriptor.HEADER_LENGTH, PATTERN);
        lane.publishShort(at, length, LaneDescriptor.shortHeader(0, 0));
    }

    @Test
    void shouldAskForTheSlotOfTheNextShortRun()
    {
        start(LANE_SLOTS);
        lane.pay(LANE_SLOTS);
        assertEquals(List.of(), written(lane::prefetchNext), "nothing is known to be free yet");
        sendShort(40);
        paint(1, LANE_SLOTS);
        assertEquals(List.of("1+8"), written(lane::prefetchNext));
        assertEquals(List.of(), written(lane::prefetchRest), "the last run was not long");
    }

    @Test
    void shouldAskForTheRestOfASlotThatIsOpen()
    {
        start(LANE_SLOTS);
        lane.pay(LANE_SLOTS);
        paint(0, LANE_SLOTS);
        for (int quarter = 1; quarter < LaneDescriptor.SHORT_RUNS; quarter++)
        {
            sendShort(8);
            assertEquals(List.of("0+" + (quarter * 16 + 8)), written(lane::prefetchNext));
        }
        sendShort(8);
        assertEquals(List.of("1+8"), written(lane::prefetchNext));
    }

    /** Also where the run goes on behind the ring, in its spare slots. */
    @ParameterizedTest
    @CsvSource({"0,'6+8 7+8 8+8 9+8'", "1,'7+8 8+8 9+8 10+8'", "8,'14+8 15+8 16+8 17+8'"})
    void shouldAskForTheLinesOfTheNextLongRunButTheFirst(final int shortOnes, final String expected)
    {
        start(LANE_SLOTS);
        lane.pay(2 * LANE_SLOTS);
        for (int i = 0; i < shortOnes; i++)
        {
            send(MailboxDescriptor.payloadLength(1));
        }
        // so that the whole lap behind it is known to be free, as far as it goes
        poll(LANE_SLOTS);
        poll(1);
        lane.pause();
        send(MailboxDescriptor.payloadLength(5));
        poll(1);
        for (int i = 0; i < 7; i++)
        {
            buffer.putLong(box.laneOffset(1) + LaneDescriptor.SLOTS_OFFSET + (shortOnes + 5 + i) * 64 + 8, PATTERN);
        }
        assertEquals(List.of(expected.split(" ")), written(lane::prefetchRest));
        assertEquals(List.of(), written(lane::prefetchRest), "once is enough");
        assertEquals(List.of(), written(lane::prefetchNext), "a long one is not sent within a few nanoseconds");
        send(MailboxDescriptor.payloadLength(5));
        assertEquals(1, poll(1));
    }

    @Test
    void shouldLeaveAloneWhatTheConsumerHasNotRead()
    {
        start(LANE_SLOTS);
        lane.pay(4 * LANE_SLOTS);
        send(MailboxDescriptor.payloadLength(5));
        send(MailboxDescriptor.payloadLength(5));
        send(MailboxDescriptor.payloadLength(5));
        // one slot is free, and the next run would begin there
        assertEquals(List.of(), written(lane::prefetchRest));
        send(MailboxDescriptor.payloadLength(1));
        assertEquals(List.of(), written(lane::prefetchNext), "full");
        assertEquals(4, poll(LANE_SLOTS));
    }

    @Test
    void shouldNotAskForLinesOfAConsumerThatIsBehind()
    {
        start(LANE_SLOTS);
        lane.pay(4 * LANE_SLOTS);
        send(MailboxDescriptor.payloadLength(4));
        send(MailboxDescriptor.payloadLength(4));
        send(MailboxDescriptor.payloadLength(4));
        poll(1);
        LaneReader.settle(poller, handler);
        // looks at the read position: two of them are unread
        lane.pause();
        assertEquals(lane.position(), lane.claim(4));
        assertEquals(true, lane.isBacklogged());
        paint(12, 16);
        assertEquals(List.of(), written(lane::prefetchRest));
    }

    /** What is asked for comes to nothing if something else is sent. */
    @ParameterizedTest
    @CsvSource({"5,1", "5,2", "1,5", "2,3"})
    void shouldDeliverWhateverIsSentInstead(final int last, final int next)
    {
        start(LANE_SLOTS);
        lane.pay(1L << 20);
        for (int round = 0; round < 1000; round++)
        {
            send(MailboxDescriptor.payloadLength(round % 2 == 0 ? last : next));
            lane.prefetchNext();
            lane.prefetchRest();
            assertEquals(1, poll(4));
            assertEquals(0, poll(4));
            lane.prefetchNext();
            lane.prefetchRest();
            assertEquals(0, poll(4), "nothing was sent");
        }
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldTellOfAShortRunThatComesAfterNothingWasThere()
    {
        start(LANE_SLOTS);
        lane.pay(1L << 20);
        final List<String> calls = new ArrayList<>();
        final PacketHandler taker = new PacketHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                calls.add("packet");
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                // counted elsewhere
            }

            @Override
            public void onArrival(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                assertEquals(SOURCE, source);
                calls.add("arrival");
            }
        };
        LaneReader.poll(poller, taker, 8);
        sendShort(8);
        sendShort(8);
        LaneReader.poll(poller, taker, 8);
        sendShort(8);
        LaneReader.poll(poller, taker, 8);
        assertEquals(List.of("arrival", "packet", "packet"), calls, "there was something at each look but the first");
        LaneReader.poll(poller, taker, 8);
        LaneReader.poll(poller, taker, 8);
        sendShort(8);
        LaneReader.poll(poller, taker, 8);
        LaneReader.poll(poller, taker, 8);
        send(MailboxDescriptor.payloadLength(3));
        LaneReader.poll(poller, taker, 8);
        sendShort(8);
        LaneReader.poll(poller, taker, 8);
        assertEquals(
            List.of("arrival", "packet", "packet", "arrival", "packet", "packet"), calls,
            "a long run takes longer to be answered");
    }
}
