// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.rudp;

import java.util.BitSet;

/**
 * The sender of one broadcast. It sends the packets of a burst one behind the other, waits for an answer of each receiver, and
 * sends again, to all, what any of them misses; the next burst begins when all have all. It gives up after so many rounds of one
 * burst, when a receiver is gone, or when one has not answered for too long, and says so.
 * <p>
 * It has no clock and no socket: its caller sends the packets that {@link #nextPacket} names, asks when {@link #takeAsk} says so,
 * and hands in what receivers answer. One thread.
 */
public final class RudpSender
{
    /** No packet is to be sent now. */
    public static final int NONE = -1;

    private final RudpSettings settings;
    private final int length;
    private final BitSet[] missing;
    private final BitSet answered = new BitSet();
    private final BitSet toSend = new BitSet();
    private int burst;
    private int round;
    private int next;
    private boolean isWaiting;
    private boolean isAsking;
    private long waitingSinceNs;
    private long sent;
    private long repeated;
    private long ignored;
    private String failure;

    /**
     * A sender that has sent nothing.
     *
     * @param settings  imposed on all.
     * @param length    of the data, at least 0.
     * @param receivers at least 1.
     */
    public RudpSender(final RudpSettings settings, final int length, final int receivers)
    {
        if (length < 0 || receivers < 1)
        {
            throw new IllegalArgumentException("found " + length + " bytes for " + receivers +
                " receivers, expected 0 or more for 1 or more");
        }
        this.settings = settings;
        this.length = length;
        missing = new BitSet[receivers];
        for (int i = 0; i < receivers; i++)
        {
            missing[i] = new BitSet();
        }
        begin(0);
    }

    private void begin(final int which)
    {
        burst = which;
        round = 0;
        final int packets = burstLength();
        for (final BitSet each : missing)
        {
            each.set(0, packets);
        }
        toSend.set(0, packets);
        next = 0;
        answered.clear();
        isWaiting = false;
        isAsking = false;
    }

    private int burstLength()
    {
        return settings.first(length, burst + 1) - settings.first(length, burst);
    }

    /**
     * The next packet to be sent. When there is none any more the sender waits for answers, from this moment on.
     *
     * @param nowNs the time.
     * @return its sequence, or {@link #NONE}.
     */
    public int nextPacket(final long nowNs)
    {
        if (isWaiting || isEnded())
        {
            return NONE;
        }
        final int index = toSend.nextSetBit(next);
        if (index < 0)
        {
            isWaiting = true;
            isAsking = settings.asking() == Asking.LAST;
            waitingSinceNs = nowNs;
            // all may have said meanwhile that they miss nothing
            advance();
            return isWaiting || isEnded() ? NONE : nextPacket(nowNs);
        }
        next = index + 1;
        sent++;
        repeated += round > 0 ? 1 : 0;
        return settings.first(length, burst) + index;
    }

    /**
     * Whether all receivers are to be asked now for {@link #burst} and {@link #round}. True once in a round.
     *
     * @return always false with {@link Asking#TIMER}.
     */
    public boolean takeAsk()
    {
        final boolean asks = isAsking;
        isAsking = false;
        return asks;
    }

    /**
     * A receiver says what it misses. What belongs to another burst or round is ignored: it says nothing new. An answer that
     * comes while packets of the round are still being sent counts only if nothing is missing.
     *
     * @param receiver   that answers.
     * @param itsBurst   that the answer is about.
     * @param itsRound   that was asked for; means nothing with {@link Asking#TIMER}.
     * @param itsMissing packets of the burst, from 0.
     */
    public void onAnswer(final int receiver, final int itsBurst, final int itsRound, final BitSet itsMissing)
    {
        final boolean isThisRound = settings.asking() == Asking.TIMER || itsRound == round;
        final boolean counts = isWaiting && isThisRound || itsMissing.isEmpty();
        if (isEnded() || itsBurst != burst || !counts || itsMissing.length() > burstLength())
        {
            ignored++;
            return;
        }
        // what a receiver once had it has
        missing[receiver].and(itsMissing);
        answered.set(receiver);
        if (isWaiting)
        {
            advance();
        }
    }

    private void advance()
    {
        if (answered.cardinality() < missing.length)
        {
            return;
        }
        toSend.clear();
        for (final BitSet each : missing)
        {
            toSend.or(each);
        }
        if (toSend.isEmpty())
        {
            begin(burst + 1);
            return;
        }
        round++;
        if (round >= settings.maxRounds())
        {
            failure = "gave up after " + round + " rounds (maxRounds) of burst " + burst + ": " + toSend.cardinality() + " of " +
                burstLength() + " packets are missing at receivers " + lacking();
            return;
        }
        next = 0;
        isWaiting = false;
        answered.clear();
        for (int receiver = 0; receiver < missing.length; receiver++)
        {
            // with TIMER it has answered for good; with LAST it is asked again
            answered.set(receiver, missing[receiver].isEmpty() && settings.asking() == Asking.TIMER);
        }
    }

    private BitSet lacking()
    {
        final BitSet lacking = new BitSet();
        for (int receiver = 0; receiver < missing.length; receiver++)
        {
            lacking.set(receiver, !missing[receiver].isEmpty());
        }
        return lacking;
    }

    /**
     * A receiver is gone: the broadcast fails, unless all have everything.
     *
     * @param receiver that is gone.
     */
    public void onGone(final int receiver)
    {
        if (!isEnded())
        {
            failure = "receiver " + receiver + " is gone, in round " + round + " of burst " + burst;
        }
    }

    /**
     * Gives up if a receiver has not answered for too long.
     *
     * @param nowNs the time.
     */
    public void onTime(final long nowNs)
    {
        if (isWaiting && !isEnded() && nowNs - waitingSinceNs > settings.answerNs())
        {
            final BitSet silent = new BitSet();
            silent.set(0, missing.length);
            silent.andNot(answered);
            failure = "waited " + settings.answerNs() / 1_000_000 + " ms (answerNs) for answers to round " + round +
                " of burst " + burst + " of receivers " + silent;
        }
    }

    /**
     * Whether all receivers have said that they have all.
     *
     * @return whether it is done.
     */
    public boolean isDone()
    {
        return burst >= settings.bursts(length);
    }

    /**
     * Why it gave up.
     *
     * @return a text, or null if it did not.
     */
    public String failure()
    {
        return failure;
    }

    /**
     * Whether there is nothing more to do.
     *
     * @return whether it is done, or has failed.
     */
    public boolean isEnded()
    {
        return failure != null || isDone();
    }

    /**
     * Whether it waits for answers.
     *
     * @return false while packets are to be sent, and at the end.
     */
    public boolean isWaiting()
    {
        return isWaiting && !isEnded();
    }

    /**
     * The burst under way.
     *
     * @return from 0.
     */
    public int burst()
    {
        return burst;
    }

    /**
     * The round of the burst.
     *
     * @return from 0.
     */
    public int round()
    {
        return round;
    }

    /**
     * Packets sent.
     *
     * @return their number, with those that were sent again.
     */
    public long sent()
    {
        return sent;
    }

    /**
     * Packets that were sent again.
     *
     * @return their number.
     */
    public long repeated()
    {
        return repeated;
    }

    /**
     * Answers that said nothing new.
     *
     * @return their number.
     */
    public long ignored()
    {
        return ignored;
    }
}
