// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

/**
 * Checks of what a program has set. The message names the option, found and expected.
 */
public final class Checks
{
    private Checks()
    {
    }

    /**
     * An option must have a value.
     *
     * @param what  name of the option.
     * @param found its value.
     * @throws IllegalArgumentException if it is null.
     */
    public static void isSet(final String what, final Object found)
    {
        if (found == null)
        {
            throw new IllegalArgumentException(what + " is not set: found=null");
        }
    }

    /**
     * A number must lie in a range.
     *
     * @param what  name of the option.
     * @param found its value.
     * @param least smallest valid value.
     * @param most  largest valid value.
     * @throws IllegalArgumentException if it does not.
     */
    public static void range(final String what, final long found, final long least, final long most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /**
     * A number of an option that may be left at 0 must lie in a range. Not called for 0.
     *
     * @param what  name of the option.
     * @param found its value.
     * @param least smallest valid value beside 0.
     * @param most  largest valid value.
     * @param zero  what 0 stands for.
     * @throws IllegalArgumentException if it does not.
     */
    public static void rangeBesideZero(
        final String what, final long found, final long least, final long most, final String zero)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most +
                ", or 0 for " + zero);
        }
    }

    /**
     * A number must not be too small.
     *
     * @param what  name of the option.
     * @param found its value.
     * @param least smallest valid value.
     * @throws IllegalArgumentException if it is smaller.
     */
    public static void atLeast(final String what, final long found, final long least)
    {
        if (found < least)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected at least " + least);
        }
    }

    /**
     * A receiver must be one of the ranks.
     *
     * @param dest  rank of the receiver.
     * @param ranks number of ranks.
     * @throws IllegalArgumentException if it is not.
     */
    public static void rank(final int dest, final int ranks)
    {
        if (dest < 0 || dest >= ranks)
        {
            throw new IllegalArgumentException(
                "rank of the receiver is out of range: found=" + dest + ", expected=0 to " + (ranks - 1));
        }
    }
}
