// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Elements in the external data representation, XDR, of RFC 4506: the same bytes on every machine, whatever its byte order. A
 * program encodes what it sends, moves it as {@link ElementType#BYTES}, and decodes what it has received, each in the byte order
 * of its own buffers. There is nothing to be agreed on but type and count.
 *
 * <pre>
 *   BYTE, SHORT, CHAR, INT, BOOLEAN   an integer of 4 bytes
 *   LONG                              a hyper integer of 8 bytes
 *   FLOAT, DOUBLE                     IEEE 754, 4 and 8 bytes
 *   INT_INT, LONG_INT and so on       the number, then an integer of 4 bytes
 *   BYTES                             opaque data: as they are, and zeros up to a multiple of 4 bytes
 * </pre>
 *
 * Nothing is allocated. Any thread.
 */
public final class XdrElements
{
    private static final int UNIT = 4;

    private XdrElements()
    {
    }

    /**
     * Length of elements in XDR.
     *
     * @param type  of the elements.
     * @param count number of elements, at least 0.
     * @return the length in bytes, a multiple of 4.
     * @throws IllegalArgumentException if the count is out of range: all elements have at most 2^31 - 4 bytes.
     */
    public static int encodedLength(final ElementType type, final int count)
    {
        Checks.isSet("type", type);
        Checks.range("count", count, 0, (Integer.MAX_VALUE & -UNIT) / Math.max(elementLength(type), type.length()));
        return (count * elementLength(type) + UNIT - 1) & -UNIT;
    }

    private static int elementLength(final ElementType type)
    {
        switch (type)
        {
            case BYTES:
                return 1;
            case LONG:
            case DOUBLE:
            case INT_INT:
            case FLOAT_INT:
                return 2 * UNIT;
            case LONG_INT:
            case DOUBLE_INT:
                return 3 * UNIT;
            default:
                return UNIT;
        }
    }

    /**
     * Encodes elements.
     *
     * @param type       of the elements.
     * @param from       buffer with the elements.
     * @param fromOffset of the first one in bytes.
     * @param order      of the bytes of their numbers.
     * @param count      number of elements, at least 0.
     * @param to         buffer for the encoded elements, without a byte in common with the other one.
     * @param toOffset   of the first one in bytes.
     * @return length of the encoded elements in bytes.
     * @throws IllegalArgumentException if the count is out of range.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public static int encode(
        final ElementType type, final DirectBuffer from, final int fromOffset, final ByteOrder order, final int count,
        final MutableDirectBuffer to, final int toOffset)
    {
        final int length = encodedLength(type, count);
        from.boundsCheck(fromOffset, count * type.length());
        to.boundsCheck(toOffset, length);
        if (type == ElementType.BYTES)
        {
            to.putBytes(toOffset, from, fromOffset, count);
            to.setMemory(toOffset + count, length - count, (byte)0);
            return length;
        }
        for (int i = 0; i < count; i++)
        {
            encodeOne(type, from, fromOffset + i * type.length(), order, to, toOffset + i * elementLength(type));
        }
        return length;
    }

    private static void encodeOne(
        final ElementType type, final DirectBuffer from, final int at, final ByteOrder order, final MutableDirectBuffer to,
        final int toOffset)
    {
        switch (type)
        {
            case BYTE:
                put(to, toOffset, from.getByte(at));
                break;
            case SHORT:
                put(to, toOffset, from.getShort(at, order));
                break;
            case CHAR:
                put(to, toOffset, from.getShort(at, order) & 0xFFFF);
                break;
            case BOOLEAN:
                put(to, toOffset, from.getByte(at) == 0 ? 0 : 1);
                break;
            case LONG:
            case DOUBLE:
            case LONG_INT:
            case DOUBLE_INT:
                to.putLong(toOffset, from.getLong(at, order), ByteOrder.BIG_ENDIAN);
                if (type.isLocated())
                {
                    put(to, toOffset + Long.BYTES, from.getInt(at + Long.BYTES, order));
                }
                break;
            default:
                put(to, toOffset, from.getInt(at, order));
                if (type.isLocated())
                {
                    put(to, toOffset + Integer.BYTES, from.getInt(at + Integer.BYTES, order));
                }
                break;
        }
    }

    private static void put(final MutableDirectBuffer to, final int offset, final int value)
    {
        to.putInt(offset, value, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Decodes elements. What is encoded may come from anywhere: values that the type does not have are refused, and then some of
     * the elements may have been decoded.
     *
     * @param type       of the elements.
     * @param from       buffer with the encoded elements.
     * @param fromOffset of the first one in bytes.
     * @param to         buffer for the elements, without a byte in common with the other one. The unused bytes of LONG_INT and
     *                   DOUBLE_INT get 0.
     * @param toOffset   of the first one in bytes.
     * @param order      of the bytes of their numbers.
     * @param count      number of elements, at least 0.
     * @return length of the encoded elements in bytes.
     * @throws IllegalArgumentException if the count is out of range, or a value is.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public static int decode(
        final ElementType type, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final ByteOrder order, final int count)
    {
        final int length = encodedLength(type, count);
        from.boundsCheck(fromOffset, length);
        to.boundsCheck(toOffset, count * type.length());
        if (type == ElementType.BYTES)
        {
            to.putBytes(toOffset, from, fromOffset, count);
            for (int i = count; i < length; i++)
            {
                requireRange(type, i, from.getByte(fromOffset + i), 0, 0);
            }
            return length;
        }
        for (int i = 0; i < count; i++)
        {
            decodeOne(type, i, from, fromOffset + i * elementLength(type), to, toOffset + i * type.length(), order);
        }
        return length;
    }

    private static void decodeOne(
        final ElementType type, final int index, final DirectBuffer from, final int at, final MutableDirectBuffer to,
        final int toOffset, final ByteOrder order)
    {
        final int value = from.getInt(at, ByteOrder.BIG_ENDIAN);
        switch (type)
        {
            case BYTE:
                to.putByte(toOffset, (byte)requireRange(type, index, value, Byte.MIN_VALUE, Byte.MAX_VALUE));
                break;
            case SHORT:
                to.putShort(toOffset, (short)requireRange(type, index, value, Short.MIN_VALUE, Short.MAX_VALUE), order);
                break;
            case CHAR:
                to.putShort(toOffset, (short)requireRange(type, index, value, 0, Character.MAX_VALUE), order);
                break;
            case BOOLEAN:
                to.putByte(toOffset, (byte)requireRange(type, index, value, 0, 1));
                break;
            case LONG:
            case DOUBLE:
            case LONG_INT:
            case DOUBLE_INT:
                to.putLong(toOffset, from.getLong(at, ByteOrder.BIG_ENDIAN), order);
                if (type.isLocated())
                {
                    to.putInt(toOffset + Long.BYTES, from.getInt(at + Long.BYTES, ByteOrder.BIG_ENDIAN), order);
                    to.putInt(toOffset + Long.BYTES + Integer.BYTES, 0);
                }
                break;
            default:
                to.putInt(toOffset, value, order);
                if (type.isLocated())
                {
                    to.putInt(toOffset + Integer.BYTES, from.getInt(at + Integer.BYTES, ByteOrder.BIG_ENDIAN), order);
                }
                break;
        }
    }

    private static int requireRange(final ElementType type, final int index, final int found, final int least, final int most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException("no such value in XDR of type " + type + ": found=" + found + " at index " +
                index + ", expected=" + least + " to " + most);
        }
        return found;
    }
}
