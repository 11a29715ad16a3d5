// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

/** A tool that an option needs is not on the PATH. */
final class UnavailableToolException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    UnavailableToolException(final String message)
    {
        super(message);
    }
}
