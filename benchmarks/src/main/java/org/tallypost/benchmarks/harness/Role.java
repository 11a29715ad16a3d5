// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * What one party of a team does. All methods are called on the party's thread.
 */
public interface Role
{
    /** Opens what the party needs, before its first turn. */
    void open();

    /**
     * Whether the party takes part in turns of a cell.
     *
     * @param cell that is measured.
     * @return true if so.
     */
    boolean takesPart(int cell);

    /**
     * Waits until all parties are ready for a turn.
     *
     * @param task of the turn.
     */
    void meet(Task task);

    /**
     * Takes the turn.
     *
     * @param task of the turn.
     * @return what was measured.
     */
    Measured take(Task task);

    /**
     * What a party measured in a turn; see {@link Booking}.
     *
     * @param countedNs nanoseconds of the part that counts.
     * @param messages  in that part.
     * @param wrong     messages that were not as they were sent, since the party began.
     * @param detail    further data, or {@link Booking#NO_DETAIL}.
     */
    record Measured(long countedNs, long messages, long wrong, String detail)
    {
        /**
         * For a party that does not measure.
         *
         * @param wrong messages that were not as they were sent, since the party began.
         * @return what it measured.
         */
        public static Measured nothing(final long wrong)
        {
            return new Measured(0, 0, wrong, Booking.NO_DETAIL);
        }
    }
}
