// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * Figures that stand side by side: a cell of the comparison.
 *
 * @param mode      that is measured.
 * @param length    of a message in bytes.
 * @param producers that send at once; the ranks of an alltoall.
 * @param offered   messages that are due in a second, for load also a share of what the transport can do, as 50%; the messages
 *                  of a burst; null for other modes.
 */
record Group(Mode mode, int length, int producers, String offered)
{
    private static final String OWN = "%";
    private static final double PER_CENT = 100;
    private static final long LEAST_MESSAGES = 64;
    private static final long LEAST_LONG = 8;
    private static final long LEAST_BYTES = 1 << 24;

    Group(final Mode mode, final int length, final int producers)
    {
        this(mode, length, producers, null);
    }

    String title()
    {
        return (mode == Mode.RTT ? "round trip" : mode.label()) + ", " + length + " bytes" + switch (mode)
        {
            case RTT, BANDWIDTH, WORD -> "";
            case LATENCY -> ", there and back";
            case LOAN -> " or as told, there and back, one word of each written and two read";
            case LOAD -> isShare() ? ", at " + offered + " of what each can do" : ", " + offered + " a second";
            case START -> ", " + offered + " a second, from the start of the processes until they come on schedule";
            case BURST -> ", " + offered + " at once";
            case RATE -> ", " + producers + (producers == 1 ? " producer" : " producers");
            case ALLTOALL -> ", " + producers + " ranks in as many processes";
        };
    }

    private boolean isShare()
    {
        return offered.endsWith(OWN);
    }

    /** Messages that are due in a second; 0 for others than load and start, or for a share. */
    double perSecond()
    {
        return mode != Mode.START && (mode != Mode.LOAD || isShare()) ? 0 : Double.parseDouble(offered);
    }

    /** Share of what the transport can do that is due, 0 to 1; 0 for others. */
    double share()
    {
        return mode != Mode.LOAD || !isShare() ? 0 : Double.parseDouble(offered.replace(OWN, "")) / PER_CENT;
    }

    /** Messages of a burst; 1 for others. */
    int burst()
    {
        return mode == Mode.BURST ? Integer.parseInt(offered) : 1;
    }

    /** Whether its rows have percentiles. */
    boolean hasTimes()
    {
        return mode == Mode.LOAD || mode == Mode.BURST || mode == Mode.ALLTOALL;
    }

    boolean isMoreBetter()
    {
        return mode == Mode.RATE || mode == Mode.BANDWIDTH;
    }

    /** What a message a second, or a nanosecond for a message, counts in the figures: for bandwidth its bytes. */
    double unit()
    {
        return mode == Mode.BANDWIDTH ? length : 1;
    }

    /** Messages of the shortest turn: long ones take long enough. */
    long leastMessages()
    {
        return mode.isBulk() ? Math.max(LEAST_LONG, Math.min(LEAST_MESSAGES, LEAST_BYTES / length)) : LEAST_MESSAGES;
    }

    int parties()
    {
        return mode == Mode.ALLTOALL ? producers : 1 + producers;
    }
}
