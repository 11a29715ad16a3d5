// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Which bytes of an item of a datatype count, in their order: runs of elements of one kind without gaps. */
final class TypeMap
{
    private final Kind[] kinds;
    private final long[] begins;
    private final int[] counts;
    private int runs;

    TypeMap(final int capacity)
    {
        kinds = new Kind[Math.max(1, capacity)];
        begins = new long[kinds.length];
        counts = new int[kinds.length];
    }

    static TypeMap of(final Kind kind, final int count)
    {
        final TypeMap map = new TypeMap(1);
        map.add(kind, 0, count);
        return map;
    }

    private void add(final Kind kind, final long begin, final int count)
    {
        final int last = runs - 1;
        if (runs > 0 && kinds[last] == kind && begins[last] + (long)counts[last] * kind.size() == begin &&
            counts[last] <= Integer.MAX_VALUE - count)
        {
            counts[last] += count;
            return;
        }
        kinds[runs] = kind;
        begins[runs] = begin;
        counts[runs] = count;
        runs++;
    }

    /** Adds what another map has, at a place. */
    void add(final TypeMap other, final long at)
    {
        for (int i = 0; i < other.runs; i++)
        {
            add(other.kinds[i], at + other.begins[i], other.counts[i]);
        }
    }

    int runs()
    {
        return runs;
    }

    Kind kind(final int run)
    {
        return kinds[run];
    }

    long begin(final int run)
    {
        return begins[run];
    }

    /** Elements of a run. */
    int count(final int run)
    {
        return counts[run];
    }

    int length(final int run)
    {
        return counts[run] * kinds[run].size();
    }

    /** The kind of all elements; null if there are several. */
    Kind kind()
    {
        final Kind first = runs == 0 ? Kind.BYTE : kinds[0];
        return Arrays.stream(kinds, 0, runs).allMatch((kind) -> kind == first) ? first : null;
    }

    long size()
    {
        long size = 0;
        for (int i = 0; i < runs; i++)
        {
            size += (long)counts[i] * kinds[i].size();
        }
        return size;
    }

    long begin()
    {
        return runs == 0 ? 0 : Arrays.stream(begins, 0, runs).min().getAsLong();
    }

    long end()
    {
        long end = 0;
        for (int i = 0; i < runs; i++)
        {
            end = i == 0 ? begins[0] + length(0) : Math.max(end, begins[i] + length(i));
        }
        return end;
    }

    /** Elements in some bytes of packed items; -1 if these end within an element. */
    long elementsIn(final long byteCount)
    {
        final long size = size();
        if (size == 0)
        {
            return 0;
        }
        long elements = byteCount / size * Arrays.stream(counts, 0, runs).asLongStream().sum();
        long left = byteCount % size;
        for (int i = 0; i < runs && left > 0; i++)
        {
            final long taken = Math.min(left, length(i));
            if (taken % kinds[i].size() != 0)
            {
                return -1;
            }
            elements += taken / kinds[i].size();
            left -= taken;
        }
        return elements;
    }

    /** Bytes of so many elements of packed items. */
    int lengthOf(final int elements)
    {
        final long all = Arrays.stream(counts, 0, runs).asLongStream().sum();
        long length = all == 0 ? 0 : elements / all * size();
        long left = all == 0 ? 0 : elements % all;
        for (int i = 0; i < runs && left > 0; i++)
        {
            final long taken = Math.min(left, counts[i]);
            length += taken * kinds[i].size();
            left -= taken;
        }
        return (int)Math.min(Integer.MAX_VALUE, length);
    }
}
