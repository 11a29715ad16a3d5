// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

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
public final class Message extends PackedItems implements AutoCloseable
{
    private static final long MAX_PARK_NS = 100_000;

    private final Deck deck;
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 20, 1_000, MAX_PARK_NS);

    Message(final Deck deck, final int capacity)
    {
        super(deck, capacity);
        this.deck = deck;
    }

    /**
     * Room for what is packed.
     *
     * @return in bytes, with a byte for each item and 5 for each array and text.
     */
    public int capacity()
    {
        return packed().capacity();
    }

    /**
     * What is packed so far.
     *
     * @return in bytes.
     */
    public int packedLength()
    {
        return packedBytes();
    }

    /**
     * What was retrieved.
     *
     * @return in bytes; 0 if nothing was.
     */
    public int length()
    {
        return receivedLength();
    }

    /**
     * From where it was retrieved.
     *
     * @return rank of the sender; -1 if nothing was retrieved.
     */
    public int source()
    {
        return sender();
    }

    /**
     * Whether there are items that were not unpacked.
     *
     * @return true if so.
     */
    public boolean hasNext()
    {
        return isLeft();
    }

    /**
     * Type of the next item.
     *
     * @return such as {@code int}, {@code double[]} or {@code text}; {@code nothing} at the end.
     */
    public String nextType()
    {
        return ItemType.label(nextCode());
    }

    /**
     * Elements of the next item, so that there is room for them.
     *
     * @return elements of an array, bytes of a text, 1 for a value.
     * @throws UnpackException if there is no item, or its count cannot be.
     */
    public int nextCount()
    {
        return countOfNext();
    }

    IdleStrategy idle()
    {
        return idle;
    }

    /** Throws IllegalStateException if it was made by another deck: that one would give buffers back that are not its own. */
    void checkOwner(final Deck expected)
    {
        if (deck != expected)
        {
            throw new IllegalStateException("the message belongs to another deck: found=" + deck + ", expected=" + expected);
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
        if (isPosting())
        {
            return false;
        }
        checkPosted();
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
        if (isPosting())
        {
            deck.operations().await(this, timeoutNs);
        }
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
        forgetPacked();
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
        final PooledBuffer held = takeReceived();
        if (held != null)
        {
            deck.release(held);
        }
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
        put(value);
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
        return takeByte();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(value);
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
        return takeShort();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(value);
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
        return takeInt();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(value);
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
        return takeLong();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(value);
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
        return takeFloat();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(value);
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
        return takeDouble();
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
        put(values, offset, count);
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
        take(values, offset, count);
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
        put(text);
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
        return takeText();
    }

    @Override
    public String toString()
    {
        return "Message{packed=" + packedLength() + " of " + capacity() + ", retrieved=" + length() + ", next=" + nextType() +
            ", isPosting=" + isPosting() + '}';
    }
}
