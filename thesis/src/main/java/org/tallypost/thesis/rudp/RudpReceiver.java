// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.rudp;

import java.util.BitSet;

/**
 * A receiver of one broadcast: it knows which packets have come, and answers with a bitmap of those that are missing. It
 * has no clock and no socket, and trusts no packet: one with a wrong place or length is refused and counted. One thread.
 */
public final class RudpReceiver
{
    private final RudpSettings settings;
    private final int length;
    private final Answers answers;
    private final BitSet arrived = new BitSet();
    private int burst;
    private long lastNs;
    private long again;
    private long refused;

    /** Takes what a receiver has to say to the sender. */
    @FunctionalInterface
    public interface Answers
    {
        /**
         * The receiver answers.
         *
         * @param burst   that it is about.
         * @param round   that was asked for; -1 if nothing was.
         * @param missing packets of the burst, from 0; belongs to the callee.
         */
        void answer(int burst, int round, BitSet missing);
    }

    /**
     * A receiver that has nothing yet.
     *
     * @param settings that the sender has imposed.
     * @param length   of the data.
     * @param nowNs    the time.
     * @param answers  to the sender.
     */
    public RudpReceiver(final RudpSettings settings, final int length, final long nowNs, final Answers answers)
    {
        this.settings = settings;
        this.length = length;
        this.answers = answers;
        lastNs = nowNs;
    }

    /**
     * A packet has come.
     *
     * @param sequence     of it.
     * @param packetLength bytes of data in it.
     * @param nowNs        the time.
     * @return whether its data are new and have to be kept: at the sequence's multiple of the packets' length.
     */
    public boolean onPacket(final int sequence, final int packetLength, final long nowNs)
    {
        if (sequence < 0 || sequence >= settings.packets(length) || packetLength != settings.lengthOf(length, sequence))
        {
            refused++;
            return false;
        }
        lastNs = nowNs;
        if (arrived.get(sequence))
        {
            again++;
            return false;
        }
        arrived.set(sequence);
        return true;
    }

    /**
     * To be called behind {@link #onPacket}, when the data are kept: with {@link Asking#TIMER} the receiver answers when a burst
     * is complete.
     */
    public void onKept()
    {
        if (settings.asking() == Asking.TIMER)
        {
            while (burst < settings.bursts(length) && missing(burst).isEmpty())
            {
                answers.answer(burst, -1, new BitSet());
                burst++;
            }
        }
    }

    /**
     * The sender asks.
     *
     * @param itsBurst that it asks for.
     * @param itsRound of the burst.
     */
    public void onAsk(final int itsBurst, final int itsRound)
    {
        if (itsBurst < 0 || itsBurst >= settings.bursts(length) || settings.asking() != Asking.LAST)
        {
            refused++;
            return;
        }
        final BitSet missing = missing(itsBurst);
        if (missing.isEmpty())
        {
            burst = Math.max(burst, itsBurst + 1);
        }
        answers.answer(itsBurst, itsRound, missing);
    }

    /**
     * With {@link Asking#TIMER}, answers if no packet has come for a while.
     *
     * @param nowNs the time.
     */
    public void onTime(final long nowNs)
    {
        if (settings.asking() == Asking.TIMER && !isDone() && nowNs - lastNs >= settings.quietNs())
        {
            lastNs = nowNs;
            answers.answer(burst, -1, missing(burst));
        }
    }

    private BitSet missing(final int which)
    {
        final int first = settings.first(length, which);
        final BitSet missing = arrived.get(first, settings.first(length, which + 1));
        missing.flip(0, settings.first(length, which + 1) - first);
        return missing;
    }

    /**
     * Whether it has everything, and has said so.
     *
     * @return whether it is done.
     */
    public boolean isDone()
    {
        return burst >= settings.bursts(length);
    }

    /**
     * Packets that came more than once.
     *
     * @return how often they came again.
     */
    public long again()
    {
        return again;
    }

    /**
     * Packets and questions that cannot be.
     *
     * @return their number.
     */
    public long refused()
    {
        return refused;
    }
}
