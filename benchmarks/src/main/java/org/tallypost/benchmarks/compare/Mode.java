// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Locale;

/**
 * What is measured.
 */
public enum Mode
{
    /** Round trip of one message between two parties, in nanoseconds. */
    RTT,
    /** Messages per second from one or several producers to one consumer. */
    RATE,
    /** One way at a fixed rate, in nanoseconds from when a message should have been sent until it is there. */
    LOAD,
    /** From the start of new processes until messages that are due at a fixed rate come on schedule for good, in nanoseconds. */
    START,
    /** Some messages at once after a pause, in nanoseconds until the last of them is there. */
    BURST,
    /** Every rank sends to every other and receives from each, in nanoseconds from the first start to the last end. */
    ALLTOALL,
    /** Round trip of one message that may be long, in nanoseconds; of what arrives a part is checked. */
    LATENCY,
    /** Bytes per second from one producer to one consumer, of messages that may be long; of what arrives a part is checked. */
    BANDWIDTH,
    /** Round trip of one message that is lent, in nanoseconds: one word is written, and two are read, whatever its length. */
    LOAN,
    /** Round trip of a word of 8 bytes in memory of one party that the other sees, in nanoseconds. */
    WORD;

    /**
     * Whether one message at a time goes there and back.
     *
     * @return true if so.
     */
    public boolean isRoundTrip()
    {
        return this == RTT || this == LATENCY || this == LOAN || this == WORD;
    }

    /**
     * Whether messages may be so long that to read all of each would take longer than to move it.
     *
     * @return true if so.
     */
    public boolean isBulk()
    {
        return this == LATENCY || this == BANDWIDTH || this == LOAN;
    }

    /**
     * How often a message has a word that is written anew for each.
     *
     * @param length of a message in bytes.
     * @return bytes from one such word to the next, 0 if all of a message is read.
     */
    int pageLength(final int length)
    {
        return this == LOAN ? length : isBulk() ? Payload.PAGE_LENGTH : 0;
    }

    /**
     * Name on the command line and in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
