// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.credit;

/**
 * The senders that a receiver counts. For the polling thread.
 */
public interface Members
{
    /** Whether a source is counted as a sender now. */
    boolean isJoined(int source);

    /** The incarnation of the source that is, or was last, counted. */
    int epoch(int source);
}
