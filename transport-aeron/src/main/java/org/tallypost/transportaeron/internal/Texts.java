// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal;

/**
 * Reads numbers that people and launchers write.
 */
public final class Texts
{
    private static final int MAX_DIGITS = 9;

    private Texts()
    {
    }

    /** A number from 0 to 999,999,999. */
    public static int number(final String what, final String text)
    {
        final String digits = text.strip();
        if (digits.isEmpty() || digits.length() > MAX_DIGITS || !digits.chars().allMatch((c) -> c >= '0' && c <= '9'))
        {
            throw new IllegalArgumentException(what + " is no number: found=\"" + text + "\", expected=0 to 999999999");
        }
        return Integer.parseInt(digits);
    }
}
