// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * A team cannot take a turn any more. The message says which one, what it did, and what was expected.
 */
public final class TeamException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * A failure of a team.
     *
     * @param message what happened.
     */
    public TeamException(final String message)
    {
        super(message);
    }
}
