// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * From whom a sender that has used up its quota may take slots.
 */
public enum StealPolicy
{
    /** From the last sender of the LOW list, whoever that is (thesis, section 6.5.2). */
    MONITORED,
    /**
     * From the last sender of the LOW list only if it rests: nothing of it was retrieved while the data region was turned
     * over four times. A victim that does send gives up no more than half of what it has more than the other one. Where
     * all senders are active this keeps the shares even, while the thesis's rule lets whoever bursts take the slots of
     * those that come next; where some rest it does the same as the thesis's.
     */
    IDLE_FIRST
}
