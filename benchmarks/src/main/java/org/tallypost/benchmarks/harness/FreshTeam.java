// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A team that starts new processes for each turn. The first party measures a moment, by {@link System#nanoTime()}, which
 * is one clock for all processes of a machine. The figure of the turn is the time from the start of the processes to that moment.
 * Turns are for one thread; {@link #close()} may be called by any.
 */
public final class FreshTeam implements TurnTaker
{
    private final Starter starter;
    private Team team;
    private long wrong;
    private boolean isClosed;

    /** Starts the processes of a turn. */
    @FunctionalInterface
    public interface Starter
    {
        /**
         * Starts the processes.
         *
         * @return the team, which takes one turn.
         * @throws IOException if a process cannot be started; then none is left.
         */
        Team start() throws IOException;
    }

    /**
     * A team that has no processes yet.
     *
     * @param starter of the processes.
     */
    public FreshTeam(final Starter starter)
    {
        this.starter = starter;
    }

    @Override
    public void awaitReady()
    {
        // it starts with its turn
    }

    @Override
    public List<Booking> turn(
        final int cell, final int parties, final long messages, final int profile, final double paceNs)
        throws TeamException, InterruptedException
    {
        final long startNs = System.nanoTime();
        final Team started = start();
        try
        {
            started.awaitReady();
            return since(startNs, started.turn(cell, parties, messages, profile, paceNs));
        }
        finally
        {
            started.close();
        }
    }

    private synchronized Team start() throws TeamException
    {
        if (isClosed)
        {
            throw new TeamException("the team is closed");
        }
        try
        {
            team = starter.start();
            return team;
        }
        catch (final IOException ex)
        {
            throw new TeamException("its processes cannot be started: " + ex.getMessage());
        }
    }

    /** A booking counts what was wrong since its party began, and each turn has new ones. */
    private List<Booking> since(final long startNs, final List<Booking> bookings)
    {
        wrong += bookings.stream().mapToLong(Booking::wrong).sum();
        final List<Booking> all = new ArrayList<>();
        for (final Booking each : bookings)
        {
            final boolean isFirst = all.isEmpty();
            all.add(new Booking(each.elapsedNs(), isFirst ? each.countedNs() - startNs : 0, isFirst ? each.messages() : 0,
                isFirst ? wrong : 0, each.switches(), each.runDelayNs(), each.stealNs(), each.detail()));
        }
        return all;
    }

    @Override
    public void close()
    {
        final Team last;
        synchronized (this)
        {
            isClosed = true;
            last = team;
        }
        if (last != null)
        {
            last.close();
        }
    }
}
