// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Items that are packed for a mail box, and items that were retrieved from one. It has memory for what it packs; what it has
 * retrieved stays in the buffer of the mail box until {@link #clear()}, the next retrieve, or {@link #close()}.
 *
 * <p>Each item has its type with it: a byte, and an int with the count for arrays and texts. Items are unpacked in the order in
 * which they were packed, by the same types; another type, another count, or an item too many is an {@link UnpackException}, and
 * nothing is taken then. All values are little-endian on the wire, whatever the machines are.
 *
 * <p>For one thread at a time. Nothing is allocated but by texts. Made by {@link Deck#newMessage(int)}.
 */
public final class Message implements AutoCloseable
{
    private static final int CODE_LENGTH = 1;
    private static final int HEAD_LENGTH = CODE_LENGTH + Integer.BYTES;
    private static final long MAX_PARK_NS = 100_000;

    private final Deck deck;
    private final UnsafeBuffer packed;
    private final Posting posting;
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 20, 1_000, MAX_PARK_NS);
    private int packedLength;
    private PooledBuffer received;
    private int position;
    private int items;

    Message(final Deck deck, final int capacity)
    {
        this.deck = deck;
        packed = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        posting = new Posting(deck, packed);
    }

    /**
     * Room for what is packed.
     *
     * @return in bytes, with a byte for each item and 5 for each array and text.
     */
    public int capacity()
    {
        return packed.capacity();
    }

    /**
     * What is packed so far.
     *
     * @return in bytes.
     */
    public int packedLength()
    {
        return packedLength;
    }

    /**
     * What was retrieved.
     *
     * @return in bytes; 0 if nothing was.
     */
    public int length()
    {
        return received == null ? 0 : received.length;
    }

    /**
     * From where it was retrieved.
     *
     * @return rank of the sender; -1 if nothing was retrieved.
     */
    public int source()
    {
        return received == null ? -1 : received.source;
    }

    /**
     * Whether there are items that were not unpacked.
     *
     * @return true if so.
     */
    public boolean hasNext()
    {
        return received != null && position < received.length;
    }

    /**
     * Type of the next item.
     *
     * @return such as {@code int}, {@code double[]} or {@code text}; {@code nothing} at the end.
     */
    public String nextType()
    {
        return hasNext() ? ItemType.label(received.buffer.getByte(position)) : "nothing";
    }

    /**
     * Elements of the next item, so that there is room for them.
     *
     * @return elements of an array, bytes of a text, 1 for a value.
     * @throws UnpackException if there is no item, or its count cannot be.
     */
    public int nextCount()
    {
        final int code = hasNext() ? received.buffer.getByte(position) : 0;
        if (!ItemType.isKnown(code))
        {
            throw wrong(ItemType.label(code), "an item");
        }
        return ItemType.hasCount(code) ? count(code) : 1;
    }

    Posting posting()
    {
        return posting;
    }

    UnsafeBuffer packed()
    {
        return packed;
    }

    IdleStrategy idle()
    {
        return idle;
    }

    Deck deck()
    {
        return deck;
    }

    void checkFree()
    {
        if (posting.isActive())
        {
            throw new IllegalStateException("the message is being posted: found=" + posting + "; wait until isPosted()");
        }
    }

    /**
     * Whether the last post has ended. One of a large message goes on in the background.
     *
     * @return true if it has, and the message may be used again.
     * @throws DeckException if it has failed.
     */
    public boolean isPosted()
    {
        if (posting.isActive())
        {
            return false;
        }
        posting.check();
        return true;
    }

    /**
     * Waits until the last post has ended.
     *
     * @param timeoutNs longest time in nanoseconds; {@link Deck#FOREVER} for no limit.
     * @return false if the time is over, and it has not.
     * @throws DeckException if it has failed.
     */
    public boolean awaitPosted(final long timeoutNs)
    {
        deck.await(posting, this, timeoutNs);
        return isPosted();
    }

    /**
     * Forgets what was packed and what was retrieved; its buffer goes back to the mail box.
     *
     * @throws IllegalStateException if the message is being posted.
     */
    public void clear()
    {
        checkFree();
        packedLength = 0;
        release();
    }

    /** As {@link #clear()}. */
    @Override
    public void close()
    {
        clear();
    }

    void release()
    {
        checkFree();
        final PooledBuffer held = received;
        if (held != null)
        {
            received = null;
            deck.release(held);
        }
    }

    void onRetrieved(final PooledBuffer buffer)
    {
        received = buffer;
        position = 0;
        items = 0;
    }

    /** Room for an item: where its values go. */
    private int room(final int code, final int count)
    {
        checkFree();
        final long end = packedLength + (long)(ItemType.hasCount(code) ? HEAD_LENGTH : CODE_LENGTH) +
            (long)count * ItemType.width(code);
        if (end > packed.capacity())
        {
            throw new IndexOutOfBoundsException("no room in the message: item=" + ItemType.label(code) + " of " + count +
                ", found=" + (packed.capacity() - packedLength) + " bytes free, expected=" + (end - packedLength) +
                "; make it with a higher capacity");
        }
        int at = packedLength;
        packed.putByte(at, (byte)code);
        at += CODE_LENGTH;
        if (ItemType.hasCount(code))
        {
            packed.putInt(at, count, LITTLE_ENDIAN);
            at += Integer.BYTES;
        }
        packedLength = (int)end;
        return at;
    }

    private static void checkRange(final int offset, final int count, final int length)
    {
        if ((offset | count) < 0 || offset > length - count)
        {
            throw new IndexOutOfBoundsException("elements lie outside of their array: found offset=" + offset + ", count=" +
                count + ", expected=0 to " + length);
        }
    }

    private UnpackException wrong(final String found, final String expected)
    {
        return new UnpackException("wrong item in a message: item=" + items + ", byte=" + position + ", found=" + found +
            ", expected=" + expected);
    }

    /** Count of an item that has one, as far as the message can hold it. */
    private int count(final int code)
    {
        final long left = (long)received.length - position - HEAD_LENGTH;
        final int count = left < 0 ? -1 : received.buffer.getInt(position + CODE_LENGTH, LITTLE_ENDIAN);
        if (count < 0 || (long)count * ItemType.width(code) > left)
        {
            throw wrong(ItemType.label(code) + " of " + count + ", with " + left + " bytes left", "an item within the message");
        }
        return count;
    }

    /** Takes an item of a type: where its values are. */
    private int take(final int code, final int count)
    {
        final int found = hasNext() ? received.buffer.getByte(position) : 0;
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
            at = position + HEAD_LENGTH;
        }
        else
        {
            at = position + CODE_LENGTH;
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

    /**
     * Packs a byte.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final byte value)
    {
        packed.putByte(room(ItemType.BYTE, 1), value);
        return this;
    }

    /**
     * Unpacks a byte.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public byte unpackByte()
    {
        final int at = take(ItemType.BYTE, 1);
        return received.buffer.getByte(at);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final byte[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        packed.putBytes(room(ItemType.ARRAY + ItemType.BYTE, count), values, offset, count);
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final byte[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.BYTE, count);
        received.buffer.getBytes(at, values, offset, count);
    }

    /**
     * Packs a short.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final short value)
    {
        packed.putShort(room(ItemType.SHORT, 1), value, LITTLE_ENDIAN);
        return this;
    }

    /**
     * Unpacks a short.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public short unpackShort()
    {
        final int at = take(ItemType.SHORT, 1);
        return received.buffer.getShort(at, LITTLE_ENDIAN);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final short[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.SHORT, count);
        for (int i = 0; i < count; i++)
        {
            packed.putShort(at + i * Short.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final short[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.SHORT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getShort(at + i * Short.BYTES, LITTLE_ENDIAN);
        }
    }

    /**
     * Packs an int.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final int value)
    {
        packed.putInt(room(ItemType.INT, 1), value, LITTLE_ENDIAN);
        return this;
    }

    /**
     * Unpacks an int.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public int unpackInt()
    {
        final int at = take(ItemType.INT, 1);
        return received.buffer.getInt(at, LITTLE_ENDIAN);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final int[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.INT, count);
        for (int i = 0; i < count; i++)
        {
            packed.putInt(at + i * Integer.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final int[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.INT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getInt(at + i * Integer.BYTES, LITTLE_ENDIAN);
        }
    }

    /**
     * Packs a long.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final long value)
    {
        packed.putLong(room(ItemType.LONG, 1), value, LITTLE_ENDIAN);
        return this;
    }

    /**
     * Unpacks a long.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public long unpackLong()
    {
        final int at = take(ItemType.LONG, 1);
        return received.buffer.getLong(at, LITTLE_ENDIAN);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final long[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.LONG, count);
        for (int i = 0; i < count; i++)
        {
            packed.putLong(at + i * Long.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final long[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.LONG, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getLong(at + i * Long.BYTES, LITTLE_ENDIAN);
        }
    }

    /**
     * Packs a float.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final float value)
    {
        packed.putFloat(room(ItemType.FLOAT, 1), value, LITTLE_ENDIAN);
        return this;
    }

    /**
     * Unpacks a float.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public float unpackFloat()
    {
        final int at = take(ItemType.FLOAT, 1);
        return received.buffer.getFloat(at, LITTLE_ENDIAN);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final float[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.FLOAT, count);
        for (int i = 0; i < count; i++)
        {
            packed.putFloat(at + i * Float.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final float[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.FLOAT, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getFloat(at + i * Float.BYTES, LITTLE_ENDIAN);
        }
    }

    /**
     * Packs a double.
     *
     * @param value of the item.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message pack(final double value)
    {
        packed.putDouble(room(ItemType.DOUBLE, 1), value, LITTLE_ENDIAN);
        return this;
    }

    /**
     * Unpacks a double.
     *
     * @return the value.
     * @throws UnpackException if the next item is another one.
     */
    public double unpackDouble()
    {
        final int at = take(ItemType.DOUBLE, 1);
        return received.buffer.getDouble(at, LITTLE_ENDIAN);
    }

    /**
     * Packs elements of an array.
     *
     * @param values with the elements.
     * @param offset of the first one.
     * @param count  of elements.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room, or they lie outside of the array.
     */
    public Message pack(final double[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = room(ItemType.ARRAY + ItemType.DOUBLE, count);
        for (int i = 0; i < count; i++)
        {
            packed.putDouble(at + i * Double.BYTES, values[offset + i], LITTLE_ENDIAN);
        }
        return this;
    }

    /**
     * Unpacks an array.
     *
     * @param values that get the elements.
     * @param offset of the first one.
     * @param count  of elements, as many as were packed.
     * @throws UnpackException           if the next item is another one.
     * @throws IndexOutOfBoundsException if they lie outside of the array.
     */
    public void unpack(final double[] values, final int offset, final int count)
    {
        checkRange(offset, count, values.length);
        final int at = take(ItemType.ARRAY + ItemType.DOUBLE, count);
        for (int i = 0; i < count; i++)
        {
            values[offset + i] = received.buffer.getDouble(at + i * Double.BYTES, LITTLE_ENDIAN);
        }
    }

    /**
     * Packs a text.
     *
     * @param text that is written as UTF-8.
     * @return this.
     * @throws IndexOutOfBoundsException if there is no room.
     */
    public Message packUtf8(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        packed.putBytes(room(ItemType.UTF8, bytes.length), bytes);
        return this;
    }

    /**
     * Unpacks a text.
     *
     * @return the text; bytes that are no UTF-8 are replaced.
     * @throws UnpackException if the next item is another one.
     */
    public String unpackUtf8()
    {
        final byte[] bytes = new byte[hasNext() && received.buffer.getByte(position) == ItemType.UTF8 ? nextCount() : 0];
        final int at = take(ItemType.UTF8, bytes.length);
        received.buffer.getBytes(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString()
    {
        return "Message{packed=" + packedLength + " of " + capacity() + ", retrieved=" + length() + ", next=" + nextType() +
            ", isPosting=" + posting.isActive() + '}';
    }
}
