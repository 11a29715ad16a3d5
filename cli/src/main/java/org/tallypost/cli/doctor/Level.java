// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.Locale;

/** How bad a finding is, the least first. */
public enum Level
{
    /** As it should be. */
    OK,
    /** The system does not tell: another system, or a container that hides it. */
    UNKNOWN,
    /** Works, and is worth knowing. */
    NOTE,
    /** Works slowly, or not always. */
    WARNING,
    /** Does not work. */
    FAULT;

    /**
     * The name as users see it.
     *
     * @return in small letters.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
