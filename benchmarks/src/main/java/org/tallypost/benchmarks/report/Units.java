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

    private Units()
    {
    }

    static String time(final double ns)
    {
        if (ns < NS_PER_US)
        {
            return String.format(Locale.ROOT, "%.1f ns", ns);
        }
        if (ns < NS_PER_MS)
        {
            return String.format(Locale.ROOT, "%.2f us", ns / NS_PER_US);
        }
        return ns < 10 * NS_PER_S ?
            String.format(Locale.ROOT, "%.2f ms", ns / NS_PER_MS) : String.format(Locale.ROOT, "%.2f s", ns / NS_PER_S);
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
