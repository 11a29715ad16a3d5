// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.node.Node;

/** Regions that another rank, another process, and a process that lies use. */
@Tag("once")
class RegionTest
{
    private static final int MAX_BYTES = 1_024;
    /** A quarter: there are four such tests. */
    private static final int KILLS = Integer.getInteger("tallypost.kills", 12) / 4;

    @TempDir
    private Path directory;

    private Node node;
    private Endpoint endpoint;
    private RegionMemory memory;
    private final RemoteRegion remote = new RemoteRegion();
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[4_096]);

    @BeforeEach
    void launch()
    {
        node = Node.launch(RegionFixture.context(directory, 3));
        endpoint = node.open(0);
        memory = RegionMemory.open(node, endpoint);
    }

    @AfterEach
    void close()
    {
        memory.close();
        endpoint.close();
        node.close();
        assertFalse(new File(directory.toFile(), "node").exists(), "something is left behind");
    }

    private static RegionKey key(final Region region)
    {
        return region.key(new RegionKey());
    }

    @Test
    void shouldPutGetAndChangeWords()
    {
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other);
            Region region = memory.register(5_000, Region.ALL))
        {
            bytes.setMemory(0, 1_024, (byte)7);
            assertEquals(0, remote.attach(own, key(region)));
            assertEquals(5_000, remote.length());
            assertEquals(Region.ALL, remote.rights());
            assertEquals(100, remote.put(8, bytes, 0, 100));
            assertEquals(0, region.buffer().getByte(7));
            assertEquals(7, region.buffer().getByte(8));
            assertEquals(7, region.buffer().getByte(107));
            assertEquals(0, region.buffer().getByte(108));
            assertEquals(50, remote.get(58, bytes, 2_000, 52) - 2);
            assertEquals(7, bytes.getByte(2_000));
            assertEquals(0, bytes.getByte(2_050));
            assertEquals(0, remote.getAndAdd(1_024, 5));
            assertEquals(0, remote.value());
            assertEquals(0, remote.getAndSet(1_024, 9));
            assertEquals(5, remote.value());
            assertEquals(0, remote.compareAndSet(1_024, 8, 1));
            assertEquals(1, remote.compareAndSet(1_024, 9, 1));
            assertEquals(0, remote.putOrdered(1_032, 77));
            assertEquals(77, region.buffer().getLongAcquire(1_032));
            assertEquals(0, remote.getAcquire(1_032));
            assertEquals(77, remote.value());
            assertEquals(16, remote.putNotify(0, bytes, 0, 16, 1_040));
            assertEquals(1, region.buffer().getLongAcquire(1_040));
            assertEquals(0, remote.flush());
            assertEquals(0, remote.put(5_000, bytes, 0, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.put(0, bytes, 4_000, 97));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.get(0, bytes, 0, -1));
        }
    }

    /** The owner waits for a rank that has entered, until it leaves. A word that no rank can have written counts as none. */
    @Test
    void shouldKeepARegionThatIsEntered()
    {
        final RemoteRegion second = new RemoteRegion();
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other))
        {
            final Region region = memory.register(5_000, Region.ALL);
            assertEquals(0, remote.attach(own, key(region)));
            assertEquals(0, second.attach(memory, key(region)));
            assertEquals(0, remote.enter());
            assertEquals(RegionResult.ALREADY_ATTACHED, second.enter());
            assertFalse(region.isLeft(ProcessIdentity.current()));
            region.closeWhenLeft(ProcessIdentity.current());
            assertEquals(0, region.buffer().capacity());
            assertEquals(RegionResult.STALE, remote.put(0, bytes, 0, 8));
            assertEquals(0, memory.collect());
            assertEquals(8_192, memory.usedLength());
            remote.leave();
            assertEquals(1, memory.collect());
            assertEquals(0, memory.usedLength());
            assertEquals(RegionResult.STALE, remote.enter());
            final Region next = memory.register(5_000, Region.ALL);
            assertEquals(0, remote.attach(own, key(next)));
            assertEquals(0, remote.enter());
            assertEquals(0, second.attach(memory, key(next)));
            remote.detach();
            assertEquals(0, second.enter(), "a handle that is attached to nothing has left");
            second.leave();
            memory.register(1, 0).close();
            next.closeWhenLeft(null);
            assertEquals(0, memory.usedLength(), "nobody is in it");
            checkDamagedEntrants();
        }
    }

    private void checkDamagedEntrants()
    {
        final UnsafeBuffer table = node.attachShared(RegionDescriptor.name(0, endpoint.epoch())).buffer();
        final long[] words = {-1, 3L << 32 | 1, Long.MIN_VALUE, 1L << 32 | 99, 0L << 32 | 99};
        for (final long word : words)
        {
            final Region region = memory.register(1, Region.ALL);
            table.putLong(RegionDescriptor.entryOffset(key(region).id()) + RegionDescriptor.ENTRANT_OFFSET, word);
            region.closeWhenLeft(ProcessIdentity.current());
            assertEquals(0, memory.usedLength());
        }
    }

    @Test
    void shouldMapARegionOnceMore() throws IOException
    {
        final ByteBuffer mapped;
        final Region region = memory.register(5_000, Region.ALL);
        mapped = region.map();
        assertEquals(5_000, mapped.capacity());
        mapped.putLong(4_992, 7);
        assertEquals(7, region.buffer().getLong(4_992));
        assertEquals(0, remote.attach(memory, key(region)));
        bytes.putLong(0, 8);
        assertEquals(8, remote.put(8, bytes, 0, 8));
        assertEquals(8, mapped.slice().order(ByteOrder.nativeOrder()).getLong(8));
        region.close();
        assertThrows(IllegalStateException.class, region::map);
        final Region later = memory.register(MAX_BYTES, Region.ALL);
        final File[] files = directory.resolve("node").toFile().listFiles((where, name) -> name.startsWith("shared-"));
        assertEquals(1, files.length);
        final Path away = directory.resolve("away");
        Files.move(files[0].toPath(), away);
        Files.write(files[0].toPath(), new byte[1 << 20]);
        final String text = assertThrows(MailboxException.class, later::map).getMessage();
        assertTrue(text.contains("removed, replaced or cut off"), text);
        Files.move(away, files[0].toPath(), StandardCopyOption.REPLACE_EXISTING);
        // the mapping stays
        mapped.putLong(0, 9);
        assertEquals(9, mapped.getLong(0));
    }

    @Test
    void shouldRefuseWhatLiesOutside()
    {
        final Region region = memory.register(100, Region.ALL);
        assertEquals(0, remote.attach(memory, key(region)));
        final long[] offsets = {-1, 97, 100, 101, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE, Long.MIN_VALUE,
            -4, 1L << 32, (1L << 32) + 8, Long.MAX_VALUE - 3};
        for (final long at : offsets)
        {
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.put(at, bytes, 0, 4), "at " + at);
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.get(at, bytes, 0, 4), "at " + at);
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.getAndAdd(at, 1), "at " + at);
            assertEquals(RegionResult.OUT_OF_BOUNDS, remote.putNotify(0, bytes, 0, 4, at), "at " + at);
        }
        assertEquals(4L * offsets.length, memory.refusedCount(RegionResult.OUT_OF_BOUNDS));
        assertEquals(RegionResult.MISALIGNED, remote.getAndAdd(4, 1));
        assertEquals(RegionResult.MISALIGNED, remote.putOrdered(1, 1));
        for (int at = 0; at < 1_024; at++)
        {
            assertEquals(0, region.buffer().getByte(Math.min(99, at)));
        }
        region.close();
    }

    @Test
    void shouldRefuseWithoutTheRight()
    {
        try (Region none = memory.register(64, 0); Region read = memory.register(64, Region.READ);
            Region write = memory.register(64, Region.WRITE))
        {
            assertEquals(0, remote.attach(memory, key(none)));
            assertEquals(RegionResult.NO_RIGHT, remote.get(0, bytes, 0, 1));
            assertEquals(0, remote.attach(memory, key(read)));
            assertEquals(1, remote.get(0, bytes, 0, 1));
            assertEquals(RegionResult.NO_RIGHT, remote.put(0, bytes, 0, 1));
            assertEquals(RegionResult.NO_RIGHT, remote.putOrdered(0, 1));
            assertEquals(0, remote.attach(memory, key(write)));
            assertEquals(1, remote.put(0, bytes, 0, 1));
            assertEquals(RegionResult.NO_RIGHT, remote.compareAndSet(0, 0, 1));
            assertEquals(RegionResult.NO_RIGHT, remote.getAcquire(0));
            assertEquals(RegionResult.NO_RIGHT, remote.putNotify(0, bytes, 0, 1, 8));
            assertEquals(6, memory.refusedCount(RegionResult.NO_RIGHT));
        }
    }

    @Test
    void shouldRefuseAfterTheRegionWasClosed()
    {
        final Region region = memory.register(64, Region.ALL);
        final RegionKey key = key(region);
        assertEquals(0, remote.attach(memory, key));
        region.close();
        region.close();
        assertEquals(0, region.length());
        assertEquals(RegionResult.STALE, remote.put(0, bytes, 0, 1));
        assertEquals(RegionResult.STALE, remote.flush());
        try (Region next = memory.register(64, Region.ALL))
        {
            // the same entry and the same memory
            assertEquals(RegionResult.STALE, remote.put(0, bytes, 0, 1));
            assertEquals(RegionResult.STALE, new RemoteRegion().attach(memory, key));
            assertEquals(0, next.buffer().getByte(0));
        }
        assertEquals(RegionResult.NOT_ATTACHED, new RemoteRegion().put(0, bytes, 0, 1));
        assertEquals(0, memory.usedLength());
    }

    @Test
    void shouldRefuseForgedKeys()
    {
        final Random random = new Random(RegionFixture.seed("RegionTest"));
        try (Region region = memory.register(64, Region.ALL))
        {
            final RegionKey key = new RegionKey();
            final UnsafeBuffer forged = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
            for (int i = 0; i < 100_000; i++)
            {
                key(region).encode(forged, 0);
                final int at = random.nextInt(4) * 4;
                forged.putInt(at, random.nextBoolean() ? random.nextInt() : forged.getInt(at) + 1 + random.nextInt(3));
                key.decode(forged, 0);
                final long result = remote.attach(memory, key);
                assertTrue(key.equals(key(region)) == (result == 0) && result <= 0, () -> key + " " + RegionResult.text(result));
            }
            assertEquals(RegionResult.UNKNOWN_KEY, remote.attach(memory, new RegionKey().set(1, 1, 0, 0)), "never opened");
            assertTrue(memory.refusedCount(RegionResult.UNKNOWN_KEY) > 0);
        }
    }

    /** Whatever the table says, no other byte of the file or beyond it is touched: a page of it would end the JVM. */
    @Test
    void shouldCheckWhatTheTableSays()
    {
        final Random random = new Random(RegionFixture.seed("RegionTest"));
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other);
            Region region = memory.register(3_000, Region.ALL))
        {
            final UnsafeBuffer raw = node.attachShared("region-0-1").buffer();
            final int entry = RegionDescriptor.entryOffset(key(region).id());
            final long chunk = raw.getLong(entry + RegionDescriptor.CHUNK_OFFSET);
            final long[] harms = {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, chunk + 1, chunk + (1 << 21), chunk - 1_024,
                Integer.MAX_VALUE};
            int damaged = 0;
            for (int i = 0; i < 20_000; i++)
            {
                final long offset = random.nextBoolean() ? harms[random.nextInt(harms.length)] : random.nextLong();
                final long length = random.nextBoolean() ? harms[random.nextInt(harms.length)] : random.nextLong();
                raw.putLong(entry + RegionDescriptor.CHUNK_OFFSET, offset);
                raw.putLong(entry + RegionDescriptor.LENGTH_OFFSET, length);
                if (remote.attach(own, key(region)) == 0)
                {
                    assertEquals(1, remote.put(remote.length() - 1, bytes, 0, 1));
                    assertEquals(RegionResult.OUT_OF_BOUNDS, remote.put(remote.length(), bytes, 0, 1));
                }
                else
                {
                    damaged++;
                }
            }
            assertEquals(damaged, own.refusedCount(RegionResult.DAMAGED));
            raw.putLong(entry + RegionDescriptor.CHUNK_OFFSET, chunk);
            raw.putLong(entry + RegionDescriptor.LENGTH_OFFSET, 3_000);
            assertEquals(0, remote.attach(own, key(region)));
        }
    }

    @Test
    void shouldRefuseAFileThatIsNoMemory()
    {
        try (Endpoint other = node.open(1))
        {
            final RegionKey key = new RegionKey().set(1, other.epoch(), 0, 0);
            try (var file = node.createShared("region-1-" + other.epoch(), 100))
            {
                assertEquals(RegionResult.DAMAGED, remote.attach(memory, key));
                file.buffer().putInt(RegionDescriptor.VERSION_OFFSET, RegionDescriptor.VERSION);
                assertEquals(RegionResult.DAMAGED, remote.attach(memory, key));
            }
            try (var file = node.createShared("region-1-" + other.epoch(), 4_096))
            {
                RegionDescriptor.initialise(file.buffer(), 1, other.epoch(), 1 << 20);
                assertEquals(RegionResult.DAMAGED, remote.attach(memory, key));
            }
        }
        assertEquals(3, memory.refusedCount(RegionResult.DAMAGED));
    }

    @Test
    void shouldGrowAndUseMemoryAgain()
    {
        final Region large = memory.register(5_000_000, Region.ALL);
        assertEquals(1 << 23, memory.usedLength());
        large.buffer().setMemory(0, 5_000_000, (byte)1);
        large.close();
        try (Region again = memory.register(5_000_000, Region.ALL))
        {
            assertEquals(0, again.buffer().getByte(4_999_999), "not filled with zeros");
            final IllegalStateException ex =
                assertThrows(IllegalStateException.class, () -> memory.register(1 << 27, Region.ALL));
            assertTrue(ex.getMessage().contains("raise maxLength"), ex.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> memory.register(0, Region.ALL));
        assertThrows(IllegalArgumentException.class, () -> memory.register(1, 8));
        assertThrows(MailboxException.class, () -> RegionMemory.open(node, endpoint));
        try (Endpoint other = node.open(1); RegionMemory small = RegionMemory.open(node, other, 1_024, 1, 1);
            Region one = small.register(1_024, Region.READ))
        {
            assertEquals(1_024, one.length());
            final IllegalStateException ex = assertThrows(IllegalStateException.class, () -> small.register(1, Region.READ));
            assertTrue(ex.getMessage().contains("raise maxEntries"), ex.getMessage());
        }
    }

    /** Its file would have the name of a memory of that other node, or of a rank that nobody asks any more. */
    @Test
    void shouldBeNoMemoryOfAnEndpointThatTheNodeHasNot() throws IOException
    {
        final Path place = Files.createDirectory(directory.resolve("elsewhere"));
        try (Node elsewhere = Node.launch(RegionFixture.context(place, 3)); Endpoint foreign = elsewhere.open(1);
            RegionMemory foreignMemory = RegionMemory.open(elsewhere, foreign))
        {
            final Endpoint own = node.open(1);
            final MessengerContext mixed = new MessengerContext().endpoint(own).rankCount(3).regionMemory(foreignMemory);
            final IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Messenger.launch(mixed));
            assertTrue(refused.getMessage().contains("regionMemory is another endpoint's"), refused.getMessage());
            final IllegalArgumentException ex =
                assertThrows(IllegalArgumentException.class, () -> RegionMemory.open(node, foreign));
            assertTrue(ex.getMessage().contains("endpoint of another node: found=" + foreign), ex.getMessage());
            own.close();
            final IllegalStateException closed =
                assertThrows(IllegalStateException.class, () -> RegionMemory.open(node, own));
            assertTrue(closed.getMessage().contains("endpoint is closed"), closed.getMessage());
            assertNull(node.tryAttachShared(RegionDescriptor.name(own.rank(), own.epoch())));
            assertNull(node.tryAttachShared(RegionDescriptor.name(foreign.rank(), foreign.epoch())));
        }
    }

    @Test
    void shouldSayThatAMemoryOrARankIsClosed()
    {
        final Region region = memory.register(64, Region.ALL);
        try (Endpoint other = node.open(1))
        {
            final RegionMemory own = RegionMemory.open(node, other);
            assertEquals(0, remote.attach(own, key(region)));
            memory.close();
            assertEquals(1, remote.put(0, bytes, 0, 1), "what is mapped stays");
            endpoint.close();
            assertEquals(Endpoint.PEER_GONE, remote.put(0, bytes, 0, 1));
            assertEquals(Endpoint.PEER_GONE, remote.attach(own, key(region)));
            own.close();
            assertEquals(Endpoint.CLOSED, remote.attach(own, key(region)));
            assertThrows(IllegalStateException.class, () -> own.register(1, 0));
        }
    }

    /** A memory that is opened again has the name of the former one: neither its keys nor its mapping stand for the new one. */
    @Test
    void shouldReachTheMemoryThatWasOpenedAgain()
    {
        try (Endpoint other = node.open(1); RegionMemory own = RegionMemory.open(node, other))
        {
            final RegionKey former = key(memory.register(64, Region.ALL));
            assertEquals(0, remote.attach(own, former));
            memory.close();
            assertEquals(8, remote.put(0, bytes, 0, 8), "what is mapped stays");
            assertEquals(RegionResult.UNKNOWN_KEY, new RemoteRegion().attach(own, former));
            memory = RegionMemory.open(node, endpoint);
            final Region region = memory.register(64, Region.ALL);
            assertNotEquals(former, key(region));
            assertEquals(RegionResult.STALE, new RemoteRegion().attach(own, former));
            final RemoteRegion next = new RemoteRegion();
            assertEquals(0, next.attach(own, key(region)));
            bytes.putLong(0, 4_711);
            assertEquals(8, next.put(8, bytes, 0, 8));
            assertEquals(4_711, region.buffer().getLong(8));
            assertEquals(8, remote.put(16, bytes, 0, 8));
            assertEquals(0, region.buffer().getLong(16), "a handle of the former memory writes into the new one");
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Region region = memory.register(4_096, Region.ALL))
        {
            final RegionKey key = key(region);
            operate(key, 20_000);
            long allocated = Long.MAX_VALUE;
            for (int round = 0; round < 5 && allocated >= MAX_BYTES; round++)
            {
                final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                operate(key, 20_000);
                allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            }
            assertTrue(allocated < MAX_BYTES, "allocated " + allocated);
        }
    }

    private void operate(final RegionKey key, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            remote.attach(memory, key);
            remote.put(0, bytes, 0, 256);
            remote.get(0, bytes, 0, 256);
            remote.putNotify(0, bytes, 0, 64, 64);
            remote.getAndAdd(128, 1);
            remote.compareAndSet(128, 0, 1);
            remote.put(-1, bytes, 0, 1);
            remote.flush();
        }
    }

    @Test
    void shouldCountWithAnotherProcess()
    {
        try (ForkedJvm child = RegionProcess.start(directory); Region region = memory.register(64, Region.ALL))
        {
            child.writeLine("attach " + RegionProcess.hex(key(region)));
            assertEquals("0", child.readLine());
            assertEquals(0, remote.attach(memory, key(region)));
            child.writeLine("add 8 100000");
            for (int i = 0; i < 100_000; i++)
            {
                assertEquals(0, remote.getAndAdd(8, 1));
            }
            child.readLine();
            assertEquals(200_000, region.buffer().getLongVolatile(8));
            child.writeLine("exit");
            assertEquals(0, child.waitFor());
        }
    }

    /** Writers die at any point of a put: the region stays the owner's, and others go on. */
    @Test
    void shouldOutliveKilledWriters()
    {
        final Random random = new Random(RegionFixture.seed("RegionTest"));
        try (Region region = memory.register(2_048, Region.ALL); Region next = memory.register(1_024, Region.ALL))
        {
            for (int kill = 0; kill < KILLS; kill++)
            {
                try (ForkedJvm child = RegionProcess.start(directory))
                {
                    child.writeLine("attach " + RegionProcess.hex(key(region)));
                    assertEquals("0", child.readLine());
                    child.writeLine("write");
                    assertEquals("writing", child.readLine());
                    final long begin = region.buffer().getLongAcquire(1_024);
                    final long until = begin + 1 + random.nextInt(10_000);
                    Watchdog.await("puts of the child", () -> region.buffer().getLongAcquire(1_024) >= until);
                    child.kill();
                    Watchdog.await("the end of the child's rank", () ->
                        RankState.of(endpoint.rankState(1)) !=
                            RankState.OPEN);
                }
            }
            for (int at = 0; at < 1_024; at += 8)
            {
                assertEquals(0, next.buffer().getLong(at), "a write went beyond its region");
                assertEquals(0, region.buffer().getLong(1_024 + Math.max(8, at)));
            }
        }
    }

    /** The owner dies while this process writes into its region: the memory stays, and the handle says that the owner is gone. */
    @Test
    void shouldOutliveKilledOwners()
    {
        final Random random = new Random(RegionFixture.seed("RegionTest"));
        for (int kill = 0; kill < KILLS; kill++)
        {
            try (ForkedJvm child = RegionProcess.start(directory))
            {
                child.writeLine("register 4096");
                final RegionKey key = RegionProcess.key(child.readLine());
                assertEquals(0, remote.attach(memory, key));
                for (int i = random.nextInt(10_000); i > 0; i--)
                {
                    assertEquals(4_096, remote.put(0, bytes, 0, 4_096));
                }
                child.kill();
                Watchdog.await("PEER_GONE", () -> remote.put(0, bytes, 0, 4_096) == Endpoint.PEER_GONE);
                assertEquals(Endpoint.PEER_GONE, remote.attach(memory, key));
            }
        }
        Watchdog.await("removal of the files of dead owners", () -> node.context().directory()
            .list((parent, name) -> name.startsWith("shared-region-1-")).length == 0);
    }
}
