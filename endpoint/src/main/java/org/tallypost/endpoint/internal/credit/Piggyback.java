// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.credit;

/**
 * Credits of a receiver that can travel in a data packet to the sender that they are for.
 */
public interface Piggyback
{
    /**
     * Takes credits along.
     *
     * @param dest  rank that the packet goes to.
     * @param epoch its incarnation, as the packet's sender knows it.
     * @return credits, 0 if none are due; the packet has to go.
     */
    int piggyback(int dest, int epoch);
}
