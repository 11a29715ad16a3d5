// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.node.Node;

/** Slots are lent to senders that announce more than they have credits for. */
class LendingTest
{
    private static final int RANKS = 8;
    private static final int SLOTS = 8;
    private static final int LENGTH = 2_048;
    private static final int ROUNDS = 40;

    @TempDir
    Path directory;

    private int received;

    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldLendToOneSenderAfterTheOtherAndTakeFromNobody(final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, creditReturn, RANKS, SLOTS)
            .stealPolicy(StealPolicy.LENDING).checkInvariants(true)))
        {
            final Endpoint[] all = new Endpoint[RANKS];
            for (int rank = 0; rank < RANKS; rank++)
            {
                all[rank] = node.open(rank);
            }
            for (int round = 0; round < ROUNDS; round++)
            {
                for (int from = 1; from < RANKS; from++)
                {
                    send(all, from, round);
                }
            }
            assertEquals(ROUNDS * (RANKS - 1), received);
            assertEquals(0, all[0].counters().refused());
            assertEquals(0, all[0].counters().requests());
            // a message of 33 slots needs a few returns, not one for each two slots
            assertTrue(all[0].counters().creditPackets() < 6L * received, () -> "returns: " + all[0].counters().creditPackets());
        }
    }

    private void send(final Endpoint[] all, final int from, final int round)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        Fixtures.fill(buffer, 0, LENGTH, from, round);
        final MessageListener check = (source, tag, bytes, offset, length) ->
        {
            assertEquals(LENGTH, length);
            assertEquals(source, Fixtures.stream(bytes, offset));
            assertTrue(Fixtures.isWhole(bytes, offset, length));
            received++;
        };
        final LongSend send = all[from].newSend();
        final int before = received;
        final boolean[] isOut = {false};
        Fixtures.pollUntil("message " + round + " of " + from, check, () ->
        {
            isOut[0] = isOut[0] || (send.isActive() ? send.progress() : send.start(0, 1, buffer, 0, LENGTH)) >= 0;
            return isOut[0] && received > before;
        }, all);
    }
}
