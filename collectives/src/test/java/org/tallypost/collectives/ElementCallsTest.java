// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** Members with data in different byte orders; members that say another one than they have. */
@Tag("once")
class ElementCallsTest
{
    private static final int RANKS = 3;
    private static final int GUARD = 5;
    private static final int ROOM = 3_000;
    private static final int[] COUNTS = {0, 1, 7, 60};
    /** Byte by byte: numbers in different byte orders give what none of them is. */
    private static final Reducer MIXED = Reducers.of("mixed", true, (type, inOut, at, in, from, count) ->
    {
        for (int i = 0; i < count * type.length(); i++)
        {
            inOut.putByte(at + i, (byte)(inOut.getByte(at + i) ^ in.getByte(from + i)));
        }
    });

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger late = new AtomicInteger();
    /** What ranks have done, where that is much. */
    private final AtomicLong done = new AtomicLong();

    ElementCallsTest()
    {
        System.out.println("ElementCallsTest: -Dtallypost.seed=" + seed);
    }

    private void inEach(final Consumer<Team> body) throws InterruptedException
    {
        try (Node node = Node.launch(CollectivesTest.context(directory, RANKS)))
        {
            final List<Thread> threads = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++)
            {
                final Endpoint endpoint = node.open(rank);
                final Thread thread = new Thread(() ->
                {
                    try (Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext()))
                    {
                        body.accept(collectives.world());
                    }
                    catch (final Throwable t)
                    {
                        failure.compareAndSet(null, t);
                        endpoint.close();
                    }
                }, "rank " + rank);
                threads.add(thread);
                thread.start();
            }
            Watchdog.awaitEnds(threads, failure, done::get);
        }
    }

    /** Little-endian elements that follow from numbers. */
    private byte[] elements(final ElementType type, final int count, final int... from)
    {
        final byte[] bytes = new byte[count * type.length()];
        new Random(seed + Arrays.hashCode(from)).nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = type == ElementType.BOOLEAN ? (byte)(bytes[i] & 1) : type.length() == 16 && i % 16 >= 12 ? 0 : bytes[i];
        }
        return bytes;
    }

    /** Elements in a byte order, from little-endian ones. */
    private static byte[] in(final ByteOrder order, final ElementType type, final byte[] little)
    {
        final byte[] result = little.clone();
        for (int at = 0; at < little.length && order == ByteOrder.BIG_ENDIAN; at += type.length())
        {
            final int first = type.isLocated() ? type.length() / 2 : type.length();
            reverse(result, at, first);
            if (type.isLocated())
            {
                reverse(result, at + first, Integer.BYTES);
            }
        }
        return result;
    }

    private static void reverse(final byte[] bytes, final int at, final int length)
    {
        for (int i = 0; i < length / 2; i++)
        {
            final byte first = bytes[at + i];
            bytes[at + i] = bytes[at + length - 1 - i];
            bytes[at + length - 1 - i] = first;
        }
    }

    private static byte[] mixed(final byte[] first, final byte[] second)
    {
        final byte[] result = first.clone();
        for (int i = 0; i < result.length; i++)
        {
            result[i] ^= second[i];
        }
        return result;
    }

    private static byte[] joined(final byte[]... parts)
    {
        final byte[] result = new byte[Arrays.stream(parts).mapToInt((part) -> part.length).sum()];
        int at = 0;
        for (final byte[] part : parts)
        {
            System.arraycopy(part, 0, result, at, part.length);
            at += part.length;
        }
        return result;
    }

    /** Checks what has come into a buffer of some byte, and that nothing beside it was written. */
    private void check(final String what, final byte[] expected, final long result, final UnsafeBuffer found)
    {
        assertTrue(result >= 0, () -> what + ": " + Team.errorString(result));
        final byte[] all = new byte[found.capacity()];
        Arrays.fill(all, (byte)0x55);
        System.arraycopy(expected, 0, all, GUARD, expected.length);
        assertArrayEquals(all, found.byteArray(), what + ", seed=" + seed);
    }

    private static UnsafeBuffer empty()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ROOM]);
        buffer.setMemory(0, ROOM, (byte)0x55);
        return buffer;
    }

    private static UnsafeBuffer filled(final byte[] data)
    {
        final UnsafeBuffer buffer = empty();
        buffer.putBytes(GUARD, data);
        return buffer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"bbl", "lbb", "bbb", "lbX", "bXb"})
    void shouldGiveEachMemberItsByteOrder(final String members) throws InterruptedException
    {
        inEach((team) ->
        {
            final int self = team.member();
            final ByteOrder order = members.charAt(self) == 'b' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            final ElementCalls calls =
                members.charAt(self) == 'X' ? ElementCalls.ofXdr(team, order) : ElementCalls.of(team, order);
            assertThrows(IllegalStateException.class, () -> calls.orderOf(0));
            assertTrue(calls.meet() >= 0);
            assertEquals(members.contains("X"), calls.isXdr());
            assertEquals(order, calls.orderOf(self));
            for (final ElementType type : ElementType.values())
            {
                for (final int count : COUNTS)
                {
                    operations(calls, self, order, type, count, type + " of " + count + " at " + self + " of " + members);
                }
            }
        });
    }

    private void operations(
        final ElementCalls calls, final int self, final ByteOrder order, final ElementType type, final int count,
        final String what)
    {
        final int root = count % RANKS;
        final byte[][] from = new byte[RANKS][];
        final byte[][] forAll = new byte[RANKS][];
        for (int i = 0; i < RANKS; i++)
        {
            from[i] = in(order, type, elements(type, count, i));
            forAll[i] = in(order, type, elements(type, RANKS * count, i));
        }
        final byte[] all = joined(from);
        final int length = count * type.length();
        UnsafeBuffer to = self == root ? filled(from[root]) : empty();
        check("broadcast " + what, from[root], calls.broadcast(root, type, to, GUARD, count), to);
        to = empty();
        check("scatter " + what, Arrays.copyOfRange(forAll[root], self * length, (self + 1) * length),
            calls.scatter(root, type, filled(forAll[root]), GUARD, to, GUARD, count), to);
        to = empty();
        check("gather " + what, self == root ? all : new byte[0],
            calls.gather(root, type, filled(from[self]), GUARD, to, GUARD, count), to);
        to = empty();
        check("allGather " + what, all, calls.allGather(type, filled(from[self]), GUARD, to, GUARD, count), to);
        to = empty();
        final byte[][] column = new byte[RANKS][];
        Arrays.setAll(column, (i) -> Arrays.copyOfRange(forAll[i], self * length, (self + 1) * length));
        check("allToAll " + what, joined(column),
            calls.allToAll(type, filled(forAll[self]), GUARD, to, GUARD, count), to);
        to = empty();
        final byte[] sum = mixed(from[0], mixed(from[1], from[2]));
        check("reduce " + what, self == root ? sum : new byte[0],
            calls.reduce(root, type, MIXED, filled(from[self]), GUARD, to, GUARD, count), to);
        to = empty();
        check("allReduce " + what, sum, calls.allReduce(type, MIXED, filled(from[self]), GUARD, to, GUARD, count), to);
        to = empty();
        final byte[] whole = mixed(forAll[0], mixed(forAll[1], forAll[2]));
        check("reduceScatter " + what, Arrays.copyOfRange(whole, self * length, (self + 1) * length),
            calls.reduceScatter(type, MIXED, filled(forAll[self]), GUARD, to, GUARD, count), to);
        to = empty();
        check("scan " + what, self == 0 ? from[0] : self == 1 ? mixed(from[0], from[1]) : sum,
            calls.scan(type, MIXED, false, filled(from[self]), GUARD, to, GUARD, count), to);
        to = empty();
        check("exclusive scan " + what, self == 0 ? new byte[0] : self == 1 ? from[0] : mixed(from[0], from[1]),
            calls.scan(type, MIXED, true, filled(from[self]), GUARD, to, GUARD, count), to);
    }

    /** What is no byte order is refused at all members, which name the one that has told it. The team goes on. */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 8, 0x80, 0xff})
    void shouldRefuseWhatIsNoByteOrder(final int told) throws InterruptedException
    {
        inEach((team) ->
        {
            final ElementCalls calls = ElementCalls.of(team, ByteOrder.nativeOrder());
            if (team.member() == 1)
            {
                final UnsafeBuffer forged = new UnsafeBuffer(new byte[]{(byte)told});
                assertTrue(team.calls().allGather(forged, 0, new UnsafeBuffer(new byte[RANKS]), 0, 1) >= 0);
            }
            else
            {
                final String message = assertThrows(MailboxException.class, calls::meet).getMessage();
                assertTrue(message.contains("member 1 ") && message.contains("found=" + told + ","), message);
                assertThrows(IllegalStateException.class, () -> calls.broadcast(0, ElementType.INT, empty(), 0, 1));
            }
            assertTrue(calls.meet() >= 0, "the team goes on");
            assertEquals(ByteOrder.nativeOrder(), calls.orderOf(1));
        });
    }

    /** A member has not the byte order that it tells: values are turned, and nothing is written beside them. */
    @Test
    void shouldWriteNothingBesideValuesOfAnotherByteOrder() throws InterruptedException
    {
        inEach((team) ->
        {
            final boolean isLiar = team.member() == 1;
            final ElementCalls calls =
                ElementCalls.of(team, isLiar ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            assertTrue(calls.meet() >= 0);
            for (final ElementType type : ElementType.values())
            {
                final byte[] sent = elements(type, 9, type.ordinal());
                final UnsafeBuffer to = isLiar ? filled(sent) : empty();
                check(type.name(), isLiar ? sent : in(ByteOrder.BIG_ENDIAN, type, sent),
                    calls.broadcast(1, type, to, GUARD, 9), to);
            }
        });
    }

    /** A member sends what is no XDR: the others refuse it, with the value, and go on. */
    @Test
    void shouldRefuseWhatIsNoXdr() throws InterruptedException
    {
        inEach((team) ->
        {
            final ElementCalls calls = ElementCalls.ofXdr(team, ByteOrder.nativeOrder());
            assertTrue(calls.meet() >= 0);
            final UnsafeBuffer data = empty();
            if (team.member() == 1)
            {
                assertTrue(team.calls().broadcast(1, data, 0, 9 * Integer.BYTES) >= 0);
            }
            else
            {
                final String message = assertThrows(IllegalArgumentException.class,
                    () -> calls.broadcast(1, ElementType.BYTE, data, GUARD, 9)).getMessage();
                assertTrue(message.contains("found=" + 0x5555_5555), message);
                check("refused", new byte[0], 0, data);
            }
            assertTrue(calls.broadcast(0, ElementType.BYTE, new UnsafeBuffer(new byte[9]), 0, 9) >= 0);
        });
    }

    @Test
    void shouldRefuseWhatDoesNotFit() throws InterruptedException
    {
        inEach((team) ->
        {
            assertThrows(IllegalArgumentException.class, () -> ElementCalls.of(team, null));
            final ElementCalls calls = ElementCalls.of(team, ByteOrder.BIG_ENDIAN);
            assertTrue(calls.meet() >= 0);
            final UnsafeBuffer data = empty();
            assertThrows(IllegalArgumentException.class, () -> calls.broadcast(0, null, data, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> calls.broadcast(RANKS, ElementType.INT, data, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> calls.broadcast(-1, ElementType.INT, data, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> calls.broadcast(0, ElementType.INT, data, 0, -1));
            assertThrows(
                IllegalArgumentException.class, () -> calls.broadcast(0, ElementType.INT, data, 0, Integer.MAX_VALUE));
            assertThrows(IndexOutOfBoundsException.class, () -> calls.broadcast(0, ElementType.INT, data, ROOM - 3, 1));
            assertThrows(IndexOutOfBoundsException.class,
                () -> calls.allReduce(ElementType.INT, MIXED, data, ROOM - 3, empty(), 0, 1));
            assertThrows(IllegalArgumentException.class, () -> calls.orderOf(RANKS));
            assertTrue(calls.toString().contains("BIG_ENDIAN"));
            assertEquals(1, calls.broadcast(0, ElementType.INT, data, 0, 1), "none of these was an operation");
        });
    }

    /** A call that has timed out is waited for again, and turned then; no other one begins meanwhile. */
    @Test
    void shouldTurnWhatComesLate() throws InterruptedException
    {
        inEach((team) ->
        {
            final boolean isRoot = team.member() == 0;
            final ElementCalls calls = ElementCalls.of(team, isRoot ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            assertTrue(calls.meet() >= 0);
            final UnsafeBuffer data = new UnsafeBuffer(new byte[Integer.BYTES]);
            data.putInt(0, isRoot ? 0x0102_0304 : 0, ByteOrder.LITTLE_ENDIAN);
            if (!isRoot)
            {
                assertEquals(Team.TIMED_OUT, calls.until(System.nanoTime() - 1).broadcast(0, ElementType.INT, data, 0, 1));
                late.incrementAndGet();
                assertThrows(IllegalStateException.class, () -> calls.broadcast(0, ElementType.INT, data, 0, 1));
                assertTrue(calls.until(System.nanoTime() + Long.MAX_VALUE / 2).again() >= 0);
                assertEquals(0x0102_0304, data.getInt(0, ByteOrder.BIG_ENDIAN));
            }
            else
            {
                Watchdog.await("the others to have waited in vain", () -> late.get() == RANKS - 1 || failure.get() != null);
                assertTrue(calls.broadcast(0, ElementType.INT, data, 0, 1) >= 0);
            }
        });
    }

    @Test
    void shouldAllocateNothing() throws InterruptedException
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final AtomicLong most = new AtomicLong();
        final AtomicBoolean isDone = new AtomicBoolean();
        for (final boolean isXdr : new boolean[]{false, true})
        {
            inEach((team) ->
            {
                final ByteOrder order = team.member() == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                final ElementCalls calls = isXdr ? ElementCalls.ofXdr(team, order) : ElementCalls.of(team, order);
                assertTrue(calls.meet() >= 0);
                final UnsafeBuffer from = empty();
                final UnsafeBuffer to = empty();
                long allocated;
                int rounds = 0;
                do
                {
                    final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                    for (int i = 0; i < 1_000; i++)
                    {
                        done.incrementAndGet();
                        calls.gather(i % RANKS, ElementType.INT, from, 0, to, 0, 20);
                        calls.allGather(ElementType.LONG, from, 0, to, 0, 20);
                        calls.allReduce(ElementType.INT, Reducers.SUM, from, 0, to, 0, 20);
                    }
                    allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
                    // what the interpreter allocates the compiler does not: all go on until it has been at each member's thread
                    most.accumulateAndGet(allocated, Math::max);
                    assertTrue(team.barrier() >= 0);
                    isDone.set(most.get() <= 1_024);
                    assertTrue(team.barrier() >= 0);
                    most.set(0);
                    assertTrue(team.barrier() >= 0);
                    rounds++;
                }
                while (!isDone.get() && rounds < 200);
                assertTrue(isDone.get(), "allocated " + allocated + " bytes by 3,000 calls");
            });
            assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
        }
    }
}
