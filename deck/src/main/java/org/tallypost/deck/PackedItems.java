// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Items that a message packs for a mail box. All values are little-endian. One thread at a time. */
abstract class PackedItems extends RetrievedItems
{
    private final UnsafeBuffer buffer;
    private final Posting posting;
    private int length;
    /** The last post took {@link #posting}: only then there is something to ask it. */
    private boolean isPostingUsed;

    PackedItems(final Deck deck, final int capacity)
    {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        posting = new Posting(deck, buffer);
    }

    final UnsafeBuffer packed()
    {
        return buffer;
    }

    /** Bytes that are packed so far. */
    final int packedBytes()
    {
        return length;
    }

    final void forgetPacked()
    {
        length = 0;
    }

    final Posting usePosting()
    {
        isPostingUsed = true;
        return posting;
    }

    /** It was posted at once. */
    final void leavePosting()
    {
        isPostingUsed = false;
    }

    final boolean isPosting()
    {
        return isPostingUsed && posting.isActive();
    }

    /** Throws what the last post has failed with. */
    final void checkPosted()
    {
        if (isPostingUsed)
        {
            posting.check();
        }
    }

    /** Throws IllegalStateException while its message is being posted. */
    final void checkFree()
    {
        if (isPosting())
        {
            throw new IllegalStateException("the message is being posted: found=" + posting + "; wait until isPosted()");
        }
    }

    /** Room for an item: where its values go. */
    private int room(final int code, final int count)
    {
        checkFree();
        final long end = length + (long)(ItemType.hasCount(code) ? ItemType.HEAD_LENGTH : ItemType.CODE_LENGTH) +
            (long)count * ItemType.width(code);
        if (end > buffer.capacity())
        {
            throw new IndexOutOfBoundsException("no room in the message: item=" + ItemType.label(code) + " of " + count +
                ", found=" + (buffer.capacity() - length) + " bytes free, expected=" + (end - length) +
                "; make it with a higher capacity");
        }
        int at = length;
        buffer.putByte(at, (byte)code);
        at += ItemType.CODE_LENGTH;
        if (ItemType.hasCount(code))
        {
            buffer.putInt(at, count, LITTLE_ENDIAN);
            at += Integer.BYTES;
        }
        length = (int)end;
        return at;
    }

    static void checkRange(final int offset, final int count, final int length)
    {
        if ((offset | count) < 0 || offset > length - count)
        {
            throw new IndexOutOfBoundsException("elements lie outside of their array: found offset=" + offset + ", count=" +
                count + ", expected=0 to " + length);
        }
    }

    final void put(final byte value)
    {
        buffer.putByte(room(ItemType.BYTE, 1), value);
    }

    final void put(final byte[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        buffer.putBytes(room(ItemType.ARRAY + ItemType.BYTE, count), values, offset, count);
    }

    final void put(final short value)
    {
        buffer.putShort(room(ItemType.SHORT, 1), value, LITTLE_ENDIAN);
    }

    final void put(final short[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.SHORT, count);
        for (int i = 0; i < count; i++)
        {
            buffer.putShort(at + i * Short.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
    }

    final void put(final int value)
    {
        buffer.putInt(room(ItemType.INT, 1), value, LITTLE_ENDIAN);
    }

    final void put(final int[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.INT, count);
        for (int i = 0; i < count; i++)
        {
            buffer.putInt(at + i * Integer.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
    }

    final void put(final long value)
    {
        buffer.putLong(room(ItemType.LONG, 1), value, LITTLE_ENDIAN);
    }

    final void put(final long[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.LONG, count);
        for (int i = 0; i < count; i++)
        {
            buffer.putLong(at + i * Long.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
    }

    final void put(final float value)
    {
        buffer.putFloat(room(ItemType.FLOAT, 1), value, LITTLE_ENDIAN);
    }

    final void put(final float[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.FLOAT, count);
        for (int i = 0; i < count; i++)
        {
            buffer.putFloat(at + i * Float.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
    }

    final void put(final double value)
    {
        buffer.putDouble(room(ItemType.DOUBLE, 1), value, LITTLE_ENDIAN);
    }

    final void put(final double[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.DOUBLE, count);
        for (int i = 0; i < count; i++)
        {
            buffer.putDouble(at + i * Double.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
    }

    final void put(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putBytes(room(ItemType.UTF8, bytes.length), bytes);
    }
}
