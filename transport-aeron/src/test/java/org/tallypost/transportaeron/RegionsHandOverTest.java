// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/** A rank uses memory of another node while the member of its node that carries the packets goes, and another one takes over. */
class RegionsHandOverTest
{
    @TempDir
    private File directory;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final Topology topology = NodesRig.topology(1, 1);
    private Endpoint endpoint;
    private RegionMemory memory;

    private Node launch(final int node)
    {
        return Node.launch(new NodeContext().directory(new File(directory, "node-" + node)).groupName("test").rankCount(2)
            .slotsPerSender(16).maxSendingThreads(64).maxProcesses(16).livenessIntervalNs(5_000_000_000L).deleteOnClose(true)
            .transport(new AeronTransport(topology, node).secret(NodesRig.SECRET).bulkTermLength(1 << 20))
            .errorHandler(errors::add));
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", errors=" + errors);
        while (!condition.getAsBoolean())
        {
            if (endpoint.poll((source, tag, buffer, offset, length) -> {}, 16) + (memory == null ? 0 : memory.poll()) == 0)
            {
                watchdog.idle();
            }
        }
    }

    @Test
    void shouldEndWhatIsUnderWayAndGoOnWithTheNextCarrier()
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[1 << 20]);
        final Node carrier = launch(0);
        try (Node user = launch(0); Node other = launch(1))
        {
            endpoint = user.open(0);
            final RegionMemory own = RegionMemory.open(user, endpoint);
            final RegionMemory theirs = RegionMemory.open(other, other.open(1));
            final Region region = theirs.register(1 << 20, Region.ALL);
            final RegionKey key = region.key(new RegionKey());
            memory = own;
            final RemoteRegion remote = attach(key);
            assertTrue(remote.put(0, bytes, 0, 1 << 20) > 0);
            carrier.close();
            // operations that perhaps no agent has done end, and those that come until the link is there again
            final long[] result = {0};
            await("the end of all operations", () ->
            {
                remote.put(0, bytes, 0, 1 << 20);
                own.poll();
                result[0] = remote.flush();
                return result[0] < 0;
            });
            assertTrue(result[0] == RegionResult.LINK_DOWN || result[0] == Endpoint.PEER_GONE, RegionResult.text(result[0]));
            await("that nothing is under way", () -> remote.flush() <= 0);
            final RemoteRegion again = attach(key);
            bytes.setMemory(0, 8, (byte)1);
            assertEquals(8, again.put(0, bytes, 0, 8));
            await("the put", () -> again.flush() == 0);
            assertEquals(0x0101_0101_0101_0101L, region.buffer().getLongAcquire(0));
            own.close();
            theirs.close();
        }
        finally
        {
            carrier.close();
        }
    }

    /** Until the link is there, and the region is known. */
    private RemoteRegion attach(final RegionKey key)
    {
        final RemoteRegion remote = new RemoteRegion();
        await("the region", () ->
        {
            if (remote.length() == 0 && remote.flush() <= 0 && RankState.of(endpoint.rankState(1)) == RankState.OPEN)
            {
                remote.attach(memory, key);
            }
            return remote.length() > 0 && remote.flush() == 0;
        });
        return remote;
    }
}
