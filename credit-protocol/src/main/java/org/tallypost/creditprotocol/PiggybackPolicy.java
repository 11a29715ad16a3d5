// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * How a ledger lets credits travel back in data packets.
 */
public enum PiggybackPolicy
{
    /**
     * Credits for slots freed go back one for one, and what is missing to the intended quota on top. Leaves the
     * thresholds as they are, but for the newest one, which absorbs what was given on top.
     */
    ONE_FOR_ONE,
    /**
     * Section 6.6 of the thesis: piggybacked credits are counted; together with the slots freed they can reach the
     * threshold, and the new threshold is corrected by deficit or by excess.
     */
    THESIS
}
