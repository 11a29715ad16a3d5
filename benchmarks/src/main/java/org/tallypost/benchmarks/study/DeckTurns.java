// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.tallypost.benchmarks.harness.Booking;

/**
 * What was measured in each turn, in nanoseconds. Figures with the same index were taken one behind the other.
 *
 * @param matched        round trip of 8 bytes by matched messages.
 * @param deck           round trip of a message with one long by mail boxes.
 * @param large          round trip of the same message with a handshake each way.
 * @param retrievedShort retrieve of a message with one long that is in the box, and its clear.
 * @param retrievedBehindCopies the same behind copies of as many bytes as the long messages have.
 * @param retrievedLong  the same for a message of 128 KiB.
 * @param lostShare      of the turn, that of the rank which lost more: {@link Booking#lostShare(int)}.
 */
public record DeckTurns(
    double[] matched, double[] deck, double[] large, double[] retrievedShort, double[] retrievedBehindCopies,
    double[] retrievedLong, double[] lostShare)
{
    private static final double SPREAD = 0.98;

    DeckTurns(final int turns)
    {
        this(new double[turns], new double[turns], new double[turns], new double[turns], new double[turns], new double[turns],
            new double[turns]);
    }

    /** What the other rank has lost, too. */
    void join(final double[] lostByOther)
    {
        Arrays.setAll(lostShare, (i) -> Math.max(lostShare[i], lostByOther[i]));
    }

    int count()
    {
        return lostShare.length;
    }

    /** Those in which both ranks had a processor: by this alone a turn counts, and never by how long it took. */
    DeckTurns undisturbed()
    {
        final int[] kept = IntStream.range(0, count()).filter((i) -> lostShare[i] <= Booking.DISTURBED_SHARE).toArray();
        return new DeckTurns(kept(matched, kept), kept(deck, kept), kept(large, kept), kept(retrievedShort, kept),
            kept(retrievedBehindCopies, kept), kept(retrievedLong, kept), kept(lostShare, kept));
    }

    private static double[] kept(final double[] figures, final int... indexes)
    {
        return Arrays.stream(indexes).mapToDouble((i) -> figures[i]).toArray();
    }

    /** Median of all, and between which of them it lies with 95 % (by their ranks). */
    static double[] interval(final double... figures)
    {
        final double[] sorted = figures.clone();
        Arrays.sort(sorted);
        final int count = sorted.length;
        final int reach = (int)Math.ceil(SPREAD * Math.sqrt(count));
        return new double[] {(sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[Math.max(0, count / 2 - reach)],
            sorted[Math.min(count - 1, (count - 1) / 2 + reach)]};
    }

    static double[] ratios(final double[] of, final double[] to)
    {
        final double[] ratios = new double[of.length];
        Arrays.setAll(ratios, (i) -> of[i] / to[i]);
        return ratios;
    }

    /** What a handshake adds to a way, against two ways of short messages. */
    double[] handshakes()
    {
        final double[] ratios = new double[deck.length];
        Arrays.setAll(ratios, (i) -> (large[i] - deck[i]) / 2 / deck[i]);
        return ratios;
    }
}
