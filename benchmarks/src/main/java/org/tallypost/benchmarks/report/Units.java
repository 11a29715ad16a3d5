// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.Locale;

/**
 * Numbers for people, the same in every locale.
 */
final class Units
{
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    private static final long KIB_LIMIT = 10_000L << 10;

    private Units()
    {
    }

    /** Four digits, at most 8 characters up to 9,999 s. */
    static String time(final double ns)
    {
        if (ns < NS_PER_US)
        {
            return digits(ns) + " ns";
        }
        if (ns < NS_PER_MS)
        {
            return digits(ns / NS_PER_US) + " us";
        }
        return ns < 10 * NS_PER_S ? digits(ns / NS_PER_MS) + " ms" : digits(ns / NS_PER_S) + " s";
    }

    private static String digits(final double value)
    {
        return String.format(Locale.ROOT, value < 99.995 ? "%.2f" : value < 999.95 ? "%.1f" : "%.0f", value);
    }

    /** At most 8 characters up to 9,999 MiB. */
    static String bytes(final long bytes)
    {
        return bytes < KIB_LIMIT ? String.format(Locale.ROOT, "%d KiB", bytes >> 10) :
            String.format(Locale.ROOT, "%d MiB", bytes >> 20);
    }

    static String percent(final double fraction)
    {
        return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
    }

    static String signedPercent(final double fraction)
    {
        return String.format(Locale.ROOT, "%+.1f %%", fraction * 100);
    }

    static String count(final long count)
    {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String lower(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
