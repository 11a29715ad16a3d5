// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

import java.util.concurrent.locks.LockSupport;

/**
 * The output of a program: the seconds of each round, and a word about the result.
 */
public final class Rounds
{
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;
    private static final long PAUSE_NS = 5_000_000;

    private Rounds()
    {
    }

    /**
     * A number among a program's arguments.
     *
     * @param arguments of the program.
     * @param place     of the number.
     * @param usual     number if there are fewer arguments.
     * @return the number, at least 1.
     * @throws IllegalArgumentException if it is no such number.
     */
    public static int argument(final String[] arguments, final int place, final int usual)
    {
        final int number = arguments.length > place ? Integer.parseInt(arguments[place]) : usual;
        if (number < 1)
        {
            throw new IllegalArgumentException("argument " + (place + 1) + ": found=" + number + ", expected=at least 1");
        }
        return number;
    }

    /** Leaves the core to others for some milliseconds, as to the threads that compile. */
    public static void pause()
    {
        LockSupport.parkNanos(PAUSE_NS);
    }

    /**
     * Whether a time is over.
     *
     * @param startNs      time of its start, by {@link System#nanoTime()}.
     * @param milliseconds for which it lasts.
     * @return true if so.
     */
    public static boolean isOver(final long startNs, final int milliseconds)
    {
        return (System.nanoTime() - startNs) / NS_PER_MS >= milliseconds;
    }

    /**
     * The time since a start.
     *
     * @param startNs time of the start, by {@link System#nanoTime()}.
     * @return the time in seconds.
     */
    public static double seconds(final long startNs)
    {
        return (System.nanoTime() - startNs) / NS_PER_S;
    }

    /**
     * Prints how long a round took.
     *
     * @param startNs time of its start, by {@link System#nanoTime()}.
     */
    public static void print(final long startNs)
    {
        print(seconds(startNs));
    }

    /**
     * Prints how long a round took.
     *
     * @param seconds that it took.
     */
    public static void print(final double seconds)
    {
        System.out.println("seconds " + seconds);
    }

    /**
     * Prints whether the result is that of one process.
     *
     * @param name   of the program.
     * @param isGood whether it is.
     */
    public static void finish(final String name, final boolean isGood)
    {
        System.out.println(name + (isGood ? ": right" : ": WRONG, the result is not that of one process"));
    }
}
