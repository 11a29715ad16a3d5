// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * When a process that has something to send looks at its mailbox.
 */
public enum Progress
{
    /** When it has to wait: all that can be sent goes first. */
    SENDS_FIRST,
    /** After each message, or as much of one as there were credits for. */
    BETWEEN_SENDS
}
