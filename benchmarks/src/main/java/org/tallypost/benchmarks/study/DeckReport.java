// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Locale;

import org.tallypost.benchmarks.harness.Verdict;
import org.tallypost.cli.console.TextTable;

/**
 * Times of mail boxes, and their ratios by turns, judged by bounds. Turns in which a process had no processor are left out. If
 * too few others are left all turns are shown, and the ratios are INVALID.
 */
final class DeckReport
{
    /** With fewer turns a median says nothing. On a quiet machine of shared cores a quarter of them is undisturbed. */
    static final int LEAST_TURNS = 5;
    /** Exit code if a ratio is outside of its bounds. */
    static final int OUTSIDE = 1;
    /** If they could not be judged. */
    static final int INVALID = 4;

    private static final double MOST_TRIP = 1.3;
    private static final double RETRIEVE_TOLERANCE = 0.2;
    private static final double HANDSHAKE_TOLERANCE = 0.25;

    private final DeckTurns measured;
    /** Those that count. */
    private final DeckTurns turns;
    private final String invalid;
    private final int trips;
    private final TextTable ratios = new TextTable("ratio by turns", "median", "from", "to", "bounds", "within");
    private boolean isOutside;

    DeckReport(final DeckTurns measured, final int trips)
    {
        this.measured = measured;
        this.trips = trips;
        final DeckTurns undisturbed = measured.undisturbed();
        invalid = undisturbed.count() >= LEAST_TURNS ? null : "too few turns are undisturbed: found " + undisturbed.count() +
            " of " + measured.count() + ", expected at least " + LEAST_TURNS +
            ": measure more (--turns), or wait until the machine has no other work";
        turns = invalid == null ? undisturbed : measured;
        ratio("round trip of a mail box to that of matched messages", DeckTurns.ratios(turns.deck(), turns.matched()), 0,
            MOST_TRIP);
        ratio("retrieve of 128 KiB to that of one long", DeckTurns.ratios(turns.retrievedLong(), turns.retrievedShort()),
            1 - RETRIEVE_TOLERANCE, 1 + RETRIEVE_TOLERANCE);
        ratio("retrieve of 128 KiB to one behind copies",
            DeckTurns.ratios(turns.retrievedLong(), turns.retrievedBehindCopies()), 1 - RETRIEVE_TOLERANCE,
            1 + RETRIEVE_TOLERANCE);
        ratio("handshake to two ways of a short message", turns.handshakes(), 1 - HANDSHAKE_TOLERANCE, 1 + HANDSHAKE_TOLERANCE);
    }

    private void ratio(final String name, final double[] figures, final double least, final double most)
    {
        final double[] interval = DeckTurns.interval(figures);
        final boolean isWithin = interval[0] >= least && interval[0] <= most;
        isOutside |= invalid == null && !isWithin;
        ratios.add(name, number(interval[0]), number(interval[1]), number(interval[2]), number(least) + " to " + number(most),
            invalid != null ? Verdict.INVALID.label() : isWithin ? "yes" : "NO");
    }

    static String number(final double value)
    {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    /** All turns. */
    DeckTurns measured()
    {
        return measured;
    }

    /** Why the ratios cannot be trusted, or null. */
    String invalid()
    {
        return invalid;
    }

    int exitCode()
    {
        return invalid != null ? INVALID : isOutside ? OUTSIDE : 0;
    }

    String text()
    {
        final TextTable times = new TextTable("what", "ns", "from", "to");
        time(times, "round trip, 8 bytes, matched messages", turns.matched());
        time(times, "round trip, one long, mail boxes", turns.deck());
        time(times, "round trip, one long, with a handshake each way", turns.large());
        time(times, "retrieve and clear, one long", turns.retrievedShort());
        time(times, "retrieve and clear, one long, behind copies", turns.retrievedBehindCopies());
        time(times, "retrieve and clear, 128 KiB", turns.retrievedLong());
        return String.format(Locale.ROOT, "%n%,d turns of each way, %,d of them undisturbed; a disturbed turn " +
            "lost more than 2 %% of its time to the scheduler or the host. %,d round trips of short messages in a turn: " +
            "medians with 95 %% intervals.%n", measured.count(), measured.undisturbed().count(), trips) + times + ratios +
            (invalid == null ? "" : "INVALID: " + invalid + System.lineSeparator());
    }

    private static void time(final TextTable table, final String name, final double... figures)
    {
        final double[] interval = DeckTurns.interval(figures);
        table.add(name, number(interval[0]), number(interval[1]), number(interval[2]));
    }
}
