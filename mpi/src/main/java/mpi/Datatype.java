// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A type of items of a message. Of a type with elements of one kind, extents and displacements count elements; of a structure of
 * several kinds, bytes.
 */
public final class Datatype implements Freeable
{
    private final String name;
    private final TypeMap map;
    private final long lowerBound;
    private final long extent;
    /** Bytes of what extents count in the dialect of Open MPI. */
    private final int unit;
    private final boolean isPredefined;
    private final int size;
    private final long trueBegin;
    private final long trueEnd;
    private final boolean isContiguous;
    private final boolean isObject;
    private boolean isFreed;

    private Datatype(
        final String name, final TypeMap map, final long lowerBound, final long extent, final int unit,
        final boolean isPredefined)
    {
        this.name = name;
        this.map = map;
        this.lowerBound = lowerBound;
        this.extent = extent;
        this.unit = unit;
        this.isPredefined = isPredefined;
        size = (int)map.size();
        trueBegin = map.begin();
        trueEnd = map.end();
        isContiguous = map.runs() <= 1 && trueBegin == 0 && size == extent;
        isObject = map.runs() > 0 && map.kind(0) == Kind.OBJECT;
    }

    /** A type of the library. */
    static Datatype predefined(final String name, final Kind kind, final int count)
    {
        return new Datatype(name, TypeMap.of(kind, count), 0, (long)count * kind.size(), kind.size(), true);
    }

    /** A number and its place, with extents in bytes. */
    static Datatype pair(final String name, final Kind value, final int indexAt, final Kind index, final int extent)
    {
        final TypeMap map = new TypeMap(2);
        map.add(TypeMap.of(value, 1), 0);
        map.add(TypeMap.of(index, 1), indexAt);
        return new Datatype(name, map, 0, extent, 1, true);
    }

    /** No type, or one without elements. */
    static Datatype none(final String name)
    {
        return new Datatype(name, new TypeMap(1), 0, 0, 1, true);
    }

    static Datatype struct(final TypeMap map, final int extent)
    {
        return new Datatype("struct", map, 0, extent, 1, false);
    }

    /** A type of blocks of items of another type: all displacements in bytes. */
    private static Datatype make(final String name, final int[] lengths, final long[] bytesAt, final Datatype... types)
        throws MPIException
    {
        final TypeMap map = new TypeMap(runs(lengths, bytesAt, types));
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        Long lower = null;
        Long upper = null;
        for (int i = 0; i < lengths.length; i++)
        {
            final Datatype type = types[Math.min(i, types.length - 1)];
            if (type.isMarker())
            {
                lower = type == MPI.LB ? Long.valueOf(bytesAt[i]) : lower;
                upper = type == MPI.UB ? Long.valueOf(bytesAt[i]) : upper;
                continue;
            }
            for (int k = 0; k < lengths[i]; k++)
            {
                map.add(type.map, bytesAt[i] + k * type.extent);
            }
            if (lengths[i] > 0)
            {
                final long last = (lengths[i] - 1L) * type.extent;
                begin = Math.min(begin, bytesAt[i] + type.lowerBound + Math.min(0, last));
                end = Math.max(end, bytesAt[i] + type.lowerBound + type.extent + Math.max(0, last));
            }
        }
        if (map.size() > Integer.MAX_VALUE)
        {
            throw new MPIException(MPI.ERR_TYPE, "the type is too long: found=" + map.size() + ", expected at most " +
                Integer.MAX_VALUE + " bytes");
        }
        final Kind kind = map.kind();
        final boolean isEmpty = begin > end;
        final long from = lower != null ? lower : isEmpty ? 0 : begin;
        final long to = upper != null ? upper : isEmpty ? from : end;
        return new Datatype(name, map, from, to - from, kind == null ? 1 : kind.size(), false);
    }

    /** Whether it only says where an item of a structure begins or ends. */
    private boolean isMarker()
    {
        return this == MPI.LB || this == MPI.UB;
    }

    private static int runs(final int[] lengths, final long[] bytesAt, final Datatype[] types) throws MPIException
    {
        if (lengths.length != bytesAt.length || types.length > 1 && types.length != lengths.length)
        {
            throw new MPIException(MPI.ERR_ARG, "arrays of different lengths: found block lengths=" + lengths.length +
                ", displacements=" + bytesAt.length + ", types=" + types.length);
        }
        long runs = 0;
        for (int i = 0; i < lengths.length; i++)
        {
            final Datatype type = types[Math.min(i, types.length - 1)];
            type.check();
            if (lengths[i] < 0)
            {
                throw new MPIException(MPI.ERR_COUNT, "no such block length: found=" + lengths[i] + ", expected at least 0");
            }
            runs += type.isContiguous ? Math.min(1, lengths[i]) : (long)lengths[i] * type.map.runs();
        }
        if (runs > Integer.MAX_VALUE / 4)
        {
            throw new MPIException(MPI.ERR_TYPE, "the type has too many pieces: found=" + runs + ", expected at most " +
                Integer.MAX_VALUE / 4);
        }
        return (int)runs;
    }

    private static long[] scaled(final int[] displacements, final long by)
    {
        final long[] scaled = new long[displacements.length];
        for (int i = 0; i < scaled.length; i++)
        {
            scaled[i] = displacements[i] * by;
        }
        return scaled;
    }

    private static Datatype blocks(
        final String name, final int count, final int blockLength, final long strideBytes, final Datatype type)
        throws MPIException
    {
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + count + ", expected at least 0");
        }
        final int[] lengths = new int[count];
        final long[] at = new long[count];
        for (int i = 0; i < count; i++)
        {
            lengths[i] = blockLength;
            at[i] = i * strideBytes;
        }
        return make(name, lengths, at, type);
    }

    void check() throws MPIException
    {
        if (isFreed || this == MPI.DATATYPE_NULL)
        {
            throw new MPIException(MPI.ERR_TYPE, isFreed ? "the type was freed: found=" + this :
                "found DATATYPE_NULL, expected a type");
        }
    }

    TypeMap map()
    {
        return map;
    }

    /** Bytes of an item without its gaps. */
    int size()
    {
        return size;
    }

    /** Bytes from one item to the next. */
    long extent()
    {
        return extent;
    }

    /** Where the first byte of an item is. */
    long trueBegin()
    {
        return trueBegin;
    }

    /** Where its last byte ends. */
    long trueEnd()
    {
        return trueEnd;
    }

    boolean isContiguous()
    {
        return isContiguous;
    }

    boolean isObject()
    {
        return isObject;
    }

    private int units(final long bytes)
    {
        return (int)(bytes / unit);
    }

    private int elements(final long bytes)
    {
        final Kind kind = map.kind();
        return (int)(bytes / (kind == null ? 1 : kind.size()));
    }

    // Open MPI

    public static Datatype createContiguous(final int count, final Datatype type) throws MPIException
    {
        return make("contiguous", new int[]{ count }, new long[1], type);
    }

    public static Datatype createVector(final int count, final int blockLength, final int stride, final Datatype type)
        throws MPIException
    {
        return blocks("vector", count, blockLength, stride * type.extent, type);
    }

    /** Here the stride counts bytes. */
    public static Datatype createHVector(final int count, final int blockLength, final int stride, final Datatype type)
        throws MPIException
    {
        return blocks("hvector", count, blockLength, stride, type);
    }

    public static Datatype createIndexed(final int[] blockLengths, final int[] displacements, final Datatype type)
        throws MPIException
    {
        return make("indexed", blockLengths, scaled(displacements, type.extent), type);
    }

    /** Here displacements count bytes. */
    public static Datatype createHIndexed(final int[] blockLengths, final int[] displacements, final Datatype type)
        throws MPIException
    {
        return make("hindexed", blockLengths, scaled(displacements, 1), type);
    }

    /** Here displacements count bytes. */
    public static Datatype createStruct(final int[] blockLengths, final int[] displacements, final Datatype[] types)
        throws MPIException
    {
        return make("struct", blockLengths, scaled(displacements, 1), types);
    }

    /** Bounds count as extents do. */
    public static Datatype createResized(final Datatype type, final int lowerBound, final int extent) throws MPIException
    {
        type.check();
        return new Datatype("resized", type.map, (long)lowerBound * type.unit, (long)extent * type.unit, type.unit, false);
    }

    public Datatype dup() throws MPIException
    {
        return clone();
    }

    @Override
    public Datatype clone()
    {
        return new Datatype(name, map, lowerBound, extent, unit, false);
    }

    public void commit() throws MPIException
    {
        check();
    }

    @Override
    public void free() throws MPIException
    {
        check();
        if (isPredefined)
        {
            throw new MPIException(MPI.ERR_TYPE, "a type of the library is not freed: found=" + this);
        }
        isFreed = true;
    }

    public boolean isNull()
    {
        return isFreed || this == MPI.DATATYPE_NULL;
    }

    public int getLb() throws MPIException
    {
        check();
        return units(lowerBound);
    }

    public int getTrueLb() throws MPIException
    {
        check();
        return units(trueBegin);
    }

    public int getExtent() throws MPIException
    {
        check();
        return units(extent);
    }

    public int getTrueExtent() throws MPIException
    {
        check();
        return units(trueEnd - trueBegin);
    }

    /** Bytes of an item without its gaps. */
    public int getSize() throws MPIException
    {
        check();
        return size;
    }

    public String getName() throws MPIException
    {
        return name;
    }

    // mpiJava

    public static Datatype Contiguous(final int count, final Datatype type) throws MPIException
    {
        return createContiguous(count, type);
    }

    public static Datatype Vector(final int count, final int blockLength, final int stride, final Datatype type)
        throws MPIException
    {
        return createVector(count, blockLength, stride, type);
    }

    /** Here the stride counts elements of the array. */
    public static Datatype Hvector(final int count, final int blockLength, final int stride, final Datatype type)
        throws MPIException
    {
        return blocks("hvector", count, blockLength, (long)stride * type.elementSize(), type);
    }

    public static Datatype Indexed(final int[] blockLengths, final int[] displacements, final Datatype type) throws MPIException
    {
        return createIndexed(blockLengths, displacements, type);
    }

    /** Here displacements count elements of the array. */
    public static Datatype Hindexed(final int[] blockLengths, final int[] displacements, final Datatype type)
        throws MPIException
    {
        return make("hindexed", blockLengths, scaled(displacements, type.elementSize()), type);
    }

    /** Here displacements count elements of the array; all types have elements of one kind. */
    public static Datatype Struct(final int[] blockLengths, final int[] displacements, final Datatype[] types)
        throws MPIException
    {
        final int elementSize = Arrays.stream(types).filter((type) -> !type.isMarker()).mapToInt(Datatype::elementSize)
            .findFirst().orElse(1);
        final Datatype made = make("struct", blockLengths, scaled(displacements, elementSize), types);
        if (made.map.kind() == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "a structure of mpiJava has elements of one kind: use createStruct");
        }
        return made;
    }

    private int elementSize()
    {
        final Kind kind = map.kind();
        return kind == null ? 1 : kind.size();
    }

    public void Commit() throws MPIException
    {
        commit();
    }

    public void Free() throws MPIException
    {
        free();
    }

    public int Lb() throws MPIException
    {
        check();
        return elements(lowerBound);
    }

    public int Ub() throws MPIException
    {
        check();
        return elements(lowerBound + extent);
    }

    public int Extent() throws MPIException
    {
        check();
        return elements(extent);
    }

    /** Elements of an item. */
    public int Size() throws MPIException
    {
        check();
        return elements(size);
    }

    /** An array or buffer for items of this type, of the same sort as another one. */
    Object room(final Object like, final int count)
    {
        final long length = trueEnd + Math.max(0, count - 1L) * extent;
        if (like instanceof java.nio.Buffer)
        {
            return ByteBuffer.allocateDirect((int)length).order(java.nio.ByteOrder.nativeOrder());
        }
        final Class<?> component = like.getClass().getComponentType();
        return java.lang.reflect.Array.newInstance(component, elements(length));
    }

    @Override
    public String toString()
    {
        return "Datatype{" + name + ", size=" + size + ", extent=" + extent + (isFreed ? ", freed}" : "}");
    }
}
