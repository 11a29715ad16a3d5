// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

/**
 * How far a rank is in its step.
 *
 * @param rank      of the endpoint.
 * @param sent      messages that are out.
 * @param toSend    messages that the step wants sent.
 * @param received  messages that have arrived.
 * @param toReceive messages that the step wants received.
 */
public record RankState(int rank, long sent, long toSend, long received, long toReceive)
{
    /**
     * Messages that are still to be sent or received.
     *
     * @return 0 if the rank is done.
     */
    public long missing()
    {
        return toSend - sent + toReceive - received;
    }

    @Override
    public String toString()
    {
        return "rank " + rank + ": sent " + sent + " of " + toSend + ", received " + received + " of " + toReceive;
    }
}
