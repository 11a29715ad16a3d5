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
    /** It was cancelled before it was matched. */
    CANCELLED,
    /** The other side died, its messenger or its endpoint was closed, or the link to its node broke. */
    PEER_GONE,
    /** The endpoint or the messenger of this side is closed. */
    CLOSED
}
