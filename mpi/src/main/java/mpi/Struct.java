// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A structure of fields in a byte buffer. A subclass adds its fields when it is made, and has a subclass of {@link Data} that
 * reads and writes them, by the places that adding has returned. Fields are aligned to their sizes.
 */
public abstract class Struct
{
    private final List<Integer> lengths = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<Datatype> types = new ArrayList<>();
    private int extent;
    private int alignment = 1;
    private Datatype type;

    public Struct()
    {
    }

    private int add(final Datatype ofField, final int length, final int size, final int alignedTo)
    {
        if (type != null)
        {
            throw new IllegalStateException("the structure is in use: add its fields before");
        }
        final int place = align(extent, alignedTo);
        lengths.add(length);
        places.add(place);
        types.add(ofField);
        extent = place + length * size;
        alignment = Math.max(alignment, alignedTo);
        return place;
    }

    private static int align(final int offset, final int to)
    {
        return (offset + to - 1) / to * to;
    }

    /** The next field is at this place or behind it. */
    public final void setOffset(final int offset)
    {
        extent = offset;
    }

    public final int addByte()
    {
        return addByte(1);
    }

    public final int addByte(final int length)
    {
        return add(MPI.BYTE, length, 1, 1);
    }

    public final int addChar()
    {
        return addChar(1);
    }

    public final int addChar(final int length)
    {
        return add(MPI.CHAR, length, 2, 2);
    }

    public final int addShort()
    {
        return addShort(1);
    }

    public final int addShort(final int length)
    {
        return add(MPI.SHORT, length, 2, 2);
    }

    public final int addInt()
    {
        return addInt(1);
    }

    public final int addInt(final int length)
    {
        return add(MPI.INT, length, 4, 4);
    }

    public final int addLong()
    {
        return addLong(1);
    }

    public final int addLong(final int length)
    {
        return add(MPI.LONG, length, 8, 8);
    }

    public final int addFloat()
    {
        return addFloat(1);
    }

    public final int addFloat(final int length)
    {
        return add(MPI.FLOAT, length, 4, 4);
    }

    public final int addDouble()
    {
        return addDouble(1);
    }

    public final int addDouble(final int length)
    {
        return add(MPI.DOUBLE, length, 8, 8);
    }

    public final int addStruct(final Struct struct) throws MPIException
    {
        return addStruct(struct, 1);
    }

    public final int addStruct(final Struct struct, final int length) throws MPIException
    {
        return add(struct.getType(), length, struct.getExtent(), struct.alignment);
    }

    /** Bytes from one structure to the next. */
    public final int getExtent() throws MPIException
    {
        return align(extent, alignment);
    }

    public final Datatype getType() throws MPIException
    {
        if (type == null)
        {
            final TypeMap map = Datatype.createStruct(
                lengths.stream().mapToInt(Integer::intValue).toArray(), places.stream().mapToInt(Integer::intValue).toArray(),
                types.toArray(new Datatype[0])).map();
            type = Datatype.struct(map, getExtent());
        }
        return type;
    }

    public final void free() throws MPIException
    {
        getType().free();
    }

    protected abstract Data newData();

    /** The first structure of a buffer. */
    public final <T extends Data> T getData(final ByteBuffer buffer)
    {
        return getDataAt(buffer, 0);
    }

    /** One of the structures of a buffer, by its number. */
    public final <T extends Data> T getData(final ByteBuffer buffer, final int index)
    {
        return getDataAt(buffer, index * align(extent, alignment));
    }

    /** The structure at a place of a buffer. */
    @SuppressWarnings("unchecked")
    public final <T extends Data> T getDataAt(final ByteBuffer buffer, final int offset)
    {
        final Data data = newData();
        data.buffer = buffer;
        data.offset = offset;
        return (T)data;
    }

    /** A structure in a buffer. */
    public abstract class Data
    {
        private ByteBuffer buffer;
        private int offset;

        public Data()
        {
        }

        public final ByteBuffer getBuffer(final int field)
        {
            final ByteBuffer view = buffer.duplicate();
            view.position(offset + field);
            return view.slice().order(buffer.order());
        }

        protected final byte getByte(final int field)
        {
            return buffer.get(offset + field);
        }

        protected final byte getByte(final int field, final int index)
        {
            return buffer.get(offset + field + index);
        }

        protected final void putByte(final int field, final byte value)
        {
            buffer.put(offset + field, value);
        }

        protected final void putByte(final int field, final int index, final byte value)
        {
            buffer.put(offset + field + index, value);
        }

        protected final <D extends Data> D getData(final Struct struct, final int field)
        {
            return struct.getDataAt(buffer, offset + field);
        }

        protected final <D extends Data> D getData(final Struct struct, final int field, final int index)
        {
            return struct.getDataAt(buffer, offset + field + index * align(struct.extent, struct.alignment));
        }

        protected final char getChar(final int field)
        {
            return buffer.getChar(offset + field);
        }

        protected final char getChar(final int field, final int index)
        {
            return buffer.getChar(offset + field + index * 2);
        }

        protected final void putChar(final int field, final char value)
        {
            buffer.putChar(offset + field, value);
        }

        protected final void putChar(final int field, final int index, final char value)
        {
            buffer.putChar(offset + field + index * 2, value);
        }

        protected final short getShort(final int field)
        {
            return buffer.getShort(offset + field);
        }

        protected final short getShort(final int field, final int index)
        {
            return buffer.getShort(offset + field + index * 2);
        }

        protected final void putShort(final int field, final short value)
        {
            buffer.putShort(offset + field, value);
        }

        protected final void putShort(final int field, final int index, final short value)
        {
            buffer.putShort(offset + field + index * 2, value);
        }

        protected final int getInt(final int field)
        {
            return buffer.getInt(offset + field);
        }

        protected final int getInt(final int field, final int index)
        {
            return buffer.getInt(offset + field + index * 4);
        }

        protected final void putInt(final int field, final int value)
        {
            buffer.putInt(offset + field, value);
        }

        protected final void putInt(final int field, final int index, final int value)
        {
            buffer.putInt(offset + field + index * 4, value);
        }

        protected final long getLong(final int field)
        {
            return buffer.getLong(offset + field);
        }

        protected final long getLong(final int field, final int index)
        {
            return buffer.getLong(offset + field + index * 8);
        }

        protected final void putLong(final int field, final long value)
        {
            buffer.putLong(offset + field, value);
        }

        protected final void putLong(final int field, final int index, final long value)
        {
            buffer.putLong(offset + field + index * 8, value);
        }

        protected final float getFloat(final int field)
        {
            return buffer.getFloat(offset + field);
        }

        protected final float getFloat(final int field, final int index)
        {
            return buffer.getFloat(offset + field + index * 4);
        }

        protected final void putFloat(final int field, final float value)
        {
            buffer.putFloat(offset + field, value);
        }

        protected final void putFloat(final int field, final int index, final float value)
        {
            buffer.putFloat(offset + field + index * 4, value);
        }

        protected final double getDouble(final int field)
        {
            return buffer.getDouble(offset + field);
        }

        protected final double getDouble(final int field, final int index)
        {
            return buffer.getDouble(offset + field + index * 8);
        }

        protected final void putDouble(final int field, final double value)
        {
            buffer.putDouble(offset + field, value);
        }

        protected final void putDouble(final int field, final int index, final double value)
        {
            buffer.putDouble(offset + field + index * 8, value);
        }
    }
}
