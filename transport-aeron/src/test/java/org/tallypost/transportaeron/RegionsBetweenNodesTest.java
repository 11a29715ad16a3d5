// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.BulkQueue;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Regions of a rank of another node, on loopback. */
@Tag("once")
class RegionsBetweenNodesTest
{
    private static final int LENGTH = 3 << 20;

    private static final int ROUNDS = Integer.getInteger("tallypost.rounds", 2);

    @TempDir
    private File directory;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);

    private static long seed(final String test)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println(test + ": seed=" + seed);
        return seed;
    }

    @Test
    void shouldPutGetAndChangeWords()
    {
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(5_000, Region.ALL))
        {
            final RemoteRegion remote = rig.attached(region);
            assertTrue(remote.isFar());
            assertEquals(5_000, remote.length());
            assertEquals(Region.ALL, remote.rights());
            bytes.setMemory(0, 1_000, (byte)7);
            assertEquals(10, remote.put(9, bytes, 0, 10));
            assertEquals(700, remote.putNotify(100, bytes, 0, 700, 8 * 120));
            assertEquals(0, remote.putOrdered(8 * 130, 42));
            assertEquals(0, rig.settle());
            assertEquals(0, region.buffer().getByte(8));
            assertEquals(7, region.buffer().getByte(9));
            assertEquals(7, region.buffer().getByte(18));
            assertEquals(0, region.buffer().getByte(19));
            assertEquals(7, region.buffer().getByte(799));
            assertEquals(0, region.buffer().getByte(800));
            assertEquals(1, region.buffer().getLong(8 * 120));
            assertEquals(42, region.buffer().getLong(8 * 130));
            assertEquals(RemoteRegion.UNDER_WAY, remote.getAndAdd(8 * 130, 3));
            assertEquals(RegionResult.BUSY, remote.getAndAdd(8 * 130, 3), "two that find something");
            assertEquals(0, rig.settle());
            assertEquals(42, remote.value());
            assertEquals(RemoteRegion.UNDER_WAY, remote.getAndSet(8 * 130, 5));
            assertEquals(0, rig.settle());
            assertEquals(45, remote.value());
            assertEquals(RemoteRegion.UNDER_WAY, remote.compareAndSet(8 * 130, 6, 9));
            assertEquals(0, rig.settle());
            assertEquals(0, remote.value());
            assertEquals(RemoteRegion.UNDER_WAY, remote.compareAndSet(8 * 130, 5, 9));
            assertEquals(0, rig.settle());
            assertEquals(1, remote.value());
            assertEquals(RemoteRegion.UNDER_WAY, remote.getAcquire(8 * 130));
            assertEquals(0, rig.settle());
            assertEquals(9, remote.value());
            assertEquals(0, remote.put(0, bytes, 0, 0));
            assertEquals(200, remote.get(95, bytes, 2_000, 200));
            assertEquals(0, rig.settle());
            assertEquals(0, bytes.getByte(2_004));
            assertEquals(7, bytes.getByte(2_005));
            assertEquals(7, bytes.getByte(2_199));
            assertEquals(0, bytes.getByte(2_200));
        }
    }

    @Test
    void shouldMoveMoreThanIsUnderWayAtATime()
    {
        final Random random = new Random(seed("shouldMoveMoreThanIsUnderWayAtATime"));
        random.nextBytes(bytes.byteArray());
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(LENGTH + 8, Region.ALL))
        {
            rig.attached(region);
            rig.putAll(3, bytes, 0, LENGTH);
            assertEquals(0, rig.settle());
            assertEquals(bytes, new UnsafeBuffer(region.buffer(), 3, LENGTH));
            assertEquals(0, region.buffer().getByte(2));
            assertEquals(0, region.buffer().getByte(3 + LENGTH));
            final UnsafeBuffer back = new UnsafeBuffer(new byte[LENGTH]);
            rig.getAll(3, back, 0, LENGTH);
            assertEquals(0, rig.settle());
            assertEquals(bytes, back);
            final EndpointCounters counters = rig.nodes.endpoint(0).counters();
            assertEquals(2 * LENGTH, counters.bulkBytes());
            assertTrue(counters.bulkOperations() > 2 * LENGTH / BulkQueue.MAX_LENGTH);
            assertEquals(0, counters.bulkRefused() + counters.bulkPending());
            assertEquals(0, rig.nodes.endpoint(1).counters().bulkOperations());
        }
    }

    @Test
    void shouldBeRightOverABadNetwork()
    {
        final long seed = seed("shouldBeRightOverABadNetwork");
        final Random random = new Random(seed);
        random.nextBytes(bytes.byteArray());
        final int length = 1 << 18;
        try (RegionsRig rig = new RegionsRig(directory, (context, transport) ->
            transport.faults(new NetworkFaults(seed).loss(0.01).duplicates(0.01).reordering(0.01)));
            Region region = rig.other.register(length + 8, Region.ALL))
        {
            final RemoteRegion remote = rig.attached(region);
            final byte[] expected = new byte[length];
            for (int i = 0; i < 200; i++)
            {
                final int at = random.nextInt(length);
                final int size = 1 + random.nextInt(Math.min(60_000, length - at));
                final int from = random.nextInt(LENGTH - size);
                rig.putAll(at, bytes, from, size);
                System.arraycopy(bytes.byteArray(), from, expected, at, size);
                assertEquals(0, rig.ask(() -> remote.putNotify(0, bytes, 0, 0, length)));
            }
            assertEquals(0, rig.settle());
            assertEquals(200, region.buffer().getLongAcquire(length), "each notification once");
            assertEquals(new UnsafeBuffer(expected), new UnsafeBuffer(region.buffer(), 0, length));
            assertEquals(1, rig.nodes.count(org.tallypost.endpoint.transport.TransportEvent.Kind.LINK_UP) / 2);
        }
    }

    @Test
    void shouldRefuseWhatTheRegionDoesNotGive()
    {
        try (RegionsRig rig = new RegionsRig(directory))
        {
            final Region region = rig.other.register(100, Region.READ);
            final RemoteRegion remote = rig.attached(region);
            assertEquals(RegionResult.NO_RIGHT, remote.put(0, bytes, 0, 1));
            assertEquals(RegionResult.NO_RIGHT, remote.getAndAdd(0, 1));
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.get(100, bytes, 0, 1));
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.get(-1, bytes, 0, 1));
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.get(Long.MAX_VALUE, bytes, 0, 1));
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.getAcquire(96));
            assertEquals(RegionResult.MISALIGNED, remote.getAcquire(4));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.get(0, bytes, LENGTH, 1));
            final RegionKey key = rig.key(region);
            region.close();
            assertEquals(1, remote.get(0, bytes, 0, 1));
            assertEquals(RegionResult.STALE, rig.settle());
            assertEquals(0, rig.settle(), "told once");
            assertEquals(RemoteRegion.UNDER_WAY, remote.attach(rig.own, key));
            assertEquals(RegionResult.BUSY, remote.get(0, bytes, 0, 1));
            assertEquals(RegionResult.STALE, rig.settle());
            assertEquals(RegionResult.NOT_ATTACHED, remote.get(0, bytes, 0, 1));
            assertEquals(0, remote.length());
            assertTrue(rig.counts(1).contains("bulk operations refused=2"), rig.counts(1));
        }
    }

    @Test
    void shouldRefuseForgedKeys()
    {
        final Random random = new Random(seed("shouldRefuseForgedKeys"));
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(4_096, Region.ALL))
        {
            final UnsafeBuffer forged = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
            for (int i = 0; i < 300; i++)
            {
                region.key(new RegionKey()).encode(forged, 0);
                // another epoch, entry or generation of the right rank
                final int word = 4 + 4 * random.nextInt(3);
                forged.putInt(word, forged.getInt(word) ^ 1 << random.nextInt(32));
                assertEquals(RemoteRegion.UNDER_WAY, rig.remote.attach(rig.own, new RegionKey().decode(forged, 0)));
                final long result = rig.settle();
                assertTrue(result == RegionResult.UNKNOWN_KEY || result == RegionResult.STALE || result == Endpoint.PEER_GONE,
                    RegionResult.text(result));
            }
            rig.attached(region);
            for (int at = 0; at < 4_096; at += 8)
            {
                assertEquals(0, region.buffer().getLong(at));
            }
        }
    }

    @Test
    void shouldEndOperationsOnARegionThatIsClosedMeanwhile()
    {
        try (RegionsRig rig = new RegionsRig(directory))
        {
            final Region region = rig.other.register(1 << 20, Region.ALL);
            final RemoteRegion remote = rig.attached(region);
            long result = 0;
            int round = 0;
            while (result >= 0)
            {
                assertTrue(rig.ask(() -> remote.put(0, bytes, 0, 1 << 20)) > 0);
                if (round++ == 20)
                {
                    region.close();
                }
                rig.own.poll();
                result = round > 20 ? rig.settle() : 0;
            }
            assertEquals(RegionResult.STALE, result);
            try (Region next = rig.other.register(1 << 20, Region.ALL))
            {
                assertEquals(0, next.buffer().getLong(0));
                assertEquals(RegionResult.STALE, failure(rig, remote));
                assertEquals(0, next.buffer().getLong(0), "the next region of the same memory was written");
            }
        }
    }

    /** The loop of the guide ends, also if the program polls no more. */
    private void assertClosedBy(final Consumer<RegionsRig> closing)
    {
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(1 << 20, Region.ALL))
        {
            final RemoteRegion remote = rig.attached(region);
            final RegionKey key = rig.key(region);
            final RemoteRegion second = new RemoteRegion();
            assertEquals(RemoteRegion.UNDER_WAY, second.attach(rig.own, key));
            assertTrue(rig.ask(() -> remote.get(0, bytes, 0, 1 << 20)) > 0);
            assertEquals(RemoteRegion.UNDER_WAY, remote.getAndAdd(0, 1));
            closing.accept(rig);
            assertEquals(Endpoint.CLOSED, remote.flush());
            assertEquals(Endpoint.CLOSED, second.flush());
            assertEquals(Endpoint.CLOSED, remote.put(0, bytes, 0, 10));
            assertEquals(Endpoint.CLOSED, remote.getAndAdd(0, 1));
            assertEquals(Endpoint.CLOSED, remote.attach(rig.own, key));
            assertEquals(0, rig.own.poll());
        }
    }

    @Test
    void shouldEndAllOperationsWhenTheOwnMemoryIsClosed()
    {
        assertClosedBy((rig) -> rig.own.close());
    }

    @Test
    void shouldEndAllOperationsWhenTheOwnEndpointIsClosed()
    {
        assertClosedBy((rig) -> rig.nodes.endpoint(0).close());
    }

    @Test
    void shouldEndAllOperationsWhenTheOwnNodeIsClosed()
    {
        assertClosedBy((rig) -> rig.nodes.close(0));
    }

    @Test
    void shouldEndAGetIntoARegionThatIsClosedMeanwhile()
    {
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(1 << 20, Region.ALL))
        {
            final RemoteRegion remote = rig.attached(region);
            final RemoteRegion second = new RemoteRegion();
            final Region target = rig.own.register(100_000, Region.ALL);
            assertEquals(100_000, remote.get(0, target.buffer(), 0, 100_000));
            assertEquals(RemoteRegion.UNDER_WAY, second.attach(rig.own, rig.key(region)));
            target.close();
            assertEquals(RegionResult.OUT_OF_BOUNDS, rig.settle());
            assertEquals(0, rig.settle(second));
            assertEquals(1 << 20, remote.get(0, bytes, 0, 1 << 20));
            assertEquals(0, rig.settle());
        }
    }

    private long failure(final RegionsRig rig, final RemoteRegion remote)
    {
        bytes.setMemory(0, 100, (byte)9);
        assertEquals(100, remote.put(0, bytes, 0, 100));
        return rig.settle();
    }

    @Test
    void shouldEndAllOperationsWhenTheOtherNodeGoesAndServeTheNextOne()
    {
        try (RegionsRig rig = new RegionsRig(directory))
        {
            final RegionKey key = rig.key(rig.other.register(1 << 20, Region.ALL));
            assertEquals(RemoteRegion.UNDER_WAY, rig.remote.attach(rig.own, key));
            assertEquals(0, rig.settle());
            assertTrue(rig.ask(() -> rig.remote.put(0, bytes, 0, 1 << 20)) > 0);
            rig.other.close();
            rig.nodes.close(1);
            long result = 0;
            while (result >= 0)
            {
                result = rig.ask(() -> rig.remote.put(0, bytes, 0, 1 << 20));
                result = result < 0 ? result : rig.settle();
            }
            assertTrue(result == RegionResult.LINK_DOWN || result == Endpoint.PEER_GONE || result == RegionResult.UNKNOWN_KEY ||
                result == RegionResult.STALE, RegionResult.text(result));
            rig.nodes.pollUntil("the peer is gone", (source, tag, buffer, offset, length) -> {},
                () -> rig.remote.flush() == Endpoint.PEER_GONE || rig.own.poll() < 0);
            rig.nodes.launch(1);
            rig.other = RegionMemory.open(rig.nodes.nodes.get(1), rig.nodes.endpoint(1));
            rig.awaitOpen();
            assertEquals(Endpoint.PEER_GONE, rig.remote.put(0, bytes, 0, 8), "the handle is of the former incarnation");
            try (Region region = rig.other.register(64, Region.ALL))
            {
                rig.attached(region);
                assertEquals(8, rig.remote.put(0, new UnsafeBuffer(new byte[]{1, 1, 1, 1, 1, 1, 1, 1}), 0, 8));
                assertEquals(0, rig.settle());
                assertEquals(0x0101_0101_0101_0101L, region.buffer().getLong(0));
                assertEquals(RemoteRegion.UNDER_WAY, rig.remote.attach(rig.own, key));
                final long old = rig.settle();
                assertTrue(old < 0, "a key of the former node is taken: " + old);
            }
        }
    }

    /** The stream to it outlives the node: what is sent before the next node receives it would be lost. */
    @Test
    void shouldServeEachNextNodeFromItsFirstOperationOn()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("shouldServeEachNextNodeFromItsFirstOperationOn: seed=" + seed);
        // many streams are received late
        try (RegionsRig rig = new RegionsRig(directory, (context, transport) ->
            transport.faults(new NetworkFaults(seed).loss(0.5))))
        {
            for (int round = 1; round <= ROUNDS; round++)
            {
                rig.other.close();
                rig.nodes.close(1);
                rig.nodes.launch(1);
                rig.other = RegionMemory.open(rig.nodes.nodes.get(1), rig.nodes.endpoint(1));
                try (Region region = rig.other.register(64, Region.ALL))
                {
                    final RemoteRegion remote = rig.attachedAtLast(region);
                    bytes.putLong(0, round);
                    assertEquals(8, remote.put(0, bytes, 0, 8));
                    assertEquals(0, rig.settle(remote));
                    assertEquals(round, region.buffer().getLong(0));
                }
            }
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (RegionsRig rig = new RegionsRig(directory); Region region = rig.other.register(1 << 16, Region.ALL))
        {
            final RemoteRegion remote = rig.attached(region);
            final long self = Thread.currentThread().getId();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > 0; round++)
            {
                final long before = threads.getThreadAllocatedBytes(self);
                exchange(rig, remote);
                least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
            }
            assertEquals(0, least);
        }
    }

    private void exchange(final RegionsRig rig, final RemoteRegion remote)
    {
        for (int i = 0; i < 200; i++)
        {
            remote.put(0, bytes, 0, 1 << 16);
            remote.putNotify(0, bytes, 0, 40, 0);
            remote.get(0, bytes, 0, 1 << 15);
            remote.getAndAdd(8, 1);
            while (remote.flush() > 0)
            {
                rig.own.poll();
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldSayThatRegionsOfOtherNodesNeedABulkStream()
    {
        try (RegionsRig rig = new RegionsRig(directory, (context, transport) -> transport.bulkTermLength(0));
            Region region = rig.other.register(64, Region.ALL))
        {
            assertEquals(RegionResult.OTHER_NODE, rig.remote.attach(rig.own, rig.key(region)));
            assertFalse(BulkQueue.isPossible(rig.nodes.nodes.get(0)));
            assertThrows(IllegalStateException.class, () -> BulkQueue.open(rig.nodes.nodes.get(0), rig.nodes.endpoint(0)));
        }
    }
}
