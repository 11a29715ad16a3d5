// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

/**
 * What bytes of a message are, by their place and the number of the round.
 */
public final class Pattern
{
    /** Messages that are under way at a time in a stream. */
    public static final int WINDOW = 64;

    private static final int PRIME = 31;

    private Pattern()
    {
    }

    /**
     * A byte of a message.
     *
     * @param place of the byte.
     * @param round of the message.
     * @return the byte.
     */
    public static byte at(final int place, final int round)
    {
        return (byte)(place * PRIME + round + 1);
    }
}
