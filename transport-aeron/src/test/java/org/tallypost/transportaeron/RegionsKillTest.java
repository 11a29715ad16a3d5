// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * Kill -9 of the other node's process while both put into each other's memory: every operation ends, nothing outside of the
 * region changes, and the next process on that node is served. {@code -Dtallypost.kills=20} makes it longer.
 */
@Timeout(1800)
@Tag("once")
class RegionsKillTest
{
    private static final long INTERVAL_NS = 3_000_000_000L;

    @TempDir
    private File directory;

    private final int kills = Integer.getInteger("tallypost.kills", 2);
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RegionsProcess.LENGTH]);
    private NodesRig rig;
    private RegionMemory memory;
    private RemoteRegion remote;

    @Test
    void shouldEndAllOperationsWhenAProcessIsKilled()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("RegionsKillTest: -Dtallypost.seed=" + seed + ", kills=" + kills);
        final Random random = new Random(seed);
        rig = new NodesRig(directory, List.of(1, 1)).tuned((context, transport) ->
        {
            context.livenessIntervalNs(INTERVAL_NS);
            transport.bulkTermLength(1 << 20);
        });
        try (NodesRig open = rig)
        {
            open.launch(0);
            memory = RegionMemory.open(rig.nodes.get(0), rig.endpoint(0));
            final Region before = memory.register(RegionsProcess.LENGTH, 0);
            final Region region = memory.register(RegionsProcess.LENGTH, Region.ALL);
            final Region behind = memory.register(RegionsProcess.LENGTH, 0);
            remote = new RemoteRegion();
            String oldKey = null;
            for (int kill = 0; kill < kills; kill++)
            {
                oldKey = exchange(random, region, oldKey);
            }
            for (int at = 0; at < RegionsProcess.LENGTH; at += 8)
            {
                assertEquals(0, before.buffer().getLong(at));
                assertEquals(0, behind.buffer().getLong(at));
            }
            memory.close();
        }
    }

    /** A process comes, both put, and it is killed; returns the key of its region. */
    private String exchange(final Random random, final Region region, final String oldKey)
    {
        try (ForkedJvm child = RegionsProcess.start(new File(directory, "node-1"), rig.topology, INTERVAL_NS))
        {
            final String key = child.readLine();
            child.writeLine(RegionsProcess.hex(region.key(new RegionKey())));
            await("rank 1", () -> RankState.of(rig.endpoint(0).rankState(1)) == RankState.OPEN);
            if (oldKey != null)
            {
                final long old = attach(oldKey);
                assertTrue(old < 0, "the key of a process that was killed is taken: " + old);
            }
            assertEquals(0, attach(key), () -> RegionResult.text(remote.flush()));
            assertEquals("putting", child.readLine());
            for (int i = random.nextInt(200); i >= 0; i--)
            {
                remote.put(0, bytes, 0, bytes.capacity());
                memory.poll();
            }
            child.kill();
            final long[] result = {0};
            await("the end of all operations", () ->
            {
                remote.put(0, bytes, 0, bytes.capacity());
                memory.poll();
                result[0] = remote.flush();
                return result[0] < 0;
            });
            assertTrue(result[0] == RegionResult.LINK_DOWN || result[0] == Endpoint.PEER_GONE, RegionResult.text(result[0]));
            await("that the rank is gone", () ->
            {
                memory.poll();
                return remote.flush() == Endpoint.PEER_GONE;
            });
            return key;
        }
    }

    private long attach(final String key)
    {
        final long result = remote.attach(memory, RegionsProcess.key(key));
        await("the answer", () ->
        {
            memory.poll();
            return result < 0 || remote.flush() <= 0;
        });
        return result < 0 ? result : remote.length() > 0 ? 0 : -1;
    }

    private void await(final String what, final java.util.function.BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", " + rig.transports[0].counts() +
            ", events=" + rig.events + ", errors=" + rig.errors);
        while (!condition.getAsBoolean())
        {
            if (rig.endpoint(0).poll((source, tag, buffer, offset, length) -> {}, 16) == 0)
            {
                watchdog.idle();
            }
        }
    }
}
