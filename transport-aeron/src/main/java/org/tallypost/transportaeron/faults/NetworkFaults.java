// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.faults;

import java.util.concurrent.atomic.LongAdder;

/**
 * A bad network to order, for tests and benchmarks: datagrams that arrive at an embedded media driver are lost, duplicated,
 * put behind others, or held back, at random but the same for the same seed and the same datagrams. Aeron repairs all of
 * it; the counts prove that there was something to repair. Counts may be read by any thread.
 */
public final class NetworkFaults
{
    private final long seed;
    private double lossRate;
    private double duplicateRate;
    private double reorderRate;
    private double delayRate;
    private long delayNs = 1_000_000;
    private final LongAdder passed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder duplicated = new LongAdder();
    private final LongAdder reordered = new LongAdder();
    private final LongAdder delayed = new LongAdder();
    private final LongAdder controlLost = new LongAdder();

    /**
     * A network without faults.
     *
     * @param seed of the random numbers.
     */
    public NetworkFaults(final long seed)
    {
        this.seed = seed;
    }

    /**
     * Share of the datagrams that are lost: of data, of what begins a stream, and of the receivers' answers.
     *
     * @param rate from 0 to 1.
     * @return this.
     */
    public NetworkFaults loss(final double rate)
    {
        lossRate = checked("loss", rate);
        return this;
    }

    /**
     * Share of the datagrams that arrive twice.
     *
     * @param rate from 0 to 1.
     * @return this.
     */
    public NetworkFaults duplicates(final double rate)
    {
        duplicateRate = checked("duplicates", rate);
        return this;
    }

    /**
     * Share of the datagrams that arrive behind up to four that were sent later.
     *
     * @param rate from 0 to 1.
     * @return this.
     */
    public NetworkFaults reordering(final double rate)
    {
        reorderRate = checked("reordering", rate);
        return this;
    }

    /**
     * Share of the datagrams that are held back, and for how long at least: they go on with the next that arrives then.
     *
     * @param rate from 0 to 1.
     * @param ns   time in nanoseconds.
     * @return this.
     */
    public NetworkFaults delay(final double rate, final long ns)
    {
        delayRate = checked("delay", rate);
        if (ns < 0)
        {
            throw new IllegalArgumentException("delay is negative: found=" + ns + " ns");
        }
        delayNs = ns;
        return this;
    }

    private static double checked(final String what, final double rate)
    {
        if (!(rate >= 0 && rate <= 1))
        {
            throw new IllegalArgumentException("rate of " + what + " out of range: found=" + rate + ", expected=0 to 1");
        }
        return rate;
    }

    /** What is done to a datagram. */
    public enum Fate
    {
        /** It arrives. */
        PASS,
        /** It does not arrive. */
        LOSE,
        /** It arrives twice. */
        DUPLICATE,
        /** It arrives behind later ones. */
        REORDER,
        /** It arrives later. */
        DELAY
    }

    /**
     * What is done to a datagram of data.
     *
     * @param random from 0 to 1.
     * @return its fate; the caller does it and counts it.
     */
    public Fate fate(final double random)
    {
        double limit = lossRate;
        if (random < limit)
        {
            return Fate.LOSE;
        }
        limit += duplicateRate;
        if (random < limit)
        {
            return Fate.DUPLICATE;
        }
        limit += reorderRate;
        if (random < limit)
        {
            return Fate.REORDER;
        }
        return random < limit + delayRate ? Fate.DELAY : Fate.PASS;
    }

    /**
     * Counts what was done.
     *
     * @param fate of a datagram.
     */
    public void count(final Fate fate)
    {
        switch (fate)
        {
            case LOSE:
                lost.increment();
                break;
            case DUPLICATE:
                duplicated.increment();
                break;
            case REORDER:
                reordered.increment();
                break;
            case DELAY:
                delayed.increment();
                break;
            default:
                passed.increment();
                break;
        }
    }

    /**
     * Whether an answer of a receiver is lost, which is counted here.
     *
     * @param random from 0 to 1.
     * @return true if it is lost.
     */
    public boolean losesControl(final double random)
    {
        if (random < lossRate)
        {
            controlLost.increment();
            return true;
        }
        return false;
    }

    /**
     * For how long a datagram is held back at least.
     *
     * @return nanoseconds.
     */
    public long delayNs()
    {
        return delayNs;
    }

    /**
     * Seed of the random numbers.
     *
     * @return the seed.
     */
    public long seed()
    {
        return seed;
    }

    /**
     * Datagrams that nothing was done to.
     *
     * @return their number.
     */
    public long passed()
    {
        return passed.sum();
    }

    /**
     * Datagrams of data that were lost.
     *
     * @return their number.
     */
    public long lost()
    {
        return lost.sum();
    }

    /**
     * Datagrams that arrived twice.
     *
     * @return their number.
     */
    public long duplicated()
    {
        return duplicated.sum();
    }

    /**
     * Datagrams that arrived behind later ones.
     *
     * @return their number.
     */
    public long reordered()
    {
        return reordered.sum();
    }

    /**
     * Datagrams that were held back.
     *
     * @return their number.
     */
    public long delayed()
    {
        return delayed.sum();
    }

    /**
     * Answers of receivers that were lost.
     *
     * @return their number.
     */
    public long controlLost()
    {
        return controlLost.sum();
    }

    @Override
    public String toString()
    {
        return "seed=" + seed + ", passed=" + passed() + ", lost=" + lost() + ", duplicated=" + duplicated() + ", reordered=" +
            reordered() + ", delayed=" + delayed() + ", controlLost=" + controlLost();
    }
}
