// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

/**
 * The end of a simulated process: unwinds what it was doing. Its own handlers run, but whatever they want to store is refused by
 * the next throw of the same.
 */
final class Crash extends Error
{
    private static final long serialVersionUID = 1L;

    Crash(final String process)
    {
        super(process, null, false, false);
    }
}
