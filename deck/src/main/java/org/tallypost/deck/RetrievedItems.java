// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;

/**
 * Items of a message that was retrieved, in the buffer of its mail box. The sender may have written anything: each item is
 * checked against the length of the message before it is read. One thread at a time.
 *
 * <p>The superclass of {@link Message}, and no object of its own: a retrieve then waits for one line of memory per message.
 */
abstract class RetrievedItems
{
    private PooledBuffer received;
    private int position;
    private int items;

    final void begin(final PooledBuffer buffer)
    {
        received = buffer;
        position = 0;
        items = 0;
    }

    /** The buffer, which is the caller's from now on; null if nothing was retrieved. */
    final PooledBuffer takeReceived()
    {
        final PooledBuffer held = received;
        received = null;
        return held;
    }

    final int receivedLength()
    {
        return received == null ? 0 : received.length;
    }

    final int sender()
    {
        return received == null ? -1 : received.source;
    }

    final boolean isLeft()
    {
        return position < receivedLength();
    }

    /** {@link ItemType} of the next item; 0 at the end. */
    final int nextCode()
    {
        return isLeft() ? received.buffer.getByte(position) : 0;
    }

    final int countOfNext()
    {
        final int code = nextCode();
        if (!ItemType.isKnown(code))
        {
            throw wrong(ItemType.label(code), "an item");
        }
        return ItemType.hasCount(code) ? count(code) : 1;
    }

    private UnpackException wrong(final String found, final String expected)
    {
        return new UnpackException("wrong item in a message: item=" + items + ", byte=" + position + ", found=" + found +
            ", expected=" + expected);
    }

    /** Count of an item that has one, as far as the message can hold it. */
    private int count(final int code)
    {
        final long left = (long)received.length - position - ItemType.HEAD_LENGTH;
        final int count = left < 0 ? -1 : received.buffer.getInt(position + ItemType.CODE_LENGTH, LITTLE_ENDIAN);
        if (count < 0 || (long)count * ItemType.width(code) > left)
        {
            throw wrong(ItemType.label(code) + " of " + count + ", with " + left + " bytes left", "an item within the message");
        }
        return count;
    }

    /** Takes an item of a type: where its values are. */
    private int take(final int code, final int count)
    {
        final int found = nextCode();
        if (found != code)
        {
            throw wrong(ItemType.label(found), ItemType.label(code));
        }
        final int at;
        if (ItemType.hasCount(code))
        {
            final int there = count(code);
            if (there != count)
            {
                throw wrong(ItemType.label(code) + " of " + there, ItemType.label(code) + " of " + count);
            }
            at = position + ItemType.HEAD_LENGTH;
        }
        else
        {
            at = position + ItemType.CODE_LENGTH;
            if (at + ItemType.width(code) > received.length)
            {
                throw wrong(ItemType.label(code) + ", with " + (received.length - at) + " bytes left",
                    "an item within the message");
            }
        }
        position = at + count * ItemType.width(code);
        items++;
        return at;
    }

    final byte takeByte()
    {
        final int at = take(ItemType.BYTE, 1);
        return received.buffer.getByte(at);
    }

    final void take(final byte[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.BYTE, count);
        received.buffer.getBytes(at, values, offset, count);
    }

    final short takeShort()
    {
        final int at = take(ItemType.SHORT, 1);
        return received.buffer.getShort(at, LITTLE_ENDIAN);
    }

    final void take(final short[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.SHORT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getShort(at + i * Short.BYTES, LITTLE_ENDIAN);
        }
    }

    final int takeInt()
    {
        final int at = take(ItemType.INT, 1);
        return received.buffer.getInt(at, LITTLE_ENDIAN);
    }

    final void take(final int[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.INT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getInt(at + i * Integer.BYTES, LITTLE_ENDIAN);
        }
    }

    final long takeLong()
    {
        final int at = take(ItemType.LONG, 1);
        return received.buffer.getLong(at, LITTLE_ENDIAN);
    }

    final void take(final long[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.LONG, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getLong(at + i * Long.BYTES, LITTLE_ENDIAN);
        }
    }

    final float takeFloat()
    {
        final int at = take(ItemType.FLOAT, 1);
        return received.buffer.getFloat(at, LITTLE_ENDIAN);
    }

    final void take(final float[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.FLOAT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getFloat(at + i * Float.BYTES, LITTLE_ENDIAN);
        }
    }

    final double takeDouble()
    {
        final int at = take(ItemType.DOUBLE, 1);
        return received.buffer.getDouble(at, LITTLE_ENDIAN);
    }

    final void take(final double[] values, final int offset, final int count)
    {
        PackedItems.checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.DOUBLE, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getDouble(at + i * Double.BYTES, LITTLE_ENDIAN);
        }
    }

    final String takeText()
    {
        final byte[] bytes = new byte[nextCode() == ItemType.UTF8 ? countOfNext() : 0];
        final int at = take(ItemType.UTF8, bytes.length);
        received.buffer.getBytes(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
