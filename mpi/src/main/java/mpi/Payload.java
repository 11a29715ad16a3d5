// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The items of a message as bytes: where they are if they have no gaps and are in an array of bytes or off the heap, else packed.
 * Objects are a head and what they have become by serialization: behind the head, or if that is long, in a message of its own.
 */
final class Payload
{
    /** Most bytes of objects with their head. */
    static final int INLINE_LIMIT = 4_096;
    /** Number of objects, bytes of them, tag of their messages: an int each. */
    static final int HEAD = 12;
    /** Most bytes of objects in one of these: a receiver has no more room for them than has come, and this. */
    static final int PIECE = 1 << 20;
    private static final int KEPT_LENGTH = 1 << 20;

    /** What is sent, or the room for what comes. */
    final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private final Place place = new Place();
    private byte[] packed = new byte[0];
    private Datatype type;
    private int count;
    private int length;
    private boolean isInPlace;
    private boolean isCopied;
    /** Objects that are too long for one message, and how many bytes of them were sent or have come. */
    private byte[] objects;
    private int objectsDone;

    Datatype type()
    {
        return type;
    }

    /** Bytes to be sent, or the most that may come. */
    int length()
    {
        return length;
    }

    boolean isObject()
    {
        return type.isObject();
    }

    private void set(
        final Object buffer, final long offset, final long skip, final int itemCount, final Datatype itemType)
        throws MPIException
    {
        type = itemType;
        count = itemCount;
        if (itemType == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "no datatype: found=null");
        }
        itemType.check();
        if (itemCount < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + itemCount + ", expected at least 0");
        }
        final long total = (long)itemCount * itemType.size();
        if (total > Integer.MAX_VALUE - 8)
        {
            throw new MPIException(MPI.ERR_COUNT, "the message is too long: found=" + total + ", expected at most " +
                (Integer.MAX_VALUE - 8) + " bytes");
        }
        length = (int)total;
        if (total == 0)
        {
            place.setNone();
        }
        else
        {
            place.set(buffer, offset, skip).check(itemType, itemCount);
        }
        objects = null;
    }

    /** What goes out is always copied. */
    void copyAlways()
    {
        isCopied = true;
    }

    /** Whether it has so little memory of its own that it is kept, and copies only what it has to. */
    boolean isToBeKept()
    {
        return !isCopied && packed.length <= KEPT_LENGTH && (objects == null || objects.length <= KEPT_LENGTH);
    }

    private void room(final int byteCount)
    {
        if (packed.length < byteCount)
        {
            packed = new byte[byteCount];
        }
        bytes.wrap(packed, 0, byteCount);
    }

    /** Takes items to be sent; skip is in bytes, of objects in places. The tag is for a second message. */
    void out(
        final Object buffer, final long offset, final long skip, final int itemCount, final Datatype itemType,
        final int objectTag) throws MPIException
    {
        set(buffer, offset, skip, itemCount, itemType);
        if (itemType.isObject())
        {
            outObjects(objectTag);
            return;
        }
        isInPlace = !isCopied && length > 0 && itemType.isContiguous() && place.wrap(bytes, length);
        if (!isInPlace)
        {
            room(length);
            copy(length, true);
        }
    }

    /** Takes items to be sent, no objects. */
    void out(final Items items) throws MPIException
    {
        out(items.buffer, items.offset, items.skip, items.count, items.type, 0);
    }

    /** Takes items to be sent, no objects. They are copied if they are where another payload has its room. */
    void outApartFrom(final Payload other, final Items items) throws MPIException
    {
        out(items);
        if (isInPlace && other.isInPlace && isOverlapping(bytes, other.bytes))
        {
            isInPlace = false;
            room(length);
            copy(length, true);
        }
    }

    private static boolean isOverlapping(final UnsafeBuffer one, final UnsafeBuffer other)
    {
        return one.byteArray() == other.byteArray() && one.addressOffset() < other.addressOffset() + other.capacity() &&
            other.addressOffset() < one.addressOffset() + one.capacity();
    }

    /** Makes room for items to be received. */
    void in(final Items items) throws MPIException
    {
        in(items.buffer, items.offset, items.skip, items.count, items.type);
    }

    /** Checks that items are within their buffer. */
    void check(final Items items) throws MPIException
    {
        set(items.buffer, items.offset, items.skip, items.count, items.type);
    }

    /** Packs items, no objects, at a place of other bytes. */
    void pack(final Items items, final UnsafeBuffer to, final int at) throws MPIException
    {
        check(items);
        if (type.isContiguous())
        {
            place.get(to, at, length);
            return;
        }
        out(items);
        to.putBytes(at, bytes, 0, length);
    }

    /** Gets packed items, no objects, from a place of other bytes. */
    void unpack(final Items items, final UnsafeBuffer from, final int at) throws MPIException
    {
        check(items);
        if (type.isContiguous())
        {
            place.put(from, at, length);
            return;
        }
        in(items);
        bytes.putBytes(0, from, at, length);
        received(length);
    }

    /** Copies items without gaps, no objects, by way of another payload; both have as many bytes. */
    void copy(final Items from, final Payload other, final Items to) throws MPIException
    {
        check(from);
        other.check(to);
        place.copyTo(other.place, length);
    }

    private void outObjects(final int objectTag) throws MPIException
    {
        final int number = length;
        if (number == 0)
        {
            // no bytes: as none of any other type
            room(0);
            return;
        }
        final byte[] serialized = SerializedObjects.write(place, type, count);
        final boolean isShort = serialized.length <= INLINE_LIMIT - HEAD;
        length = isShort ? HEAD + serialized.length : HEAD;
        room(length);
        bytes.putInt(0, number);
        bytes.putInt(4, serialized.length);
        bytes.putInt(8, objectTag);
        if (isShort)
        {
            bytes.putBytes(HEAD, serialized);
        }
        else
        {
            objects = serialized;
            objectsDone = 0;
        }
    }

    /** Goes on to the next message with objects: false if there is none. */
    boolean nextOut()
    {
        if (objects == null || objectsDone == objects.length)
        {
            return false;
        }
        length = Math.min(PIECE, objects.length - objectsDone);
        bytes.wrap(objects, objectsDone, length);
        objectsDone += length;
        return true;
    }

    /** Makes room for items to be received; skip is in bytes, of objects in places. */
    void in(final Object buffer, final long offset, final long skip, final int itemCount, final Datatype itemType)
        throws MPIException
    {
        set(buffer, offset, skip, itemCount, itemType);
        if (itemType.isObject())
        {
            length = INLINE_LIMIT;
            isInPlace = false;
        }
        else
        {
            isInPlace = length > 0 && itemType.isContiguous() && place.wrap(bytes, length);
        }
        if (!isInPlace)
        {
            room(length);
        }
    }

    /** What has come is for the program; not for objects. */
    void received(final int byteCount)
    {
        if (!isInPlace)
        {
            copy(byteCount, false);
        }
    }

    /** Tag of the message in which the objects come; -1 if they are here. */
    int objectTag(final int byteCount) throws MPIException
    {
        if (byteCount == 0)
        {
            bytes.setMemory(0, HEAD, (byte)0);
            return -1;
        }
        if (byteCount < HEAD || bytes.getInt(0) < 0 || bytes.getInt(4) < 0 || bytes.getInt(8) < 0 ||
            byteCount > HEAD && byteCount != HEAD + bytes.getInt(4))
        {
            throw new MPIException(MPI.ERR_TYPE, "the message has no objects: found " + byteCount + " bytes");
        }
        return byteCount > HEAD || bytes.getInt(4) == 0 ? -1 : bytes.getInt(8);
    }

    /** How many objects the message has. */
    int objectCount()
    {
        return bytes.getInt(0);
    }

    /** Makes room for the first message with objects. */
    void beginIn()
    {
        objects = new byte[Math.min(PIECE, bytes.getInt(4))];
        objectsDone = 0;
    }

    /** Where the next message with objects goes; null if all have come. */
    UnsafeBuffer nextIn()
    {
        final int total = bytes.getInt(4);
        if (objectsDone == total)
        {
            return null;
        }
        if (objectsDone == objects.length)
        {
            objects = Arrays.copyOf(objects, (int)Math.min(total, 2L * objects.length));
        }
        return new UnsafeBuffer(objects, objectsDone, Math.min(PIECE, total - objectsDone));
    }

    /** So many bytes of objects have come, of those for which there was room. */
    void objectsCame(final int byteCount) throws MPIException
    {
        if (byteCount != Math.min(PIECE, bytes.getInt(4) - objectsDone))
        {
            throw new MPIException(MPI.ERR_TYPE, "objects are missing: found=" + (objectsDone + byteCount) + ", expected=" +
                bytes.getInt(4) + " bytes");
        }
        objectsDone += byteCount;
    }

    /** Objects are for the program. */
    void receivedObjects() throws MPIException
    {
        final int number = objectCount();
        final int fitting = (int)Math.min(number, (long)count * type.size());
        if (number > 0)
        {
            final byte[] from = objects != null ? objects : packed;
            SerializedObjects.read(from, objects != null ? 0 : HEAD, bytes.getInt(4), fitting, place, type);
        }
        if (fitting < number)
        {
            throw new MPIException(MPI.ERR_TRUNCATE, "the message is too long: found=" + number + ", expected at most " +
                fitting + " objects");
        }
    }

    /** Copies bytes between the items and their packed form. */
    private void copy(final int byteCount, final boolean isOut)
    {
        if (type.isContiguous())
        {
            copy(0, 0, byteCount, isOut);
            return;
        }
        final TypeMap map = type.map();
        int done = 0;
        for (long item = 0; done < byteCount; item++)
        {
            for (int run = 0; run < map.runs() && done < byteCount; run++)
            {
                final int part = Math.min(map.length(run), byteCount - done);
                copy(item * type.extent() + map.begin(run), done, part, isOut);
                done += part;
            }
        }
    }

    private void copy(final long at, final int packedAt, final int byteCount, final boolean isOut)
    {
        if (byteCount > 0 && isOut)
        {
            place.get(at, packed, packedAt, byteCount);
        }
        else if (byteCount > 0)
        {
            place.put(at, packed, packedAt, byteCount);
        }
    }

    /** Copies items from one place to another; what does not fit is an error. */
    static void copy(final Items from, final Items to) throws MPIException
    {
        final Payload out = new Payload();
        final Payload in = new Payload();
        out.copyAlways();
        out.out(from.buffer, from.offset, from.skip, from.count, from.type, 0);
        in.in(to.buffer, to.offset, to.skip, to.count, to.type);
        if (out.length > in.length && !from.type.isObject())
        {
            throw new MPIException(MPI.ERR_TRUNCATE, "items do not fit: found=" + out.length + ", expected at most " + in.length +
                " bytes");
        }
        if (from.type.isObject() && out.length == 0)
        {
            return;
        }
        if (from.type.isObject())
        {
            in.packed = Arrays.copyOf(out.packed, Math.max(INLINE_LIMIT, out.length));
            in.bytes.wrap(in.packed);
            in.objects = out.objects;
            in.receivedObjects();
            return;
        }
        in.bytes.putBytes(0, out.bytes, 0, out.length);
        in.received(out.length);
    }
}
