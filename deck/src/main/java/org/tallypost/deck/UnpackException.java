// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** An item of a message is another one than was asked for, or there is none. */
public final class UnpackException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    UnpackException(final String message)
    {
        super(message);
    }
}
