// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

/** A connection has ended before it was closed: the other rank is gone or refused it, or the agent of this side has ended. */
public final class ConnectionLostException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    ConnectionLostException(final String message)
    {
        super(message);
    }
}
