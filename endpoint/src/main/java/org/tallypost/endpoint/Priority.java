// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Whether a message waits behind others. The two never wait for each other: each has a ring of its own at the receiver, and
 * credits of its own, which also count as its send tokens ({@link Endpoint#sendTokens}).
 */
public enum Priority
{
    /** The priority of every message that is sent without one: by express lanes or the mailbox's ring, between nodes too. */
    LOW,
    /**
     * For few and short messages that others wait for, such as answers and announcements. Only if {@link NodeContext#highSlots}
     * are set. A poll delivers it before each message of low priority; between nodes it goes by rings of its own too.
     */
    HIGH
}
