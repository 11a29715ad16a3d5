// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

/** A stream between ranks has ended before it was complete: its publisher has failed, or the other rank is gone. */
public final class StreamFailedException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    StreamFailedException(final String message)
    {
        super(message);
    }
}
