// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/** Counts of a run; see {@link FabricResult} for what each is. */
final class Tally
{
    long messages;
    long delayedSends;
    long dataPackets;
    long creditPackets;
    long requests;
    long responses;
    long steals;
    long sendPs;
    long retrievePs;
    long controlPs;
    long protocolPs;
    long creditWaitPs;
    long receiveWaitPs;
    long heldUpPs;
    long overflowPs;
    int peakSlots;
    long endPs;
    final long[] roundEndPs;

    Tally(final int rounds)
    {
        roundEndPs = new long[rounds];
    }

    FabricResult result(final boolean isComplete, final long creditsStolen, final long piggybacked)
    {
        return new FabricResult(isComplete, endPs, roundEndPs.clone(), messages, delayedSends, dataPackets, creditPackets,
            requests, responses, steals, creditsStolen, piggybacked, sendPs, retrievePs, controlPs, protocolPs, creditWaitPs,
            receiveWaitPs, heldUpPs, overflowPs, peakSlots);
    }
}
