// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

/**
 * What one check found.
 *
 * @param check    its name.
 * @param level    how bad that is.
 * @param found    in words.
 * @param expected in words; empty if there is nothing to compare with.
 * @param change   the one thing to change; empty if nothing.
 */
public record Finding(String check, Level level, String found, String expected, String change)
{
    /**
     * As it should be.
     *
     * @param check its name.
     * @param found in words.
     * @return the finding.
     */
    static Finding ok(final String check, final String found)
    {
        return new Finding(check, Level.OK, found, "", "");
    }

    /**
     * The system does not tell.
     *
     * @param check its name.
     * @param what  could not be read.
     * @return the finding.
     */
    static Finding unknown(final String check, final String what)
    {
        return new Finding(check, Level.UNKNOWN, "cannot be read: " + what, "", "");
    }
}
