// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.Locale;

/**
 * What counts of a repetition that all ranks take part in.
 */
enum ImbMethod
{
    /** The mean over ranks, of each rank's mean over repetitions. */
    IMB(ImbCall.MAX_REPETITIONS),
    /**
     * As the thesis on ECCLib measures (5.3.1 to 5.3.3): ranks come together outside of the time, and of each repetition the
     * longest time of all members counts, for barrier the mean of all, for gather and reduce that of the root.
     */
    THESIS(16);

    private final int repetitions;

    ImbMethod(final int repetitions)
    {
        this.repetitions = repetitions;
    }

    /** The usual number of them, at most. */
    int repetitions()
    {
        return repetitions;
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the thesis measures such a thing. */
    boolean has(final ImbCall call)
    {
        return this == IMB || call == ImbCall.PINGPONG || !call.isTransfer() && !call.isRaw();
    }

    /**
     * Sums up the times of a turn.
     *
     * @param call  that was measured.
     * @param ranks of all.
     * @param count of times of each rank: one for all repetitions, or one for each.
     * @param times in nanoseconds, of rank 0 first.
     * @return what they come to.
     */
    Sum sum(final ImbCall call, final int ranks, final int count, final long[] times)
    {
        final int active = call.active(ranks);
        final boolean isMean = this == IMB || call == ImbCall.BARRIER || call.isTransfer();
        final boolean isAtRoot = call == ImbCall.GATHER || call == ImbCall.GATHERV || call == ImbCall.REDUCE;
        final long[] sums = new long[active];
        long figure = 0;
        for (int i = 0; i < count; i++)
        {
            long all = 0;
            long longest = 0;
            for (int rank = 0; rank < active; rank++)
            {
                final long time = times[rank * count + i];
                sums[rank] += time;
                all += time;
                longest = Math.max(longest, time);
            }
            figure += isMean ? all / active : isAtRoot ? times[i] : longest;
        }
        long least = Long.MAX_VALUE;
        long most = 0;
        for (final long sum : sums)
        {
            least = Math.min(least, sum);
            most = Math.max(most, sum);
        }
        return new Sum(figure, least, most);
    }

    /**
     * Nanoseconds of all repetitions together.
     *
     * @param figure what counts.
     * @param least  of the rank that took least.
     * @param most   of the rank that took longest.
     */
    record Sum(long figure, long least, long most)
    {
        private static final String SEPARATOR = ",";

        /** Least and most as the detail of a booking. */
        String detail()
        {
            return least + SEPARATOR + most;
        }

        /** Reads a detail: least and most. */
        static long[] parse(final String detail)
        {
            final String[] fields = detail.split(SEPARATOR);
            if (fields.length != 2)
            {
                throw new IllegalArgumentException("found the detail '" + detail + "', expected two times");
            }
            return new long[] { Long.parseLong(fields[0]), Long.parseLong(fields[1]) };
        }
    }
}
