// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class XdrElementsTest
{
    private static final int AT = 3;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    XdrElementsTest()
    {
        System.out.println("XdrElementsTest: seed=" + seed);
    }

    /** What a program writes in one byte order, another one reads in either; between them are the bytes of RFC 4506. */
    @ParameterizedTest
    @EnumSource(ElementType.class)
    void shouldBeTheSameOnEveryMachine(final ElementType type) throws IOException
    {
        for (int count = 0; count < 40; count++)
        {
            final ByteArrayOutputStream expected = new ByteArrayOutputStream();
            final byte[] little = elements(type, count, expected);
            final byte[] big = reversed(type, little);
            final int length = XdrElements.encodedLength(type, count);
            assertEquals(expected.size(), length, type.name());
            for (final ByteOrder order : new ByteOrder[]{ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN})
            {
                final UnsafeBuffer from = new UnsafeBuffer(order == ByteOrder.LITTLE_ENDIAN ? little : big);
                final UnsafeBuffer encoded = random.nextBoolean() ? new UnsafeBuffer(new byte[length + 2 * AT]) :
                    new UnsafeBuffer(ByteBuffer.allocateDirect(length + 2 * AT));
                encoded.setMemory(0, encoded.capacity(), (byte)0x77);
                assertEquals(length, XdrElements.encode(type, from, AT, order, count, encoded, AT));
                final byte[] found = new byte[length];
                encoded.getBytes(AT, found);
                assertArrayEquals(expected.toByteArray(), found, type + " of " + count + ", seed=" + seed);
                assertEquals(0x77, encoded.getByte(AT - 1) & encoded.getByte(AT + length), "nothing beside");
                for (final ByteOrder other : new ByteOrder[]{ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN})
                {
                    final byte[] to = new byte[little.length];
                    assertEquals(length, XdrElements.decode(type, encoded, AT, new UnsafeBuffer(to), AT, other, count));
                    assertArrayEquals(other == ByteOrder.LITTLE_ENDIAN ? little : big, to, type + ", seed=" + seed);
                }
            }
        }
    }

    /** Elements in little-endian order, and what they are in XDR, as the JDK writes it. */
    private byte[] elements(final ElementType type, final int count, final ByteArrayOutputStream xdr) throws IOException
    {
        final ByteBuffer buffer = ByteBuffer.allocate(AT + count * type.length()).order(ByteOrder.LITTLE_ENDIAN);
        final DataOutputStream out = new DataOutputStream(xdr);
        for (int i = 0; i < count; i++)
        {
            final int at = AT + i * type.length();
            final long value = random.nextLong();
            switch (type.isLocated() ? type.length() == 16 ? ElementType.LONG : ElementType.INT : type)
            {
                case BYTE:
                    buffer.put(at, (byte)value);
                    out.writeInt((byte)value);
                    break;
                case BOOLEAN:
                    buffer.put(at, (byte)(value & 1));
                    out.writeInt((int)(value & 1));
                    break;
                case BYTES:
                    buffer.put(at, (byte)value);
                    out.writeByte((byte)value);
                    break;
                case SHORT:
                    buffer.putShort(at, (short)value);
                    out.writeInt((short)value);
                    break;
                case CHAR:
                    buffer.putChar(at, (char)value);
                    out.writeInt((char)value);
                    break;
                case LONG:
                case DOUBLE:
                    buffer.putLong(at, value);
                    out.writeLong(value);
                    break;
                default:
                    buffer.putInt(at, (int)value);
                    out.writeInt((int)value);
                    break;
            }
            if (type.isLocated())
            {
                buffer.putInt(at + type.length() / 2, i - 7);
                out.writeInt(i - 7);
            }
        }
        while (xdr.size() % 4 != 0)
        {
            out.writeByte(0);
        }
        return buffer.array();
    }

    /** The same elements in the other byte order. */
    private static byte[] reversed(final ElementType type, final byte[] elements)
    {
        final byte[] result = elements.clone();
        final int unit = type.isLocated() ? type.length() / 2 : type.length();
        for (int at = AT; at < elements.length; at += unit)
        {
            // the int of a LONG_INT is half of its part
            final boolean isPlace = type.isLocated() && (at - AT) % type.length() != 0;
            final int length = isPlace ? Integer.BYTES : unit;
            for (int i = 0; i < length; i++)
            {
                result[at + i] = elements[at + length - 1 - i];
            }
        }
        return result;
    }

    @Test
    void shouldRefuseWhatNoElementIs()
    {
        final UnsafeBuffer encoded = new UnsafeBuffer(new byte[16]);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[16]);
        final int[][] wrong = {{128, -129}, {32_768, -32_769}, {65_536, -1}};
        final ElementType[] types = {ElementType.BYTE, ElementType.SHORT, ElementType.CHAR};
        for (int i = 0; i < types.length; i++)
        {
            for (final int value : wrong[i])
            {
                final ElementType type = types[i];
                encoded.putInt(4, value, ByteOrder.BIG_ENDIAN);
                final String message = assertThrows(IllegalArgumentException.class,
                    () -> XdrElements.decode(type, encoded, 0, to, 0, ByteOrder.nativeOrder(), 2)).getMessage();
                assertTrue(message.contains("found=" + value + " at index 1"), message);
            }
        }
        encoded.putInt(4, 2, ByteOrder.BIG_ENDIAN);
        assertThrows(IllegalArgumentException.class,
            () -> XdrElements.decode(ElementType.BOOLEAN, encoded, 0, to, 0, ByteOrder.nativeOrder(), 2));
        assertThrows(IllegalArgumentException.class,
            () -> XdrElements.decode(ElementType.BYTES, encoded, 0, to, 0, ByteOrder.nativeOrder(), 7), "zeros are missing");
        assertThrows(IndexOutOfBoundsException.class,
            () -> XdrElements.decode(ElementType.LONG, encoded, 0, to, 0, ByteOrder.nativeOrder(), 3));
        assertThrows(IndexOutOfBoundsException.class,
            () -> XdrElements.encode(ElementType.BYTE, encoded, 0, ByteOrder.nativeOrder(), 5, to, 0));
        for (final ElementType type : ElementType.values())
        {
            assertThrows(IllegalArgumentException.class, () -> XdrElements.encodedLength(type, -1));
            assertThrows(IllegalArgumentException.class, () -> XdrElements.encodedLength(type, Integer.MAX_VALUE));
        }
        assertThrows(IllegalArgumentException.class, () -> XdrElements.encodedLength(null, 1));
        assertEquals(Integer.MAX_VALUE - 3, XdrElements.encodedLength(ElementType.BYTES, Integer.MAX_VALUE - 3));
    }

    @Test
    void shouldAllocateNothing()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final UnsafeBuffer from = new UnsafeBuffer(new byte[160]);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[160]);
        final ElementType[] types = ElementType.values();
        final ByteOrder[] orders = {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN};
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5 && allocated > 1_024; round++)
        {
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int use = 0; use < 10_000; use++)
            {
                final ElementType type = types[use % types.length];
                XdrElements.encode(type, from, 0, orders[use & 1], 10, to, 0);
                XdrElements.decode(type, to, 0, from, 0, orders[use & 1], 10);
            }
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
        assertTrue(allocated <= 1_024, "allocated " + allocated + " bytes for 20,000 calls");
        assertTrue(Arrays.stream(types).allMatch((type) -> XdrElements.encodedLength(type, 1) % 4 == 0));
    }
}
