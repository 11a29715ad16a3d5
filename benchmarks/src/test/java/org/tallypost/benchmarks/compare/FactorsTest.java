// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Verdict;

class FactorsTest
{
    private static final Beside BESIDE = new Beside(1000, true);

    private static Contestant beside(final TransportKind kind)
    {
        return new Contestant(kind.label() + "-wildcard", kind, 0, null, BESIDE);
    }

    private static Settings settings(final Mode mode)
    {
        final Settings base = CompareFixture.settings(mode);
        return new Settings(base.scope(), base.modes(), base.lengths(), base.producers(), base.ranks(), base.offered(),
            base.burst(), List.of(new Contestant(TransportKind.TALLYPOST_MESSAGING), new Contestant(TransportKind.OPEN_MPI),
            beside(TransportKind.TALLYPOST_MESSAGING), beside(TransportKind.OPEN_MPI)), 0, base.slots(), base.teams(),
            base.seconds(), base.turnMs(), base.isMixed(), base.seed(), base.busy(), base.flow(), base.aeronDriver(),
            base.exclusive(), base.corrupt(), base.timeoutMs(), base.batch(), base.mtuLength());
    }

    private static Row row(final Mode mode, final String transport, final String against, final double value)
    {
        return new Row(transport, new Group(mode, 48, 1), against, against == null ? new Quartiles(value, value, value) : null,
            against == null ? null : new Ratio(value, value, value), against == null ? null : Verdict.BETTER, 30, 30, 0, 0, null,
            0, null);
    }

    private static List<Row> rows(final Mode mode, final double own, final double mpi, final double ownRatio,
        final double mpiRatio, final double mpiBesideRatio)
    {
        return List.of(row(mode, "tallypost-messaging", null, own), row(mode, "open-mpi", null, mpi),
            row(mode, "tallypost-messaging-wildcard", null, own / ownRatio), row(mode, "open-mpi-wildcard", null,
            own / mpiBesideRatio), row(mode, "tallypost-messaging", "open-mpi", mpiRatio),
            row(mode, "tallypost-messaging", "tallypost-messaging-wildcard", ownRatio),
            row(mode, "tallypost-messaging", "open-mpi-wildcard", mpiBesideRatio));
    }

    @Test
    void shouldDivideTheRatiosOfAdjacentTurns()
    {
        assertEquals(List.of(
            "round trip, 48 bytes: tallypost-messaging with 1,000 other receives and a wildcard posted beside takes 1.25 " +
            "times as long, +25 ns for a message by the medians",
            "round trip, 48 bytes: open-mpi with 1,000 other receives and a wildcard posted beside takes 5.00 times as long, " +
            "+800 ns for a message by the medians"),
            Factors.notes(rows(Mode.RTT, 200, 400, 0.8, 0.5, 0.1), settings(Mode.RTT)));
    }

    @Test
    void shouldTurnRatesRound()
    {
        assertEquals(List.of(
            "rate, 48 bytes, 1 producer: tallypost-messaging with 1,000 other receives and a wildcard posted beside takes 1.25 " +
            "times as long, +25 ns for a message by the medians",
            "rate, 48 bytes, 1 producer: open-mpi with 1,000 other receives and a wildcard posted beside takes 5.00 times as " +
            "long, +800 ns for a message by the medians"),
            Factors.notes(rows(Mode.RATE, 1e7, 5e6, 1.25, 2, 10), settings(Mode.RATE)));
    }

    @Test
    void shouldSayNothingOfWhatIsNotValid()
    {
        final Row reference = row(Mode.RTT, "tallypost-messaging", null, 200);
        assertEquals(List.of(), Factors.notes(List.of(reference), settings(Mode.RTT)));
    }
}
