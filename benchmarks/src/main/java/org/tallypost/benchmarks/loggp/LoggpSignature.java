// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

/**
 * The parameters of LogGP as active messages show them, in nanoseconds.
 *
 * @param send    o at the sender: a request that goes at once.
 * @param receive o at the receiver: a poll that finds a message and runs its handler.
 * @param latency L: half a round trip, less both of them.
 * @param gap     g: time for each of many requests, one after the other.
 * @param byteGap G: time for each byte of a block.
 */
record LoggpSignature(double send, double receive, double latency, double gap, double byteGap)
{
    static final int FIGURES = 5;

    /** Of a request and its answer. */
    double roundTrip()
    {
        return 2 * (latency + send + receive);
    }

    double figure(final int index)
    {
        return switch (index)
        {
            case 0 -> send;
            case 1 -> receive;
            case 2 -> latency;
            case 3 -> gap;
            default -> byteGap;
        };
    }
}
