// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Locale;

/**
 * Which parties send during a run.
 */
public enum Phase
{
    /** All, as fast as there is room. */
    RATE,
    /** The quiet sender alone. */
    ALONE,
    /** The quiet sender, and another as fast as there is room. */
    FLOOD;

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
