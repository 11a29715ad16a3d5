// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A process is killed at any point of matched traffic: every request of the other side ends with a code, and its memory comes
 * back. {@code -Dtallypost.kills=200} makes it longer.
 */
@Tag("once")
class KilledPeerTest extends MessengerFixture
{
    private static final int KILLS = Integer.getInteger("tallypost.kills", 2);
    private static final int MOST_MESSAGES = 300;
    private static final int MOST_ROUNDS = 3_000;

    private Traffic traffic;

    private boolean isGone()
    {
        return RankState.of(endpoints[0].rankState(1)) != RankState.OPEN;
    }

    /** Until so many messages have come of this child, and so many rounds on. */
    private void exchange(final long messages, final int rounds)
    {
        final long before = traffic.received();
        drive("traffic: " + traffic, () ->
        {
            traffic.step(1);
            return traffic.received() - before >= messages;
        });
        for (int i = 0; i < rounds; i++)
        {
            traffic.step(1);
            work();
        }
    }

    @Test
    void shouldEndEveryRequest()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("KilledPeerTest: -Dtallypost.seed=" + seed + ", kills=" + KILLS);
        final Random random = new Random(seed);
        node = Node.launch(context(directory, Flow.DYNAMIC, TrafficProcess.RANKS, TrafficProcess.SLOTS));
        endpoints = new Endpoint[TrafficProcess.RANKS];
        messengers = new Messenger[TrafficProcess.RANKS];
        open(0, DEFAULTS);
        traffic = new Traffic(messengers[0], random, TrafficProcess.MAX_LENGTH);
        for (int kill = 0; kill < KILLS; kill++)
        {
            try (ForkedJvm child = TrafficProcess.start(directory, random.nextLong()))
            {
                exchange(1 + random.nextInt(MOST_MESSAGES), random.nextInt(MOST_ROUNDS));
                child.kill();
                // it is dead, and this side does not know
                exchange(0, random.nextInt(MOST_ROUNDS));
            }
            drive("death is known", this::isGone);
            drive("ends: " + traffic, () -> traffic.isAtRest((rank) -> true));
            drive("rest: " + traffic, () -> traffic.stop());
            // what came with its bytes may still be received
            final ReceiveRequest rest = new ReceiveRequest();
            drive("memory", () ->
            {
                if (messengers[0].counters().unexpected() > 0)
                {
                    messengers[0].receive(rest, messengers[0].world(), ANY, Communicator.ANY_TAG,
                        room(TrafficProcess.MAX_LENGTH), 0, TrafficProcess.MAX_LENGTH);
                }
                return !rest.isActive() && messengers[0].counters().unexpectedBytes() == 0;
            });
            assertEquals(0, messengers[0].world().activeCount);
        }
        System.out.println("KilledPeerTest: " + traffic);
        assertEquals(0, messengers[0].counters().refused());
    }
}
