// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/** Why a request got no answer. */
public enum RequestFailure
{
    /** The receiver has no handler of that number for messages of that kind. */
    UNKNOWN_HANDLER,
    /** The receiver's handler has thrown; the receiver's error handler was told what. */
    HANDLER_FAILED,
    /** The receiver has a smaller window: all ranks need the same {@link ActiveMessagesContext#window(int)}. */
    WINDOW,
    /** A store went to a segment that the receiver does not have, or beyond its end. */
    NO_SEGMENT,
    /** The receiver was closed, has died, or the link to its node broke. It may have run the handler. */
    PEER_GONE,
    /** The active messages of this rank were closed before the answer came. */
    CLOSED;

    private static final RequestFailure[] ALL = values();

    /** By its place in the list; {@link #HANDLER_FAILED} if there is no such place, as another process has sent it. */
    static RequestFailure of(final int code)
    {
        return code >= 0 && code < ALL.length ? ALL[code] : HANDLER_FAILED;
    }
}
