// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * What one party books for one turn. What the machine does not tell is {@link #UNKNOWN}.
 *
 * @param elapsedNs  nanoseconds from the common start of the turn to this party's end.
 * @param countedNs  nanoseconds of the part of the turn that counts; 0 for a party that does not measure.
 * @param messages   in the part that counts; 0 for a party that does not measure.
 * @param wrong      messages that did not arrive as they were sent, since the party began.
 * @param switches   involuntary context switches of the party's thread in the turn.
 * @param runDelayNs nanoseconds in which the party's thread could run and had no core.
 * @param stealNs    nanoseconds that the machine's host took from all cores together, in steps of a clock tick.
 * @param detail     further data of the mode, without blanks; {@value #NO_DETAIL} for none.
 */
public record Booking(
    long elapsedNs, long countedNs, long messages, long wrong, long switches, long runDelayNs, long stealNs, String detail)
{
    /** A number that the machine does not tell. */
    public static final long UNKNOWN = -1;
    /** No further data. */
    public static final String NO_DETAIL = "-";
    /** A turn that lost more of its time than this is disturbed. */
    public static final double DISTURBED_SHARE = 0.02;

    private static final String WORD = "BOOKED";
    private static final int NUMBERS = 7;

    /**
     * The booking as the line that a party answers.
     *
     * @return the line, without its end.
     */
    public String toLine()
    {
        return WORD + " " + elapsedNs + " " + countedNs + " " + messages + " " + wrong + " " + switches + " " + runDelayNs + " " +
            stealNs + " " + detail;
    }

    /**
     * Reads the line of a party.
     *
     * @param line as made by {@link #toLine()}.
     * @return the booking.
     * @throws IllegalArgumentException that names what was found, if it is anything else.
     */
    public static Booking parse(final String line)
    {
        final String[] fields = line.split(" ");
        try
        {
            if (fields.length == NUMBERS + 2 && fields[0].equals(WORD))
            {
                final long[] numbers = new long[NUMBERS];
                for (int i = 0; i < NUMBERS; i++)
                {
                    numbers[i] = Long.parseLong(fields[i + 1]);
                    if (numbers[i] < UNKNOWN)
                    {
                        throw new NumberFormatException();
                    }
                }
                return new Booking(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6],
                    fields[NUMBERS + 1]);
            }
        }
        catch (final NumberFormatException ignore)
        {
            // the message below names the line
        }
        throw new IllegalArgumentException("found '" + line + "', expected " + WORD + ", " + NUMBERS + " numbers and a detail");
    }

    /**
     * Share of the turn in which the party's thread wanted to run and could not, because the scheduler or the host gave its core
     * to others.
     *
     * @param cores of the machine, among which steal is divided.
     * @return 0 or more; what is unknown counts as nothing.
     */
    public double lostShare(final int cores)
    {
        if (elapsedNs <= 0)
        {
            return 0;
        }
        return (Math.max(0, runDelayNs) + Math.max(0, stealNs) / (double)cores) / elapsedNs;
    }
}
