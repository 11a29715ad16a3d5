// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Where a request is.
 */
public enum RequestState
{
    /** It was never started, or prepared after it was done. */
    IDLE,
    /** A send that waits for credits, for its receiver, or behind another send to the same rank. */
    QUEUED,
    /** A send that the receiver knows of, and that waits until it is matched. */
    ANNOUNCED,
    /** A receive that waits for a message. */
    POSTED,
    /** A receive that is matched; the sender has to hear of it. */
    ANSWERING,
    /** The bytes are under way. */
    MOVING,
    /** It has ended; {@link Request#result()} says how. */
    DONE
}
