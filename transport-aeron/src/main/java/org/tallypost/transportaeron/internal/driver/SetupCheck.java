// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import java.util.HashSet;
import java.util.Set;
import org.agrona.ErrorHandler;
import org.tallypost.mailbox.files.Notice;

/**
 * Looks at what begins a stream to an embedded media driver. It is a packet of 40 bytes from anywhere, and the driver reserves
 * three terms for it, as long as the packet says: longer ones than the other node has are not taken. For the driver's thread.
 */
final class SetupCheck
{
    private final AeronSettings settings;
    private final ErrorHandler onError;
    private final Set<Integer> told = new HashSet<>();
    private long refusedCount;

    SetupCheck(final AeronSettings settings, final ErrorHandler onError)
    {
        this.settings = settings;
        this.onError = onError;
    }

    /** Whether a stream with such terms may begin; told once for each node if not. */
    boolean isTaken(final int stream, final int termLength)
    {
        final int expected = settings.incomingTermLength(stream);
        if (expected == 0 || termLength <= expected)
        {
            // a stream of no node has no subscription, and the driver reserves nothing for it
            return true;
        }
        refusedCount++;
        if (told.add(stream))
        {
            onError.onError(new Notice("a stream with too long terms was refused", "stream=" + stream +
                ", found termLength=" + termLength + ", expected at most " + expected + "; it comes from a stranger, or " +
                "another node has another termLength: give all nodes the same"));
        }
        return false;
    }

    /** How many packets were refused. */
    long refusedCount()
    {
        return refusedCount;
    }
}
