// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.thesis.rudp.Asking;
import org.tallypost.thesis.rudp.RudpSettings;

class RudpRunTest
{
    private static final long SEEDS = 25;
    private static final List<Network> NETWORKS = List.of(Network.SLOW, Network.FAST);

    private static RudpSettings settings(final Asking asking)
    {
        return RudpSettings.of(1_024, 16, asking);
    }

    @ParameterizedTest
    @EnumSource(Asking.class)
    void shouldDeliverAllBytesToAllWhateverIsLost(final Asking asking)
    {
        for (final Network network : NETWORKS)
        {
            for (final double loss : new double[]{ 0.01, 0.05, 0.1, 0.2 })
            {
                for (long seed = 1; seed <= SEEDS; seed++)
                {
                    final String where = network.name() + ", " + asking + ", loss " + loss + ", seed " + seed;
                    final int receivers = (int)(1 + seed % 7);
                    final int length = (int)(seed * 3_001 % 70_001);
                    final RudpRun run =
                        RudpRun.of(network, RudpRun.Task.of(settings(asking), length, receivers).loss(loss, seed));
                    assertNull(run.sender().failure(), where);
                    for (int i = 0; i < receivers; i++)
                    {
                        assertTrue(run.hasAll(i), where + ", receiver " + i);
                    }
                    assertTrue(run.lost() > 0 || run.sender().repeated() == 0 || asking == Asking.TIMER, where);
                }
            }
        }
    }

    /** Whatever the number of receivers, each packet is on the wire once. */
    @ParameterizedTest
    @EnumSource(Asking.class)
    void shouldSendEachPacketOnceIfNothingIsLost(final Asking asking)
    {
        for (int receivers = 1; receivers <= 7; receivers++)
        {
            final RudpRun run = RudpRun.of(Network.FAST, RudpRun.Task.of(settings(asking), 100_000, receivers));
            assertEquals(98, run.sender().sent());
            assertEquals(0, run.sender().repeated());
            final int bursts = 7;
            final int control = receivers * bursts * (asking == Asking.LAST ? 2 : 1);
            // the last answer ends the run, and none is ahead of it
            assertEquals(98 + control, run.transmissions());
        }
    }

    @ParameterizedTest
    @EnumSource(Asking.class)
    void shouldEndWithAMessageWhenAReceiverDies(final Asking asking)
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final int dead = (int)(seed % 3);
            final double deadNs = Network.FAST.openNs() + 3 * Network.FAST.sessionNs() + seed * 200_000.0;
            final RudpRun run =
                RudpRun.of(Network.FAST, RudpRun.Task.of(settings(asking), 100_000, 3).loss(0.05, seed).dead(dead, deadNs));
            final String failure = run.sender().failure();
            if (failure == null)
            {
                // it died when it had everything, and had said so
                assertTrue(run.hasAll(dead), "seed " + seed);
            }
            else
            {
                assertTrue(failure.matches("waited 5000 ms \\(answerNs\\) for answers to round \\d+ of burst \\d+ of " +
                    "receivers .*\\b" + dead + "\\b.*"), "seed " + seed + ": " + failure);
            }
            assertTrue(failure != null || seed > 1, "a receiver that dies at once is noticed");
        }
    }

    @ParameterizedTest
    @EnumSource(Asking.class)
    void shouldGiveUpAfterTheLimitOfRounds(final Asking asking)
    {
        final RudpSettings few = settings(asking).limits(5, 20_000_000, 5_000_000_000L);
        final RudpRun run = RudpRun.of(Network.FAST, RudpRun.Task.of(few, 20_000, 2).loss(1, 3));
        assertEquals("gave up after 5 rounds (maxRounds) of burst 0: 16 of 16 packets are missing at receivers {0, 1}",
            run.sender().failure());
        assertEquals(5 * 16, run.sender().sent());
    }

    @Test
    void shouldDoTheSameWithTheSameSeed()
    {
        final RudpRun.Task task = RudpRun.Task.of(RudpSettings.FAST, 200_000, 7).loss(0.1, 42);
        final RudpRun one = RudpRun.of(Network.FAST, task);
        final RudpRun two = RudpRun.of(Network.FAST, task);
        assertEquals(one.timeNs(), two.timeNs());
        assertEquals(one.sender().sent(), two.sender().sent());
        assertTrue(one.sender().repeated() > 0);
    }
}
