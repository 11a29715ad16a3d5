// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

/**
 * The output of a program: the seconds of each round, and a word about the result.
 */
public final class Rounds
{
    private static final double NS_PER_S = 1e9;

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

    /**
     * Prints how long a round took.
     *
     * @param startNs time of its start, by {@link System#nanoTime()}.
     */
    public static void print(final long startNs)
    {
        System.out.println("seconds " + (System.nanoTime() - startNs) / NS_PER_S);
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
