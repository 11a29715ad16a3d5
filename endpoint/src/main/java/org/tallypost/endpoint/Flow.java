// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * How much each sender may send: how the slots of a mailbox are given to its senders.
 */
public enum Flow
{
    /** No credits. The ring has to hold everything that is ever unread; the reference for measuring the others. */
    NONE,
    /** Every sender owns the same fixed number of slots (thesis, chapter 5). */
    STATIC,
    /** Slots move to the senders that use them (thesis, chapter 6, with the repairs described in docs/). */
    DYNAMIC
}
