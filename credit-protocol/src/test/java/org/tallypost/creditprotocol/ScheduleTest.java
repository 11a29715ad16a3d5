// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import org.tallypost.creditprotocol.TestNetwork.Rules;
import org.tallypost.creditprotocol.TestNetwork.Shape;

/**
 * Random schedules, which shrink: whatever the group's shape and whichever senders come and go, all invariants hold at each step,
 * and a sender that has something to send sends all of it in the end.
 */
@Tag("once")
class ScheduleTest
{
    @Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
    void shouldFinishWhateverTheSchedule(
        @ForAll("shapes") final Shape shape, @ForAll("schedules") final List<Integer> schedule, @ForAll final long seed)
    {
        final TestNetwork network = new TestNetwork(shape);
        schedule.forEach((choice) -> network.step(choice, false));
        assertEquals("", network.finish(seed));
    }

    @Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
    void shouldFinishThoughProcessesDieAndReturn(
        @ForAll("shapes") final Shape shape, @ForAll("schedules") final List<Integer> schedule, @ForAll final long seed)
    {
        final TestNetwork network = new TestNetwork(shape);
        schedule.forEach((choice) -> network.step(choice, true));
        assertEquals("", network.finish(seed));
    }

    @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
    void shouldFinishLongSchedules(@ForAll("shapes") final Shape shape, @ForAll final long seed, @ForAll final boolean deaths)
    {
        assertEquals("", runLong(shape, seed, deaths));
    }

    @Example
    void shouldStallWithPublishedRules()
    {
        int stalled = 0;
        final int runs = 100;
        for (int seed = 0; seed < runs; seed++)
        {
            stalled += runLong(new Shape(4, 2, 16, Rules.LITERAL, false, false, true), seed, false).isEmpty() ? 0 : 1;
            assertEquals("", runLong(new Shape(4, 2, 16, Rules.DYNAMIC, false, false, true), seed, false), "seed " + seed);
        }
        assertTrue(stalled > 0, "the published rules did not stall in " + runs + " schedules");
    }

    /** That the schedules reach what they are to test. */
    @Example
    void shouldReachEveryCorner()
    {
        final long[] packets = new long[6];
        final long[] direct = new long[6];
        for (int seed = 0; seed < 20; seed++)
        {
            final TestNetwork network = new TestNetwork(new Shape(4, 2, 9, Rules.DYNAMIC, false, true, true));
            assertEquals("", runLong(network, seed, true));
            network.addCounts(packets);
            final TestNetwork shared = new TestNetwork(new Shape(4, 2, 9, Rules.DYNAMIC, true, false, true));
            assertEquals("", runLong(shared, seed, true));
            shared.addCounts(direct);
        }
        for (int i = 0; i < packets.length; i++)
        {
            assertEquals(i != TestNetwork.REVOKED, packets[i] > 0, TestNetwork.describe(packets));
        }
        assertEquals(2, packets[TestNetwork.UNREAD], "unread credit packets of a pair, at most");
        assertTrue(direct[TestNetwork.REVOKED] > 0, TestNetwork.describe(direct));
    }

    private static String runLong(final Shape shape, final long seed, final boolean deaths)
    {
        return runLong(new TestNetwork(shape), seed, deaths);
    }

    private static String runLong(final TestNetwork network, final long seed, final boolean deaths)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < 4000; i++)
        {
            // work comes in waves, so that some senders rest while others take their slots
            final int choice = random.nextInt(Integer.MAX_VALUE);
            network.step((i >> 9 & 1) == 0 ? choice : choice | 15, deaths);
        }
        return network.finish(seed);
    }

    @Provide
    Arbitrary<Shape> shapes()
    {
        final Arbitrary<Rules> rules = Arbitraries.frequency(
            Tuple.of(5, Rules.DYNAMIC),
            Tuple.of(2, Rules.THESIS),
            Tuple.of(3, Rules.IDLE_FIRST),
            Tuple.of(5, Rules.LENDING),
            Tuple.of(1, Rules.STATIC));
        return Combinators.combine(
            Arbitraries.integers().between(1, 5),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(0, 20),
            rules,
            Arbitraries.of(false, true),
            Arbitraries.of(false, true),
            Arbitraries.of(false, true))
            .as((ranks, creditSlots, more, rule, direct, piggyback, runs) ->
                new Shape(ranks, creditSlots, 2 * creditSlots + more, rule, direct, piggyback && !direct, runs));
    }

    @Provide
    Arbitrary<List<Integer>> schedules()
    {
        return Arbitraries.integers().between(0, Integer.MAX_VALUE).list().ofMaxSize(400);
    }
}
