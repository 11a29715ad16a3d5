// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

/**
 * What a transport learns from its node, on its own thread, within calls of a {@link NodePort}. As a {@link PairListener} it is
 * that of the mailboxes.
 */
public interface NodePortListener extends PairListener
{
    /**
     * A rank of this node was opened, or is closed and everything that it sent has been drained.
     *
     * @param rank   of this node.
     * @param epoch  of the rank.
     * @param isOpen whether it is open now.
     */
    void onLocalRank(int rank, int epoch, boolean isOpen);

    /**
     * Hears of the same pairs with high priority. Asked only if there are priorities.
     *
     * @return the listener, the same one each time.
     */
    default PairListener high()
    {
        throw new IllegalStateException("this transport knows no priorities: found highSlots set, expected 0");
    }
}
