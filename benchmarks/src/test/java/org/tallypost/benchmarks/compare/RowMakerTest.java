// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.benchmarks.compare.CompareFixture.FAST_NS;
import static org.tallypost.benchmarks.compare.CompareFixture.SLOW_NS;
import static org.tallypost.benchmarks.compare.CompareFixture.STOLEN_NS;
import static org.tallypost.benchmarks.compare.CompareFixture.probe;
import static org.tallypost.benchmarks.compare.CompareFixture.rate;
import static org.tallypost.benchmarks.compare.CompareFixture.rtt;
import static org.tallypost.benchmarks.compare.CompareFixture.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowMakerTest
{
    private static final int CORES = 2;

    /** Rounds of a transport, as a fork would have returned them; the last is repeated. */
    private static List<Row> rows(final Settings settings, final Map<TransportKind, List<ForkResult>> script)
    {
        final Map<TransportKind, Integer> next = new EnumMap<>(TransportKind.class);
        try
        {
            return new Comparison(settings, (spec) ->
            {
                final List<ForkResult> rounds = script.get(spec.transport());
                final int round = next.merge(spec.transport(), 1, Integer::sum) - 1;
                return rounds.get(Math.min(round, rounds.size() - 1));
            }, CORES, 0, (line) -> assertNotNull(line)).run();
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static Row one(final ForkResult... rounds)
    {
        return rows(
            CompareFixture.settings(Mode.RTT, TransportKind.AERON_IPC),
            Map.of(TransportKind.AERON_IPC, List.of(rounds))).get(0);
    }

    @ParameterizedTest
    @CsvSource({ "3 1 2, 1, 2, 3", "4 1 2 3, 1, 2.5, 4", "7, 7, 7, 7" })
    void shouldTakeTheMiddle(final String figures, final double min, final double median, final double max)
    {
        final double[] values = java.util.Arrays.stream(figures.split(" ")).mapToDouble(Double::parseDouble).toArray();
        assertEquals(new Spread(min, median, max), Spread.of(values));
    }

    @ParameterizedTest
    @CsvSource({ "299.9, FAST", "300, SLOW", "899.9, SLOW", "900, STOLEN" })
    void shouldClassifyTheMachine(final double roundTripNs, final MachineState state)
    {
        assertEquals(state, CompareFixture.STATES.classify(probe(roundTripNs, 0)));
        assertEquals(CompareFixture.STATES, CompareFixture.STATES.around(probe(10, 0)), "given ones stay");
    }

    @ParameterizedTest
    @CsvSource({ "50, NEAR", "60, FAST", "100, FAST", "174.9, FAST", "175, SLOW", "699.9, SLOW", "700, STOLEN" })
    void shouldClassifyAroundWhatWasSeen(final double roundTripNs, final MachineState state)
    {
        assertEquals(state, around(100).classify(probe(roundTripNs, 0)));
        // a single whim of the host changes nothing
        assertEquals(state, around(130, 110, 40, 600, 600, 600, 600, 600, 600, 100).classify(probe(roundTripNs, 0)));
        assertEquals(MachineStates.AUTO, MachineStates.AUTO.around(), "nothing was seen");
    }

    private static MachineStates around(final double... roundTripsNs)
    {
        return MachineStates.AUTO.around(
            Arrays.stream(roundTripsNs).mapToObj((roundTripNs) -> probe(roundTripNs, 0)).toArray(Probe[]::new));
    }

    /** A neighbour on the same core changes what instructions cost, not what a line costs. */
    @ParameterizedTest
    @CsvSource({"100, 40, FAST", "100, 42.4, FAST", "100, 42.5, SHARED", "100, 90, SHARED", "50, 90, NEAR", "400, 90, SLOW",
        "900, 90, STOLEN", "100, 0, FAST"})
    void shouldTellASharedCore(final double roundTripNs, final double workNs, final MachineState state)
    {
        // the parties were on the halves of one core for some time: that others are farther from each other makes them no slower
        final Probe[] seen = {
            probe(100, 0), probe(50, 60), probe(50, 60), probe(50, 60), probe(100, 40), probe(100, 60), probe(100, 39)};
        final MachineStates auto = MachineStates.AUTO.around(
            Stream.concat(Arrays.stream(seen), Collections.nCopies(8, probe(100, 40)).stream()).toArray(Probe[]::new));
        assertEquals(42.4, auto.workNs(), 1e-9, "the least alone is a whim, and what was not asked counts for nothing");
        assertEquals(state, auto.classify(probe(roundTripNs, workNs)));
        final MachineStates given = new MachineStates(57, 175, 700, 0).around(probe(1, 40));
        assertEquals(new MachineStates(57, 175, 700, 1.06 * 40), given);
        assertEquals(given, given.around(probe(1, 400)), "known ones stay");
        assertEquals(state, given.classify(probe(roundTripNs, workNs)));
    }

    private static ForkResult withWork(final double before, final double figure, final double after)
    {
        return new ForkResult(List.of(run(probe(FAST_NS, before), figure, probe(FAST_NS, after))), 0, 64, null);
    }

    @Test
    void shouldHoldRoundsWithNeighboursToEachOther()
    {
        final List<ForkResult> ours = List.of(
            withWork(50, 220, 50), withWork(40, 160, 40), withWork(50, 210, 50), withWork(60, 230, 50), withWork(40, 170, 50),
            withWork(50, 200, 50), withWork(50, 240, 50));
        final List<ForkResult> theirs = List.of(withWork(40, 240, 40), withWork(50, 270, 50), withWork(50, 270, 50),
            withWork(50, 270, 50), withWork(50, 270, 50), withWork(50, 270, 50));
        final List<Row> rows = rows(
            auto(TransportKind.AERON_IPC, TransportKind.AGRONA_MANY_TO_ONE), Map.of(
            TransportKind.AERON_IPC, ours.subList(0, 5), TransportKind.AGRONA_MANY_TO_ONE, theirs.subList(0, 5)));
        assertEquals(List.of(MachineState.SHARED, MachineState.SHARED), rows.stream().map(Row::state).toList());
        assertEquals("3 of 5 rounds kept, 5 are needed: 1 x machine fast; 1 x machine changed from fast to shared",
            rows.get(0).invalid());
        assertEquals(220, rows.get(0).figure().median());
        final Row alone = one(ours.subList(1, 7).toArray(ForkResult[]::new));
        assertEquals(MachineState.SHARED, alone.state());
    }

    /** Of two states with rounds enough that without neighbours is shown, however many rounds the other one has. */
    @Test
    void shouldPreferCoresThatNobodyElseHas()
    {
        final List<ForkResult.Run> runs = List.of(run(probe(FAST_NS, 40), 160, probe(FAST_NS, 40)),
            run(probe(FAST_NS, 50), 220, probe(FAST_NS, 50)));
        final Row row = rows(auto(TransportKind.AERON_IPC), Map.of(TransportKind.AERON_IPC, List.of(
            new ForkResult(runs, 0, 64, null)))).get(0);
        assertNull(row.invalid());
        assertEquals(MachineState.FAST, row.state());
        assertEquals(160, row.figure().median());
    }

    /** Programs that only probe lines. */
    @Test
    void shouldHoldWhatDoesNotKnowItsCoresToAnything()
    {
        final List<Row> rows = rows(
            auto(TransportKind.AERON_IPC, TransportKind.AGRONA_MANY_TO_ONE), Map.of(
            TransportKind.AERON_IPC, List.of(withWork(40, 160, 40), withWork(50, 220, 50)),
            TransportKind.AGRONA_MANY_TO_ONE, List.of(withWork(0, 300, 0))));
        assertEquals(List.of(MachineState.SHARED, MachineState.SHARED), rows.stream().map(Row::state).toList());
        assertNull(rows.get(1).invalid());
    }

    /** A machine on which a raw round trip takes 5 us is as good as any other. */
    @Test
    void shouldKeepRoundsOfAMachineAsItIs()
    {
        final Row row = rows(
            auto(TransportKind.AERON_IPC),
            Map.of(TransportKind.AERON_IPC, List.of(rtt(5_000, 6_000, 5_500), rtt(5_200, 6_200, 5_100)))).get(0);
        assertNull(row.invalid());
        assertEquals(MachineState.FAST, row.state());
        assertEquals(6_200, row.figure().median());
    }

    /** The fast ones come last: what was kept before is judged again. */
    @Test
    void shouldJudgeAllRoundsByWhatTheWholeRunHasSeen()
    {
        final Row row = rows(auto(TransportKind.AERON_IPC), Map.of(TransportKind.AERON_IPC, List.of(
            rtt(1_000, 1_500, 1_000), rtt(140, 150, 130), rtt(150, 160, 140), rtt(150, 160, 130), rtt(600, 700, 130)))).get(0);
        assertEquals("3 of 5 rounds kept, 5 are needed: 1 x machine stolen; 1 x machine changed from slow to fast",
            row.invalid());
        assertEquals(160, row.figure().median());
    }

    private static Settings auto(final TransportKind... kinds)
    {
        final Settings fixed = CompareFixture.settings(Mode.RTT, kinds);
        return new Settings(fixed.scope(), fixed.modes(), fixed.lengths(), fixed.producers(), fixed.ranks(), fixed.transports(),
            fixed.slots(), fixed.rounds(), fixed.extraRounds(), fixed.durationMs(), fixed.warmups(), fixed.attempts(),
            fixed.probeMs(), MachineStates.AUTO, fixed.flow(), fixed.aeronDriver(), fixed.exclusive(), null, fixed.timeoutMs(),
            1, NetworkTurns.MTU_LENGTH);
    }

    @Test
    void shouldKeepRoundsBetweenEqualStates()
    {
        final Row row = one(
            rtt(FAST_NS, 100, FAST_NS), rtt(FAST_NS, 140, FAST_NS), rtt(FAST_NS, 120, FAST_NS), rtt(FAST_NS, 110, FAST_NS),
            rtt(FAST_NS, 130, FAST_NS));
        assertNull(row.invalid());
        assertEquals(5, row.rounds());
        assertEquals(new Spread(100, 120, 140), row.figure());
        assertEquals(140, row.p50Ns());
        assertEquals(120 / FAST_NS, row.ratioToRaw(), 1e-9);
        assertEquals(1, row.ratioToBestPeer());
        assertEquals(MachineState.FAST, row.state());
        assertFalse(row.oversubscribed(), "Aeron's driver has turns on the consumer's thread");
    }

    @Test
    void shouldMarkTooFewRoundsAndSayWhy()
    {
        final Row row = one(
            rtt(FAST_NS, 100, FAST_NS), rtt(FAST_NS, 500, SLOW_NS), rtt(STOLEN_NS, 900, STOLEN_NS),
            rtt(FAST_NS, 120, FAST_NS), rtt(FAST_NS, 110, FAST_NS));
        assertEquals(3, row.rounds());
        assertEquals(5, row.roundsRun());
        assertEquals(new Spread(100, 110, 120), row.figure(), "only what was kept is shown");
        assertEquals("3 of 5 rounds kept, 5 are needed: 1 x machine changed from fast to slow; 1 x machine stolen",
            row.invalid());
    }

    @Test
    void shouldShowFiguresEvenIfNoRoundWasKept()
    {
        final Row row = one(rtt(STOLEN_NS, 900, STOLEN_NS));
        assertEquals(0, row.rounds());
        assertNull(row.state());
        assertEquals(900, row.figure().median());
        assertTrue(row.invalid().startsWith("0 of 5 rounds kept"), row.invalid());
        assertEquals("none of 1 figures is valid; aeron-ipc: " + row.invalid(), Row.whyNothingIsValid(List.of(row)));
    }

    @Test
    void shouldNotKeepARunWithoutItsCores()
    {
        final ForkResult.Run run = new ForkResult.Run(probe(FAST_NS, 0), probe(FAST_NS, 0), 100, 120, 200, 300, 1_000, 0.5);
        final Row row = one(new ForkResult(List.of(run), 0, 64, null));
        assertEquals("0 of 5 rounds kept, 5 are needed: 5 x core taken away during the run", row.invalid());
    }

    @Test
    void shouldTakeWhatWasKeptOfARound()
    {
        final Row row = one(new ForkResult(
            List.of(run(FAST_NS, 700, SLOW_NS), run(SLOW_NS, 600, SLOW_NS), run(SLOW_NS, 500, FAST_NS)), 0, 64, null));
        assertNull(row.invalid());
        assertNull(Row.whyNothingIsValid(List.of(row)));
        assertEquals("nothing was measured", Row.whyNothingIsValid(List.of()));
        assertEquals(600, row.figure().median());
        assertEquals(MachineState.SLOW, row.state());
    }

    @Test
    void shouldTakeTheMiddleOfWhatWasKeptOfARound()
    {
        final Row row = one(new ForkResult(
            List.of(run(FAST_NS, 300, FAST_NS), run(SLOW_NS, 900, SLOW_NS), run(FAST_NS, 100, FAST_NS),
            run(FAST_NS, 120, FAST_NS)), 0, 64, null));
        assertNull(row.invalid());
        assertEquals(new Spread(120, 120, 120), row.figure());
        assertEquals(140, row.p50Ns());
        assertEquals(3_000, row.samples().get(0).run().messages());
    }

    /** Each run is divided by the probes round it, not one median by another. */
    @Test
    void shouldDivideEachRunByItsOwnProbes()
    {
        final Row row = one(new ForkResult(
            List.of(run(200, 100, 200), run(100, 30, 100), run(250, 200, 250)), 0, 64, null));
        assertEquals(0.5, row.ratioToRaw(), 1e-9);
        assertEquals(3, row.samples().get(0).runs());
        assertEquals(100, row.figure().median());
    }

    /** A round that saw both states counts in both. */
    @Test
    void shouldTakeOfEachRoundWhatItSawOfTheStateThatAllHave()
    {
        final ForkResult both = new ForkResult(
            List.of(run(SLOW_NS, 900, SLOW_NS), run(FAST_NS, 120, FAST_NS), run(SLOW_NS, 700, SLOW_NS)), 0, 64, null);
        final List<Row> rows = rows(
            CompareFixture.settings(Mode.RTT, TransportKind.AERON_IPC, TransportKind.AGRONA_MANY_TO_ONE), Map.of(
            TransportKind.AERON_IPC, List.of(both), TransportKind.AGRONA_MANY_TO_ONE, List.of(rtt(SLOW_NS, 1_600, SLOW_NS))));
        assertNull(rows.get(0).invalid());
        assertNull(rows.get(1).invalid());
        assertEquals(MachineState.SLOW, rows.get(0).state());
        assertEquals(800, rows.get(0).figure().median());
        assertEquals(2, rows.get(1).ratioToBestPeer());
    }

    @Test
    void shouldPreferARunOfTheFastMachine()
    {
        final Row row = one(new ForkResult(List.of(run(SLOW_NS, 600, SLOW_NS), run(FAST_NS, 150, FAST_NS)), 0, 64, null));
        assertEquals(150, row.figure().median());
        assertEquals(MachineState.FAST, row.state());
    }

    @Test
    void shouldNotMixStates()
    {
        final List<ForkResult> mostlySlow = new ArrayList<>(List.of(rtt(FAST_NS, 100, FAST_NS)));
        mostlySlow.add(rtt(SLOW_NS, 900, SLOW_NS));
        final Settings settings =
            CompareFixture.settings(Mode.RTT, TransportKind.AGRONA_MANY_TO_ONE, TransportKind.TALLYPOST_MAILBOX);
        final List<Row> rows = rows(settings, Map.of(
            TransportKind.AGRONA_MANY_TO_ONE, List.of(rtt(SLOW_NS, 1_000, SLOW_NS)),
            TransportKind.TALLYPOST_MAILBOX, mostlySlow));
        assertNull(rows.get(0).invalid());
        assertEquals(900, rows.get(1).figure().median());
        assertEquals("4 of 5 rounds kept, 5 are needed: 1 x machine fast", rows.get(1).invalid());
        assertEquals(0.9, rows.get(1).ratioToBestPeer(), 1e-9);
    }

    @Test
    void shouldMarkWrongPayloadWhateverElse()
    {
        final Row row = one(new ForkResult(List.of(run(FAST_NS, 100, FAST_NS)), 2, 64, null));
        assertEquals("wrong payload: 10 messages did not arrive as they were sent", row.invalid());
        assertNull(row.ratioToBestPeer(), "it is no peer to compare with");
    }

    @Test
    void shouldMarkFailuresAndStopRepeatingThem()
    {
        final Row row = one(ForkResult.failed("timeout: no end after 100 ms"));
        assertNull(row.figure());
        assertNull(row.ratioToRaw());
        assertEquals("0 of 2 rounds kept, 5 are needed: 2 x timeout: no end after 100 ms", row.invalid());
    }

    @Test
    void shouldRepeatWhatWasNotKept()
    {
        final Settings once = CompareFixture.settings(Mode.RTT, TransportKind.AERON_IPC);
        final Settings settings = new Settings(once.scope(), once.modes(), once.lengths(), once.producers(), once.ranks(),
            once.transports(), once.slots(), once.rounds(), 9, once.durationMs(), once.warmups(), once.attempts(), once.probeMs(),
            once.states(), once.flow(), once.aeronDriver(), once.exclusive(), null, once.timeoutMs(), 1,
            NetworkTurns.MTU_LENGTH);
        final Row row = rows(settings, Map.of(TransportKind.AERON_IPC,
            List.of(rtt(FAST_NS, 1, SLOW_NS), rtt(FAST_NS, 1, SLOW_NS), rtt(FAST_NS, 100, FAST_NS)))).get(0);
        assertNull(row.invalid());
        assertEquals(5, row.rounds());
        assertEquals(7, row.roundsRun());
    }

    @Test
    void shouldCallTheFastestRateTheBestPeer()
    {
        final Settings settings = CompareFixture.settings(
            Mode.RATE, TransportKind.AGRONA_MANY_TO_ONE, TransportKind.AERON_IPC, TransportKind.TALLYPOST_ENDPOINT);
        final List<Row> rows = rows(settings, Map.of(
            TransportKind.AGRONA_MANY_TO_ONE, List.of(rate(40e6)),
            TransportKind.AERON_IPC, List.of(rate(20e6)),
            TransportKind.TALLYPOST_ENDPOINT, List.of(rate(60e6))));
        assertEquals(1, rows.get(0).ratioToBestPeer());
        assertEquals(0.5, rows.get(1).ratioToBestPeer());
        assertEquals(1.5, rows.get(2).ratioToBestPeer());
        assertNull(rows.get(0).p50Ns());
    }
}
