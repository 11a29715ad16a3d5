// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Numbers in files of the system, and in texts for people.
 */
final class Numbers
{
    private static final long KIB = 1L << 10;
    private static final int UNIT_SHIFT = 10;
    private static final String UNITS = "KMGTP";
    /** From here on without a fraction. */
    private static final int TWO_DIGITS = 10;

    private Numbers()
    {
    }

    /** A text that is one number. */
    static OptionalLong of(final Optional<String> text)
    {
        try
        {
            return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get().strip())) : OptionalLong.empty();
        }
        catch (final NumberFormatException ex)
        {
            return OptionalLong.empty();
        }
    }

    /** Bytes as people say them: 64 MiB. */
    static String bytes(final long bytes)
    {
        if (bytes < KIB)
        {
            return bytes + " bytes";
        }
        int unit = 0;
        long rest = bytes >> UNIT_SHIFT;
        while (rest >= KIB && unit < UNITS.length() - 1)
        {
            rest >>= UNIT_SHIFT;
            unit++;
        }
        final double scaled = bytes / Math.pow(KIB, unit + 1.0);
        return String.format(Locale.ROOT, scaled >= TWO_DIGITS ? "%.0f %siB" : "%.1f %siB", scaled, UNITS.charAt(unit));
    }
}
