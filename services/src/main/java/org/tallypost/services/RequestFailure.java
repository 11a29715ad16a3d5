// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** Why a request has no answer. */
public enum RequestFailure
{
    /** The time was over. The server may have done what was asked; an answer that comes later is dropped. */
    TIMED_OUT,
    /** The server's rank was closed, has died, or the link to its node broke. It may have done what was asked. */
    SERVER_GONE,
    /** The rank does not serve this name any more. */
    NO_SERVICE,
    /** The server has thrown. */
    FAILED,
    /** The server has given no answer, and has not kept the request. */
    NO_ANSWER,
    /** These services were closed. */
    CLOSED;

    private static final RequestFailure[] ALL = values();

    /** By its place; {@link #FAILED} for what another process has sent and is no place. */
    static RequestFailure of(final int code)
    {
        return code >= 0 && code < ALL.length ? ALL[code] : FAILED;
    }
}
