// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * How a request has ended.
 */
public enum RequestResult
{
    /** It has not ended, or was never started. */
    NONE,
    /** A receive has all bytes of its message; the buffer of a send may be used again. */
    SUCCESS,
    /** The message was longer than the buffer: the buffer has its first bytes, and nothing beyond was written. */
    TRUNCATED,
    /** It was cancelled before it was matched; or, of a send, its receive has {@link #FAILED} before. */
    CANCELLED,
    /** The other side died, its messenger or its endpoint was closed, or the link to its node broke. */
    PEER_GONE,
    /** The endpoint or the messenger of this side is closed. */
    CLOSED,
    /**
     * The work for it threw an exception, as when its buffer has become shorter; or the other side cannot send the rest of the
     * message for such a reason. What the buffer of a receive holds is undefined. The exception has gone to the caller of
     * {@link Messenger#doWork()}, or of what started the request, or to the node's error handler. Other requests go on.
     */
    FAILED
}
