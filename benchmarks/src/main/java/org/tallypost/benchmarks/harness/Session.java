// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Has all teams take turns, cell after cell again and again, until the time is up: first turns that warm up and find out how
 * many messages a turn needs, then turns that count. A contestant that fails takes no further turn; the others go on.
 */
public final class Session
{
    private static final int CYCLES_OF_A_BLOCK = 4;
    private static final long FIRST_MESSAGES = 64;
    private static final long MAX_MESSAGES = 1L << 32;
    private static final int GROWTH = 4;
    private static final int MIN_WARM_UP_ROUNDS = 10;
    /** The last part of the warm-up is like what counts. */
    private static final double LAST_PART = 0.7;
    private static final long STOP_GRACE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_MS = 10;

    private final List<Cell> cells;
    private final List<Seat> seats;
    private final Plan plan;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final long[][] messages;
    private final long[][] wrong;
    /** Of each cell and seat: nanoseconds of a turn for each message, all in. */
    private final double[][] turnNs;
    /** The same of the part that counts, as the party that measures sees it. */
    private final double[][] leastNs;
    private final List<List<Turn>> turns = new ArrayList<>();
    private final List<Detail> details = new ArrayList<>();
    private final Map<Integer, String> failures = new LinkedHashMap<>();
    private final long[][] wrongOf;
    /** Messages that each cell and seat had to warm up. */
    private final long[][] warmed;
    private long number;

    /**
     * What is measured.
     *
     * @param parties      that take part.
     * @param isMoreBetter true for messages a second, false for nanoseconds a message.
     * @param perSecond    messages that are due in a second; 0 for as many as it goes, or for a share.
     * @param share        of what the seat can do, 0 to 1, that is due; 0 for none.
     * @param isFresh      whether each turn has processes of its own, which are not warmed up.
     * @param least        messages of the shortest turn.
     */
    public record Cell(int parties, boolean isMoreBetter, double perSecond, double share, boolean isFresh, long least)
    {
        /**
         * One in which messages go as fast as they can.
         *
         * @param parties      that take part.
         * @param isMoreBetter true for messages a second.
         */
        public Cell(final int parties, final boolean isMoreBetter)
        {
            this(parties, isMoreBetter, 0, 0, false, FIRST_MESSAGES);
        }

        boolean isPaced()
        {
            return perSecond > 0 || share > 0;
        }
    }

    /**
     * A team that takes turns.
     *
     * @param contestant number of the contestant.
     * @param team       number of the contestant's team.
     * @param taker      that takes them.
     * @param cells      in which it takes part.
     */
    public record Seat(int contestant, int team, TurnTaker taker, Set<Integer> cells)
    {
    }

    /**
     * How it is measured.
     *
     * @param seed       of the order of turns.
     * @param subject    number of the contestant that is held against the others.
     * @param turnNs     that a turn is to last, in nanoseconds.
     * @param budgetNs   for everything, in nanoseconds.
     * @param warmUpNs   for turns that do not count, in nanoseconds.
     * @param leastNs    for turns that count, even if that is more than the budget, in nanoseconds.
     * @param startNs    when the budget began, by the clock of {@link System#nanoTime()}.
     * @param profiles   of warm-up turns, 0 for none but those that are like what counts.
     * @param cores      of the machine.
     */
    public record Plan(
        long seed, int subject, long turnNs, long budgetNs, long warmUpNs, long leastNs, long startNs, int profiles, int cores)
    {
    }

    /** Hears how far the session is. */
    public interface Progress
    {
        /**
         * Some turns were taken.
         *
         * @param what        is being done.
         * @param remainingNs until the session ends, in nanoseconds.
         */
        void on(String what, long remainingNs);
    }

    /**
     * Further data of a turn.
     *
     * @param cell       that was measured.
     * @param contestant number of the contestant.
     * @param text       that the party which measures gave.
     */
    public record Detail(int cell, int contestant, String text)
    {
    }

    /**
     * What a session found.
     *
     * @param turns    of each cell, in their order.
     * @param wrong    messages of each cell and contestant that did not arrive as they were sent.
     * @param failures why contestants take no turn any more.
     * @param details  of turns.
     * @param warmUps  messages of the warm-up, of each cell and contestant: of its team that had the fewest.
     */
    public record Outcome(
        List<List<Turn>> turns, long[][] wrong, Map<Integer, String> failures, List<Detail> details, long[][] warmUps)
    {
    }

    /**
     * A session.
     *
     * @param cells     that are measured.
     * @param seats     of all teams.
     * @param plan      how it is measured.
     * @param progress  hears how far it is.
     * @param isStopped ends the session early.
     */
    public Session(
        final List<Cell> cells,
        final List<Seat> seats,
        final Plan plan,
        final Progress progress,
        final BooleanSupplier isStopped)
    {
        this.cells = List.copyOf(cells);
        this.seats = List.copyOf(seats);
        this.plan = plan;
        this.progress = progress;
        this.isStopped = isStopped;
        messages = new long[cells.size()][seats.size()];
        turnNs = new double[cells.size()][seats.size()];
        leastNs = new double[cells.size()][seats.size()];
        final int contestants = 1 + seats.stream().mapToInt(Seat::contestant).max().orElse(-1);
        wrong = new long[cells.size()][contestants];
        wrongOf = new long[cells.size()][seats.size()];
        warmed = new long[cells.size()][seats.size()];
        for (int cell = 0; cell < cells.size(); cell++)
        {
            turns.add(new ArrayList<>());
            for (int seat = 0; seat < seats.size(); seat++)
            {
                messages[cell][seat] = cells.get(cell).least();
            }
        }
    }

    /**
     * Runs the session. What goes wrong in it is part of the outcome.
     *
     * @return what was found until the time was up or it was stopped.
     * @throws InterruptedException if this thread is interrupted.
     */
    public Outcome run() throws InterruptedException
    {
        awaitReady();
        warmUp();
        measure();
        return new Outcome(turns, wrong, failures, details, leastWarmUps());
    }

    private void awaitReady() throws InterruptedException
    {
        for (final Seat seat : seats)
        {
            if (!failures.containsKey(seat.contestant()) && !isStopped.getAsBoolean())
            {
                progress.on("start", remainingNs());
                try
                {
                    seat.taker().awaitReady();
                }
                catch (final TeamException ex)
                {
                    fail(seat, ex);
                }
            }
        }
    }

    private void warmUp() throws InterruptedException
    {
        if (cells.stream().allMatch(Cell::isFresh))
        {
            return;
        }
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        for (int round = 0; round < MIN_WARM_UP_ROUNDS || elapsedNs < plan.warmUpNs(); round++)
        {
            final boolean isLast = elapsedNs >= LAST_PART * plan.warmUpNs();
            final int profile = isLast || plan.profiles() == 0 ? 0 : 1 + round % plan.profiles();
            for (int cell = 0; cell < cells.size(); cell++)
            {
                for (int seat = 0; seat < seats.size() && !cells.get(cell).isFresh(); seat++)
                {
                    if (isDone())
                    {
                        return;
                    }
                    final long count = messages[cell][seat];
                    final List<Booking> bookings = take(cell, seat, profile, 0);
                    if (bookings != null)
                    {
                        warmed[cell][seat] += count;
                        calibrate(cell, seat, bookings.get(0), isLast);
                    }
                }
            }
            elapsedNs = System.nanoTime() - startNs;
            // on a very busy machine a few rounds have to do
            if (elapsedNs > 2 * plan.warmUpNs() && round >= 1)
            {
                break;
            }
            progress.on("warm-up", remainingNs());
        }
    }

    /** Of each cell and contestant: what its team with the least had; 0 for a contestant without a seat in the cell. */
    private long[][] leastWarmUps()
    {
        final long[][] least = new long[cells.size()][wrong.length == 0 ? 0 : wrong[0].length];
        for (int cell = 0; cell < cells.size(); cell++)
        {
            for (int contestant = 0; contestant < least[cell].length; contestant++)
            {
                final int which = contestant;
                final int place = cell;
                least[cell][contestant] = IntStream.range(0, seats.size())
                    .filter((seat) -> seats.get(seat).contestant() == which && seats.get(seat).cells().contains(place))
                    .mapToLong((seat) -> warmed[place][seat]).min().orElse(0);
            }
        }
        return least;
    }

    private long remainingNs()
    {
        return Math.max(plan.leastNs(), plan.budgetNs() - (System.nanoTime() - plan.startNs()));
    }

    private boolean isDone()
    {
        return isStopped.getAsBoolean();
    }

    /** A quarter to four times as many messages as before, so that the next turn lasts as long as it should. */
    private void calibrate(final int cell, final int seat, final Booking booking, final boolean isLast)
    {
        final long count = messages[cell][seat];
        final double elapsedNs = (double)booking.elapsedNs() / count;
        // of the last part the least disturbed turn tells best
        turnNs[cell][seat] = isLast && turnNs[cell][seat] > 0 ? Math.min(turnNs[cell][seat], elapsedNs) : elapsedNs;
        if (booking.messages() > 0)
        {
            final double countedNs = (double)booking.countedNs() / booking.messages();
            leastNs[cell][seat] = isLast && leastNs[cell][seat] > 0 ? Math.min(leastNs[cell][seat], countedNs) : countedNs;
        }
        final double wanted = plan.turnNs() / Math.max(turnNs[cell][seat], 1e-3);
        messages[cell][seat] = (long)Math.max(cells.get(cell).least(),
            Math.min(MAX_MESSAGES, Math.max(count / (double)GROWTH, Math.min(wanted, count * (double)GROWTH))));
    }

    /** Numbers of the subject's seats, or of all others. */
    private int[] seats(final boolean isSubject)
    {
        return IntStream.range(0, seats.size())
            .filter((seat) -> seats.get(seat).contestant() == plan.subject() == isSubject).toArray();
    }

    private void measure() throws InterruptedException
    {
        final TurnOrder order = new TurnOrder(plan.seed(), seats(true), seats(false));
        final long startNs = System.nanoTime();
        final long measureNs = Math.max(plan.leastNs(), plan.budgetNs() - (startNs - plan.startNs()));
        long elapsedNs = 0;
        for (int block = 0; elapsedNs < measureNs; block++)
        {
            for (int cell = 0; cell < cells.size(); cell++)
            {
                // every cell has its first block, whatever that takes
                for (int cycle = 0; cycle < CYCLES_OF_A_BLOCK && (block == 0 || elapsedNs < measureNs); cycle++)
                {
                    for (final int seat : order.next())
                    {
                        if (isDone())
                        {
                            return;
                        }
                        measure(cell, seat, block);
                    }
                    elapsedNs = System.nanoTime() - startNs;
                }
                // turns of different cells are no pairs
                number++;
                progress.on("measure", Math.max(0, measureNs - elapsedNs));
            }
            if (seats.stream().allMatch((seat) -> failures.containsKey(seat.contestant())))
            {
                return;
            }
        }
    }

    private void measure(final int cell, final int seat, final int block) throws InterruptedException
    {
        final Seat taken = seats.get(seat);
        final double paceNs = paceNs(cell, seat);
        final List<Booking> bookings = take(cell, seat, 0, paceNs);
        if (bookings == null)
        {
            return;
        }
        number++;
        final Booking first = bookings.get(0);
        if (paceNs == 0)
        {
            adapt(cell, seat, first);
        }
        if (first.messages() <= 0 || first.countedNs() <= 0)
        {
            return;
        }
        final double perMessageNs = (double)first.countedNs() / first.messages();
        final boolean isDisturbed =
            bookings.stream().anyMatch((booking) -> booking.lostShare(plan.cores()) > Booking.DISTURBED_SHARE);
        // other processes in each turn: none has anything in common with the one before
        final int drawn = cells.get(cell).isFresh() ? turns.get(cell).size() : block;
        turns.get(cell).add(new Turn(number, drawn, taken.contestant(), taken.team(),
            cells.get(cell).isMoreBetter() ? 1e9 / perMessageNs : perMessageNs, isDisturbed));
        if (!first.detail().equals(Booking.NO_DETAIL))
        {
            details.add(new Detail(cell, taken.contestant(), first.detail()));
        }
    }

    /** Compiled better, or on other cores than before: the next turn is to last as long as it should again. */
    private void adapt(final int cell, final int seat, final Booking booking)
    {
        final long count = messages[cell][seat];
        if (booking.elapsedNs() < plan.turnNs() / 2)
        {
            messages[cell][seat] = Math.min(MAX_MESSAGES, booking.elapsedNs() < plan.turnNs() / 8 ? count * 4 : count * 3 / 2);
        }
        else if (booking.elapsedNs() > 2 * plan.turnNs() && booking.lostShare(plan.cores()) <= Booking.DISTURBED_SHARE)
        {
            messages[cell][seat] = Math.max(cells.get(cell).least(), count / 2);
        }
    }

    /** Nanoseconds from one message to the next; 0 for as fast as it goes. */
    private double paceNs(final int cell, final int seat)
    {
        final Cell paced = cells.get(cell);
        return paced.perSecond() > 0 ? 1e9 / paced.perSecond() : paced.share() > 0 ? leastNs[cell][seat] / paced.share() : 0;
    }

    private long messages(final int cell, final int seat, final double paceNs)
    {
        return paceNs > 0 ? Math.max(cells.get(cell).least(), (long)(plan.turnNs() / paceNs)) : messages[cell][seat];
    }

    /** Null if the seat takes no turn in this cell, or none any more. */
    private List<Booking> take(final int cell, final int seat, final int profile, final double paceNs)
        throws InterruptedException
    {
        final Seat taken = seats.get(seat);
        if (failures.containsKey(taken.contestant()) || !taken.cells().contains(cell))
        {
            return null;
        }
        try
        {
            final List<Booking> bookings =
                taken.taker().turn(cell, cells.get(cell).parties(), messages(cell, seat, paceNs), profile, paceNs);
            // each booking has all that was wrong since the party began
            final long sum = bookings.stream().mapToLong(Booking::wrong).sum();
            wrong[cell][taken.contestant()] += sum - wrongOf[cell][seat];
            wrongOf[cell][seat] = sum;
            return bookings;
        }
        catch (final TeamException ex)
        {
            fail(taken, ex);
            return null;
        }
    }

    /** Ctrl-C ends the processes as well: then it is no failure of theirs. */
    private void fail(final Seat seat, final TeamException ex) throws InterruptedException
    {
        // the turns before and behind it were not adjacent
        number++;
        final long startNs = System.nanoTime();
        while (!isStopped.getAsBoolean() && System.nanoTime() - startNs < STOP_GRACE_NS)
        {
            Thread.sleep(PAUSE_MS);
        }
        if (!isStopped.getAsBoolean())
        {
            failures.put(seat.contestant(), ex.getMessage());
            seats.stream().filter((other) -> other.contestant() == seat.contestant())
                .forEach((other) -> other.taker().close());
        }
    }
}
