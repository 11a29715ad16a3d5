// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Measures the signature of two simulated ranks as {@link LoggpMeter} does that of live ones: by what a program sees of its
 * clock, and not by the parameters that the simulation was given.
 */
final class SimulatedMeter
{
    private static final int CODE = 0;
    /** Requests that rank 0 sends while nobody answers. */
    private static final int MANY = 400;
    /** These fill the card, so that those behind them go as the wire takes them. */
    private static final int SKIPPED = 300;
    private static final int FEW = 8;
    private static final int SHORT_BLOCK = 96;
    private static final int LONG_BLOCK = 4_096;
    /** Longer than any message is on its way. */
    private static final int PAUSE = 4_000_000;

    private final LoggpTimes times;

    private SimulatedMeter(final LoggpTimes times)
    {
        this.times = times;
    }

    static LoggpSignature measure(final LoggpTimes times) throws InterruptedException
    {
        final SimulatedMeter meter = new SimulatedMeter(times);
        final double send = meter.sendNs(1);
        final double receive = meter.receiveNs() - send;
        final double latency = meter.roundTripNs(0) / 2 - send - receive;
        final double gap = (meter.sendNs(MANY) - meter.sendNs(SKIPPED)) / (MANY - SKIPPED);
        final double byteGap = (meter.roundTripNs(LONG_BLOCK) - meter.roundTripNs(SHORT_BLOCK)) / (LONG_BLOCK - SHORT_BLOCK);
        return new LoggpSignature(send, receive, latency, gap, byteGap);
    }

    private SimulatedRanks machine() throws InterruptedException
    {
        final SimulatedRanks machine = new SimulatedRanks(2, times, MANY);
        machine.run((rank) ->
        {
            rank.onRequest(CODE, (source, a, b) -> a, (a, value) ->
            {
            });
            rank.onBlock(CODE, (source, a, buffer, offset, length) ->
            {
            });
        });
        return machine;
    }

    /** Until the sender has sent so many requests. */
    private double sendNs(final int count) throws InterruptedException
    {
        final SimulatedRanks machine = machine();
        machine.run((rank) -> send(rank, count));
        return machine.endNs();
    }

    private static void send(final LoggpRank rank, final int count)
    {
        for (int i = 0; rank.rank() == 0 && i < count; i++)
        {
            rank.request(1, CODE, 0, 0);
        }
    }

    /** For each of some requests that have come meanwhile: taking it, and sending its answer. */
    private double receiveNs() throws InterruptedException
    {
        final SimulatedRanks machine = machine();
        machine.run((rank) -> send(rank, FEW));
        machine.run((rank) -> rank.compute(rank.rank() * PAUSE));
        final double begin = machine.endNs();
        machine.run((rank) ->
        {
            if (rank.rank() == 1)
            {
                rank.poll();
            }
        });
        return (machine.endNs() - begin) / FEW;
    }

    /** Of a short request, or of a block of some bytes. */
    private double roundTripNs(final int length) throws InterruptedException
    {
        final SimulatedRanks machine = machine();
        machine.run((rank) ->
        {
            if (rank.rank() == 1)
            {
                rank.poll();
                rank.poll();
            }
            else if (length == 0)
            {
                rank.request(1, CODE, 0, 0);
                rank.awaitAnswers();
            }
            else
            {
                rank.block(1, CODE, 0, new UnsafeBuffer(new byte[length]), 0, length);
                rank.awaitAnswers();
            }
        });
        return machine.endNs();
    }
}
