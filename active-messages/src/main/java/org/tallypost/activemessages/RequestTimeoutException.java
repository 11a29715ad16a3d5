// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/** A call has waited for another rank as long as {@link ActiveMessagesContext#timeoutNs(long)} allows. */
public final class RequestTimeoutException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RequestTimeoutException(final String message)
    {
        super(message);
    }
}
