// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Locale;

/**
 * Where Aeron's media driver runs.
 */
public enum AeronDriver
{
    /** In the first process of the team. */
    EMBEDDED,
    /** In a JVM of its own. */
    SEPARATE;

    /**
     * Name on the command line and in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
