// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the elements of a program are: in an array, or in a buffer. Position and limit of a buffer do not count, as in Open MPI:
 * it begins at its address, or at its array's offset, and ends with its capacity.
 */
final class Place
{
    /** Those of most programs are looked up once. */
    private static final int BYTES_BEGIN = UnsafeApi.arrayBaseOffset(byte[].class);
    private static final int INTS_BEGIN = UnsafeApi.arrayBaseOffset(int[].class);
    private static final int DOUBLES_BEGIN = UnsafeApi.arrayBaseOffset(double[].class);

    /** Keeps a direct buffer alive. */
    private Object owner;
    /** Array that has the bytes; null if the address is absolute. */
    private Object base;
    private long address;
    /** Bytes from here on; of objects, how many. */
    private long length;
    /** Bytes of an element of the array or buffer. */
    private int unit;
    /** If the elements are objects. */
    private Object[] objects;
    private int firstObject;

    /** Is at no elements. */
    Place()
    {
    }

    /**
     * Goes to an element of an array or a buffer.
     *
     * @param buffer   array of primitives or of objects, or buffer of java.nio.
     * @param offset   number of the element.
     * @param byteSkip bytes behind it; of objects, how many.
     */
    Place set(final Object buffer, final long offset, final long byteSkip) throws MPIException
    {
        owner = buffer;
        base = null;
        objects = null;
        if (buffer instanceof byte[])
        {
            setArray(buffer, 1, BYTES_BEGIN, ((byte[])buffer).length);
        }
        else if (buffer instanceof int[])
        {
            setArray(buffer, Integer.BYTES, INTS_BEGIN, ((int[])buffer).length);
        }
        else if (buffer instanceof double[])
        {
            setArray(buffer, Double.BYTES, DOUBLES_BEGIN, ((double[])buffer).length);
        }
        else if (buffer instanceof Buffer)
        {
            setBuffer((Buffer)buffer);
        }
        else if (buffer instanceof Object[])
        {
            objects = (Object[])buffer;
            unit = 1;
            length = objects.length;
        }
        else if (buffer != null && buffer.getClass().isArray())
        {
            setArray(buffer, unitOf(buffer.getClass().getComponentType()), UnsafeApi.arrayBaseOffset(buffer.getClass()),
                Array.getLength(buffer));
        }
        else
        {
            throw new MPIException(MPI.ERR_BUFFER, "no buffer: found=" + (buffer == null ? "null" : buffer.getClass().getName()) +
                ", expected an array or a buffer of java.nio");
        }
        final long skip = offset * unit + byteSkip;
        if (skip < 0 || skip > length)
        {
            throw new MPIException(MPI.ERR_BUFFER, "the offset is outside the buffer: found=" + skip + ", expected=0 to " +
                length + (objects == null ? " bytes" : " objects"));
        }
        firstObject = (int)skip;
        address += objects == null ? skip : 0;
        length -= skip;
        return this;
    }

    private void setArray(final Object array, final int elementBytes, final long begin, final int elements)
    {
        base = array;
        unit = elementBytes;
        address = begin;
        length = (long)elements * elementBytes;
    }

    /** Without elements: nothing may be read or written here. */
    Place setNone()
    {
        owner = null;
        base = null;
        objects = null;
        length = 0;
        address = 0;
        unit = 1;
        return this;
    }

    private void setBuffer(final Buffer buffer) throws MPIException
    {
        unit = unitOf(buffer);
        length = (long)buffer.capacity() * unit;
        if (buffer.isDirect())
        {
            address = UnsafeApi.getLong(buffer, BufferUtil.BYTE_BUFFER_ADDRESS_FIELD_OFFSET);
        }
        else if (buffer.hasArray())
        {
            base = buffer.array();
            address = UnsafeApi.arrayBaseOffset(base.getClass()) + (long)buffer.arrayOffset() * unit;
            if (!(buffer instanceof ByteBuffer) && base instanceof byte[])
            {
                throw new MPIException(MPI.ERR_BUFFER, "a view of a byte buffer on the heap: make it direct");
            }
        }
        else
        {
            throw new MPIException(MPI.ERR_BUFFER, "the buffer can neither be written nor is it direct: found=" + buffer);
        }
    }

    /** Bytes of an element of a buffer. */
    static int unitOf(final Buffer buffer)
    {
        return buffer instanceof ByteBuffer ? 1 : buffer instanceof CharBuffer || buffer instanceof ShortBuffer ? 2 :
            buffer instanceof IntBuffer || buffer instanceof FloatBuffer ? 4 : 8;
    }

    /** Bytes from here on; of objects, how many. */
    long length()
    {
        return length;
    }

    /** Address of the first byte; 0 if that is in an array. */
    long address()
    {
        return base == null ? address : 0;
    }

    private static int unitOf(final Class<?> type)
    {
        return type == byte.class || type == boolean.class ? 1 : type == char.class || type == short.class ? 2 :
            type == int.class || type == float.class ? 4 : 8;
    }

    /** Checks that items of a type are within: the first begins at 0. */
    void check(final Datatype type, final int count) throws MPIException
    {
        if (objects == null && type.isObject() && length > 0 || objects != null && !type.isObject())
        {
            throw new MPIException(MPI.ERR_TYPE, "the type does not fit the buffer: found=" + type + " and " +
                owner.getClass().getSimpleName());
        }
        if (count > 0 && type.size() > 0)
        {
            final long last = (count - 1L) * type.extent();
            final long begin = type.trueBegin() + Math.min(0, last);
            final long end = type.trueEnd() + Math.max(0, last);
            if (begin < 0 || end > length)
            {
                throw new MPIException(MPI.ERR_BUFFER, "elements are outside the buffer: found=" + begin + " to " + end +
                    ", expected=0 to " + length + (objects == null ? " bytes" : " objects") + ", count=" + count + ", " + type);
            }
        }
    }

    /** Wraps bytes of this place, if they can be: of an array of bytes, or off the heap. */
    boolean wrap(final UnsafeBuffer view, final int byteCount)
    {
        if (objects != null || base != null && !(base instanceof byte[]))
        {
            return false;
        }
        if (base == null)
        {
            view.wrap(address, byteCount);
        }
        else
        {
            view.wrap((byte[])base, (int)(address - BYTES_BEGIN), byteCount);
        }
        return true;
    }

    /** Copies bytes from here; within what {@link #check} has checked. */
    void get(final long from, final byte[] to, final int at, final int byteCount)
    {
        UnsafeApi.copyMemory(base, address + from, to, BYTES_BEGIN + (long)at, byteCount);
    }

    /** Copies bytes from the beginning; within what {@link #check} has checked. */
    void get(final UnsafeBuffer to, final int at, final int byteCount)
    {
        to.boundsCheck(at, byteCount);
        UnsafeApi.copyMemory(base, address, to.byteArray(), to.addressOffset() + at, byteCount);
    }

    /** Copies bytes to the beginning; within what {@link #check} has checked. */
    void put(final UnsafeBuffer from, final int at, final int byteCount)
    {
        from.boundsCheck(at, byteCount);
        UnsafeApi.copyMemory(from.byteArray(), from.addressOffset() + at, base, address, byteCount);
    }

    /** Copies bytes from the beginning to that of another place; within what {@link #check} has checked. */
    void copyTo(final Place other, final int byteCount)
    {
        UnsafeApi.copyMemory(base, address, other.base, other.address, byteCount);
    }

    /** Copies bytes to here; within what {@link #check} has checked. */
    void put(final long to, final byte[] from, final int at, final int byteCount)
    {
        UnsafeApi.copyMemory(from, BYTES_BEGIN + (long)at, base, address + to, byteCount);
    }

    Object object(final long at)
    {
        return objects[(int)(firstObject + at)];
    }

    void object(final long at, final Object value) throws MPIException
    {
        try
        {
            objects[(int)(firstObject + at)] = value;
        }
        catch (final ArrayStoreException ex)
        {
            throw new MPIException(MPI.ERR_TYPE, ex);
        }
    }
}
