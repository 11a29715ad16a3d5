// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

class SessionTest
{
    private static final long TURN_NS = 1_000_000;
    private static final int ENOUGH = 3_000;

    private final List<Made> made = new ArrayList<>();
    private int turns;

    /** A taker that says its messages take so long, without taking any time. */
    private final class Made implements TurnTaker
    {
        private final double perMessageNs;
        private final int failingTurn;
        private final List<Long> asked = new ArrayList<>();
        private final Set<Integer> profiles = new HashSet<>();
        private boolean isClosed;

        Made(final double perMessageNs, final int failingTurn)
        {
            this.perMessageNs = perMessageNs;
            this.failingTurn = failingTurn;
            made.add(this);
        }

        @Override
        public void awaitReady()
        {
            // it is
        }

        @Override
        public List<Booking> turn(
            final int cell, final int parties, final long messages, final int profile, final double paceNs)
            throws TeamException
        {
            turns++;
            asked.add(messages);
            profiles.add(profile);
            if (asked.size() == failingTurn)
            {
                throw new TeamException("it died");
            }
            final long ns = (long)(perMessageNs * (cell + 1) * messages);
            final long delayNs = asked.size() % 4 == 0 ? ns / 10 : 0;
            return List.of(new Booking(ns, ns * 9 / 10, messages * 9 / 10, 0, 0, 0, Booking.UNKNOWN, "d" + cell),
                new Booking(ns, 0, 0, cell, 0, delayNs, Booking.UNKNOWN, Booking.NO_DETAIL));
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }

    private Session.Outcome run(final BooleanSupplier isStopped, final List<Session.Seat> seats) throws InterruptedException
    {
        final long hour = 3_600_000_000_000L;
        return new Session(List.of(new Session.Cell(2, false), new Session.Cell(2, true)), seats,
            new Session.Plan(1, 0, TURN_NS, hour, 0, hour, System.nanoTime(), 3, 2), (what, remainingNs) ->
            {
            }, isStopped).run();
    }

    @Test
    void shouldCompareWhatHasItsTurnsByTurns() throws InterruptedException
    {
        final Session.Outcome outcome = run(() -> turns > ENOUGH, List.of(
            new Session.Seat(0, 0, new Made(100, 0), Set.of(0, 1)), new Session.Seat(1, 0, new Made(200, 0), Set.of(0, 1)),
            new Session.Seat(0, 1, new Made(100, 0), Set.of(0, 1)), new Session.Seat(1, 1, new Made(200, 0), Set.of(0, 1))));
        assertTrue(outcome.failures().isEmpty());
        final List<Pair> times = Pair.of(outcome.turns().get(0), 0, 1);
        assertTrue(times.size() >= Verdict.MIN_PAIRS);
        times.forEach((pair) -> assertEquals(0.5, pair.ratio(), 0.01));
        Pair.of(outcome.turns().get(1), 0, 1).forEach((pair) -> assertEquals(2, pair.ratio(), 0.01));
        assertEquals(100, outcome.turns().get(0).stream().filter((turn) -> turn.contestant() == 0).findFirst().orElseThrow()
            .figure(), 1);
        assertTrue(outcome.turns().get(0).stream().anyMatch(Turn::isDisturbed));
        assertTrue(outcome.turns().get(0).stream().anyMatch((turn) -> !turn.isDisturbed()));
        assertEquals(0, outcome.wrong()[0][0]);
        assertEquals(2, outcome.wrong()[1][0], "of both teams, each counted once");
        assertEquals(new Session.Detail(0, outcome.details().get(0).contestant(), "d0"), outcome.details().get(0));
        final Made first = made.get(0);
        final List<Long> last = first.asked.subList(first.asked.size() - 50, first.asked.size());
        last.forEach((count) -> assertTrue(count >= TURN_NS / 400 && count <= TURN_NS / 50, "about what a turn needs: " + last));
        assertEquals(Set.of(0), first.profiles, "a warm-up of no time has only turns like those that count");
        for (int contestant = 0; contestant < 2; contestant++)
        {
            final List<Long> asked = made.get(contestant).asked;
            // a warm-up of no time has two rounds, each with a turn in both cells
            assertEquals(asked.get(0) + asked.get(2), outcome.warmUps()[0][contestant]);
            assertEquals(asked.get(1) + asked.get(3), outcome.warmUps()[1][contestant]);
        }
    }

    @Test
    void shouldGoOnWithoutAContestantThatFailed() throws InterruptedException
    {
        final Session.Outcome outcome = run(() -> turns > ENOUGH, List.of(
            new Session.Seat(0, 0, new Made(100, 0), Set.of(0, 1)), new Session.Seat(1, 0, new Made(200, 200), Set.of(0, 1)),
            new Session.Seat(2, 0, new Made(300, 0), Set.of(1)), new Session.Seat(1, 1, new Made(200, 0), Set.of(0, 1))));
        assertEquals(Set.of(1), outcome.failures().keySet());
        assertEquals("it died", outcome.failures().get(1));
        assertTrue(made.get(1).isClosed && made.get(3).isClosed, "both teams are ended");
        assertFalse(made.get(0).isClosed);
        assertTrue(Pair.of(outcome.turns().get(1), 0, 2).size() > ENOUGH / 10);
        assertTrue(outcome.turns().get(0).stream().noneMatch((turn) -> turn.contestant() == 2));
    }

    @Test
    void shouldWarmUpNothingThatIsStartedForEachTurn() throws InterruptedException
    {
        final long hour = 3_600_000_000_000L;
        final Session.Outcome outcome = new Session(List.of(new Session.Cell(2, false, 1e6, 0, true, 64)),
            List.of(new Session.Seat(0, 0, new Made(100, 0), Set.of(0))),
            new Session.Plan(1, 0, TURN_NS, hour, hour, hour, System.nanoTime(), 3, 2), (what, remainingNs) ->
            {
            }, () -> turns >= 5).run();
        assertEquals(5, outcome.turns().get(0).size(), "all count");
        assertEquals(5, outcome.turns().get(0).stream().map(Turn::block).distinct().count(), "each is drawn by itself");
        assertEquals(Set.of(TURN_NS / 1000), Set.copyOf(made.get(0).asked), "what is due in a turn");
        assertEquals(Set.of(0), made.get(0).profiles);
    }

    @Test
    void shouldEndWhenNothingIsLeft() throws InterruptedException
    {
        final Session.Outcome outcome = run(() -> false, List.of(new Session.Seat(0, 0, new Made(100, 150), Set.of(0, 1))));
        assertEquals(1, outcome.failures().size());
    }

    @Test
    void shouldNotCallItAFailureIfTheSessionIsStopped() throws InterruptedException
    {
        final boolean[] isStopped = new boolean[1];
        final Session.Outcome outcome = run(() -> isStopped[0], List.of(
            new Session.Seat(0, 0, new Made(100, 0), Set.of(0)), new Session.Seat(1, 0, new Stopping(isStopped), Set.of(0))));
        assertTrue(outcome.failures().isEmpty());
    }

    /** Dies of what stops the session as well, as a process does at Ctrl-C. */
    private record Stopping(boolean[] isStopped) implements TurnTaker
    {
        @Override
        public void awaitReady()
        {
            // it is
        }

        @Override
        public List<Booking> turn(
            final int cell, final int parties, final long messages, final int profile, final double paceNs)
            throws TeamException
        {
            isStopped[0] = true;
            throw new TeamException("it died");
        }

        @Override
        public void close()
        {
            // nothing
        }
    }
}
