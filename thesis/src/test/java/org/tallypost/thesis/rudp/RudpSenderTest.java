// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.rudp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import org.junit.jupiter.api.Test;

class RudpSenderTest
{
    private static final int LENGTH = 95;
    private static final RudpSettings LAST = RudpSettings.of(10, 4, Asking.LAST).limits(3, 10, 1_000);
    private static final RudpSettings TIMER = RudpSettings.of(10, 4, Asking.TIMER).limits(3, 10, 1_000);

    private static List<Integer> packets(final RudpSender sender, final long nowNs)
    {
        final List<Integer> packets = new ArrayList<>();
        for (int next = sender.nextPacket(nowNs); next != RudpSender.NONE; next = sender.nextPacket(nowNs))
        {
            packets.add(next);
        }
        return packets;
    }

    private static BitSet bits(final int... bits)
    {
        final BitSet set = new BitSet();
        for (final int bit : bits)
        {
            set.set(bit);
        }
        return set;
    }

    @Test
    void shouldCutDataIntoPacketsAndBurstsWithARemainder()
    {
        assertEquals(10, LAST.packets(LENGTH));
        assertEquals(3, LAST.bursts(LENGTH));
        assertEquals(5, LAST.lengthOf(LENGTH, 9));
        assertEquals(10, LAST.lengthOf(LENGTH, 8));
        assertEquals(8, LAST.first(LENGTH, 2));
        assertEquals(10, LAST.first(LENGTH, 3));
        assertEquals(0, LAST.packets(0));
        assertEquals(0, LAST.bursts(0));
        assertTrue(new RudpSender(LAST, 0, 1).isDone());
    }

    @Test
    void shouldSendAgainWhatAnyReceiverMissesBeforeTheNextBurst()
    {
        final RudpSender sender = new RudpSender(LAST, LENGTH, 2);
        assertEquals(List.of(0, 1, 2, 3), packets(sender, 0));
        assertTrue(sender.takeAsk());
        assertFalse(sender.takeAsk(), "once in a round");
        sender.onAnswer(0, 0, 0, bits(1));
        assertEquals(List.of(), packets(sender, 1), "receiver 1 has not answered");
        sender.onAnswer(1, 0, 0, bits(3));
        assertEquals(List.of(1, 3), packets(sender, 2), "the bitmaps together");
        assertTrue(sender.takeAsk());
        assertEquals(1, sender.round());
        sender.onAnswer(0, 0, 0, bits(1));
        assertEquals(1, sender.ignored(), "an answer to the round before");
        sender.onAnswer(0, 0, 1, bits());
        sender.onAnswer(1, 0, 1, bits());
        assertEquals(List.of(4, 5, 6, 7), packets(sender, 3));
        assertEquals(0, sender.round());
        assertEquals(2, sender.repeated());
    }

    @Test
    void shouldTakeNothingBackThatAReceiverOnceHad()
    {
        final RudpSender sender = new RudpSender(LAST, 40, 1);
        packets(sender, 0);
        sender.onAnswer(0, 0, 0, bits(2));
        packets(sender, 0);
        sender.onAnswer(0, 0, 1, bits(0, 1, 2));
        assertEquals(List.of(2), packets(sender, 0));
    }

    @Test
    void shouldIgnoreWhatSaysNothingNew()
    {
        final RudpSender sender = new RudpSender(TIMER, LENGTH, 1);
        assertEquals(0, sender.nextPacket(0));
        sender.onAnswer(0, 0, -1, bits(0, 1));
        assertEquals(1, sender.ignored(), "packets are still being sent");
        assertEquals(List.of(1, 2, 3), packets(sender, 0));
        sender.onAnswer(0, 1, -1, bits(0));
        sender.onAnswer(0, 0, -1, bits(4));
        assertEquals(3, sender.ignored(), "another burst; a packet that the burst does not have");
        assertTrue(sender.isWaiting());
    }

    @Test
    void shouldGoOnWhenAllSaidMeanwhileThatNothingIsMissing()
    {
        final RudpSender sender = new RudpSender(TIMER, LENGTH, 1);
        packets(sender, 0);
        sender.onAnswer(0, 0, -1, bits(0, 3));
        assertEquals(0, sender.nextPacket(0));
        sender.onAnswer(0, 0, -1, bits());
        assertEquals(List.of(3, 4, 5, 6, 7), packets(sender, 0));
        assertEquals(1, sender.burst());
    }

    @Test
    void shouldGiveUpAfterTheLimitAndSayWhatIsMissingWhere()
    {
        final RudpSender sender = new RudpSender(LAST, LENGTH, 2);
        for (int round = 0; round < LAST.maxRounds(); round++)
        {
            packets(sender, 0);
            sender.onAnswer(0, 0, round, bits());
            sender.onAnswer(1, 0, round, bits(2));
        }
        assertTrue(sender.isEnded());
        assertFalse(sender.isDone());
        assertEquals("gave up after 3 rounds (maxRounds) of burst 0: 1 of 4 packets are missing at receivers {1}",
            sender.failure());
        assertEquals(RudpSender.NONE, sender.nextPacket(0));
    }

    @Test
    void shouldGiveUpOnReceiversThatAreSilentOrGone()
    {
        final RudpSender silent = new RudpSender(LAST, LENGTH, 3);
        packets(silent, 500);
        silent.onAnswer(1, 0, 0, bits());
        silent.onTime(1_500);
        assertNull(silent.failure());
        silent.onTime(1_501);
        assertEquals("waited 0 ms (answerNs) for answers to round 0 of burst 0 of receivers {0, 2}", silent.failure());
        final RudpSender gone = new RudpSender(LAST, LENGTH, 3);
        gone.onGone(2);
        assertEquals("receiver 2 is gone, in round 0 of burst 0", gone.failure());
    }

    @Test
    void shouldRefuseSettingsThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> RudpSettings.of(0, 1, Asking.LAST));
        assertThrows(IllegalArgumentException.class, () -> RudpSettings.of(65_001, 1, Asking.LAST));
        assertThrows(IllegalArgumentException.class, () -> RudpSettings.of(1, 65_537, Asking.LAST));
        assertThrows(IllegalArgumentException.class, () -> LAST.limits(0, 1, 2));
        assertThrows(IllegalArgumentException.class, () -> LAST.limits(1, 2, 2));
        assertThrows(IllegalArgumentException.class, () -> new RudpSender(LAST, 1, 0));
    }

    @Test
    void shouldRefuseAndCountPacketsAndQuestionsThatCannotBe()
    {
        final List<BitSet> answers = new ArrayList<>();
        final RudpReceiver receiver = new RudpReceiver(LAST, LENGTH, 0, (burst, round, missing) -> answers.add(missing));
        assertFalse(receiver.onPacket(-1, 10, 0));
        assertFalse(receiver.onPacket(10, 10, 0));
        assertFalse(receiver.onPacket(9, 10, 0), "the last one has 5 bytes");
        receiver.onAsk(3, 0);
        receiver.onAsk(-1, 0);
        assertEquals(5, receiver.refused());
        assertEquals(List.of(), answers);
        assertTrue(receiver.onPacket(9, 5, 0));
        assertFalse(receiver.onPacket(9, 5, 0));
        assertEquals(1, receiver.again());
        receiver.onAsk(2, 0);
        assertEquals(List.of(bits(0)), answers, "packet 8 is missing");
    }

    @Test
    void shouldAnswerByItselfWhenABurstIsCompleteOrNothingComes()
    {
        final List<String> answers = new ArrayList<>();
        final RudpReceiver receiver = new RudpReceiver(TIMER, LENGTH, 0, (burst, round, missing) ->
            answers.add(burst + " " + missing));
        for (final int sequence : new int[]{ 0, 1, 3 })
        {
            assertTrue(receiver.onPacket(sequence, 10, 5));
            receiver.onKept();
        }
        receiver.onTime(14);
        assertEquals(List.of(), answers);
        receiver.onTime(15);
        receiver.onTime(16);
        assertEquals(List.of("0 {2}"), answers, "once in the time of the timer");
        receiver.onPacket(2, 10, 17);
        receiver.onKept();
        assertEquals(List.of("0 {2}", "0 {}"), answers);
        receiver.onTime(27);
        assertEquals("1 {0, 1, 2, 3}", answers.get(2), "nothing of the next burst has come");
    }
}
