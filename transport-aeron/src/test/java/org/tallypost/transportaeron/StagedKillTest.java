// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Kill -9 of the other node's process while both put long messages into each other's staging areas: both requests end with a
 * code, the area is free, and the next process on that node is served. {@code -Dtallypost.kills=20} makes it longer.
 */
@Timeout(1800)
@Tag("once")
class StagedKillTest
{
    private static final long INTERVAL_NS = 5_000_000_000L;
    private static final int LENGTH = StagedProcess.LENGTH;

    @TempDir
    private File directory;

    private final int kills = Integer.getInteger("tallypost.kills", 2);
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[LENGTH]);
    private final UnsafeBuffer in = new UnsafeBuffer(new byte[LENGTH]);
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private NodesRig rig;
    private Messenger messenger;

    @Test
    void shouldEndBothRequestsWhenAProcessIsKilled()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("StagedKillTest: -Dtallypost.seed=" + seed + ", kills=" + kills);
        final Random random = new Random(seed);
        rig = new NodesRig(directory, List.of(1, 1)).tuned((context, transport) ->
        {
            context.livenessIntervalNs(INTERVAL_NS);
            transport.bulkTermLength(1 << 20);
        });
        try (NodesRig open = rig)
        {
            open.launch(0);
            try (RegionMemory memory = RegionMemory.open(rig.nodes.get(0), rig.endpoint(0)))
            {
                messenger = StagedProcess.launch(rig.endpoint(0), memory);
                for (int kill = 0; kill < kills; kill++)
                {
                    exchangeAndKill(random.nextInt(300));
                }
                assertEquals(MessengerContext.MIN_STAGING_LENGTH, memory.usedLength());
            }
        }
    }

    /** A process comes, both send, and it is killed after some rounds. */
    private void exchangeAndKill(final int rounds)
    {
        try (ForkedJvm child = StagedProcess.start(new File(directory, "node-1"), rig.topology, INTERVAL_NS))
        {
            await("rank 1", () -> RankState.of(rig.endpoint(0).rankState(1)) == RankState.OPEN);
            final long staged = messenger.counters().staged();
            start();
            await("a message each way", () -> receive.isDone() && send.isDone());
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(staged + 1, messenger.counters().staged());
            for (int i = 0; i < LENGTH; i++)
            {
                assertEquals(1, in.getByte(i));
            }
            assertEquals("SUCCESS SUCCESS", child.readLine());
            for (int i = 0; i < rounds; i++)
            {
                startWhatIsDone();
                messenger.doWork();
            }
            child.kill();
            await("the end of both requests", () ->
            {
                startWhatIsDone();
                return receive.result() == RequestResult.PEER_GONE && send.result() == RequestResult.PEER_GONE;
            });
        }
    }

    private void start()
    {
        in.setMemory(0, LENGTH, (byte)0);
        messenger.receive(receive, messenger.world(), 1, 1, in, 0, LENGTH);
        messenger.send(send, messenger.world(), 1, 1, out, 0, LENGTH);
    }

    private void startWhatIsDone()
    {
        if (receive.isDone() && receive.result() != RequestResult.PEER_GONE)
        {
            messenger.receive(receive, messenger.world(), 1, 1, in, 0, LENGTH);
        }
        if (send.isDone() && send.result() != RequestResult.PEER_GONE)
        {
            messenger.send(send, messenger.world(), 1, 1, out, 0, LENGTH);
        }
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", " + receive + ", " + send + ", " +
            rig.transports[0].counts() + ", events=" + rig.events + ", errors=" + rig.errors);
        while (!condition.getAsBoolean())
        {
            if (messenger.doWork() == 0)
            {
                watchdog.idle();
            }
            else
            {
                watchdog.check();
                Thread.yield();
            }
        }
    }
}
