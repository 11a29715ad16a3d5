// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** A future of {@link Services#ask} has failed. */
public final class RequestFailedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Why. */
    private final RequestFailure failure;

    RequestFailedException(final String service, final RequestFailure failure)
    {
        super("a request to '" + service + "' has no answer: " + failure);
        this.failure = failure;
    }

    /**
     * Why there is no answer.
     *
     * @return the reason.
     */
    public RequestFailure failure()
    {
        return failure;
    }
}
