// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;

/**
 * Which member has which bytes of a buffer: equal slices in some order, or a range of its own for each. Immutable. All members of
 * an operation pass an equal one, but for {@link AllToAll}, where each passes its own.
 *
 * <pre>
 *   Distribution.ascending(4, 100)                     member 0 has bytes 0 to 99, member 1 has 100 to 199, ...
 *   Distribution.descending(4, 100)                    member 0 has bytes 300 to 399, member 1 has 200 to 299, ...
 *   Distribution.ascending(4, 100).slice(0, 3)         member 0 has what member 3 has
 *   Distribution.ascending(4, 100).range(2, 1000, 7)   member 2 has bytes 1,000 to 1,006
 * </pre>
 */
public final class Distribution
{
    private static final int NO_SLICE = -1;
    private static final byte DISJOINT = 1;
    private static final byte OVERLAPPING = 2;

    private final int sliceLength;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] slices;
    /** 0 if not known yet. Any thread may find it out: all find the same. */
    private byte overlap;

    private Distribution(final int sliceLength, final int[] offsets, final int[] lengths, final int[] slices)
    {
        this.sliceLength = sliceLength;
        this.offsets = offsets;
        this.lengths = lengths;
        this.slices = slices;
    }

    /**
     * The first slice for the first member, and so on.
     *
     * @param members number of members, at least 1.
     * @param length  of each slice in bytes, at least 0.
     * @return the distribution.
     * @throws IllegalArgumentException if one of them is out of range, or all slices are longer than 2^31 - 1 bytes.
     */
    public static Distribution ascending(final int members, final int length)
    {
        return equal(members, length, false);
    }

    /**
     * The last slice for the first member, and so on.
     *
     * @param members number of members, at least 1.
     * @param length  of each slice in bytes, at least 0.
     * @return the distribution.
     * @throws IllegalArgumentException if one of them is out of range, or all slices are longer than 2^31 - 1 bytes.
     */
    public static Distribution descending(final int members, final int length)
    {
        return equal(members, length, true);
    }

    /**
     * A range of its own length for each member: each begins where that of the member before ends.
     *
     * @param lengths of all members in bytes, at least 0 each.
     * @return the distribution.
     * @throws IllegalArgumentException if there is no length, one is negative, or all are longer than 2^31 - 1 bytes.
     */
    public static Distribution ofLengths(final int... lengths)
    {
        Checks.atLeast("members", lengths.length, 1);
        final int[] offsets = new int[lengths.length];
        final int[] slices = new int[lengths.length];
        int end = 0;
        for (int member = 0; member < lengths.length; member++)
        {
            Checks.range("length", lengths[member], 0, Integer.MAX_VALUE - end);
            offsets[member] = end;
            slices[member] = NO_SLICE;
            end += lengths[member];
        }
        return new Distribution(0, offsets, lengths.clone(), slices);
    }

    private static Distribution equal(final int members, final int length, final boolean isDescending)
    {
        Checks.atLeast("members", members, 1);
        Checks.range("length", length, 0, Integer.MAX_VALUE / members);
        final Distribution result = new Distribution(length, new int[members], new int[members], new int[members]);
        for (int member = 0; member < members; member++)
        {
            result.set(member, isDescending ? members - 1 - member : member);
        }
        return result;
    }

    private void set(final int member, final int slice)
    {
        slices[member] = slice;
        offsets[member] = slice * sliceLength;
        lengths[member] = sliceLength;
    }

    private Distribution copy()
    {
        return new Distribution(sliceLength, offsets.clone(), lengths.clone(), slices.clone());
    }

    /**
     * The same, but one member has another slice, which may be that of another member.
     *
     * @param member from 0 to the number of members, exclusive.
     * @param slice  from 0 to the number of members, exclusive.
     * @return the distribution.
     * @throws IllegalArgumentException if there is no such member or slice.
     */
    public Distribution slice(final int member, final int slice)
    {
        Checks.range("member", member, 0, members() - 1);
        Checks.range("slice", slice, 0, members() - 1);
        final Distribution result = copy();
        result.set(member, slice);
        return result;
    }

    /**
     * The same, but one member has a range of its own.
     *
     * @param member from 0 to the number of members, exclusive.
     * @param offset of its bytes, at least 0.
     * @param length of its bytes, at least 0.
     * @return the distribution.
     * @throws IllegalArgumentException if there is no such member, or the range does not end before 2^31 - 1 bytes.
     */
    public Distribution range(final int member, final int offset, final int length)
    {
        Checks.range("member", member, 0, members() - 1);
        Checks.atLeast("offset", offset, 0);
        Checks.range("length", length, 0, Integer.MAX_VALUE - offset);
        final Distribution result = copy();
        result.offsets[member] = offset;
        result.lengths[member] = length;
        result.slices[member] = NO_SLICE;
        return result;
    }

    /**
     * Number of members.
     *
     * @return at least 1.
     */
    public int members()
    {
        return offsets.length;
    }

    /**
     * Where the bytes of a member begin.
     *
     * @param member from 0 to the number of members, exclusive.
     * @return the offset in bytes.
     */
    public int offset(final int member)
    {
        return offsets[member];
    }

    /**
     * How many bytes a member has.
     *
     * @param member from 0 to the number of members, exclusive.
     * @return the length in bytes.
     */
    public int length(final int member)
    {
        return lengths[member];
    }

    /**
     * Which slice a member has.
     *
     * @param member from 0 to the number of members, exclusive.
     * @return the slice, or -1 if the member has a range of its own.
     */
    public int sliceOf(final int member)
    {
        return slices[member];
    }

    /**
     * The longest range of a member.
     *
     * @return in bytes.
     */
    public int maxLength()
    {
        int longest = 0;
        for (final int length : lengths)
        {
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /**
     * Where the last range ends: the least length of the buffer.
     *
     * @return in bytes.
     */
    public int extent()
    {
        int end = 0;
        for (int member = 0; member < offsets.length; member++)
        {
            end = Math.max(end, lengths[member] == 0 ? 0 : offsets[member] + lengths[member]);
        }
        return end;
    }

    /**
     * Whether two members have a byte in common. What is gathered may not overlap.
     *
     * @return true if so.
     */
    public boolean isOverlapping()
    {
        if (overlap == 0)
        {
            overlap = hasOverlap() ? OVERLAPPING : DISJOINT;
        }
        return overlap == OVERLAPPING;
    }

    private boolean hasOverlap()
    {
        final long[] ranges = new long[offsets.length];
        int count = 0;
        for (int member = 0; member < offsets.length; member++)
        {
            if (lengths[member] > 0)
            {
                ranges[count++] = (long)offsets[member] << Integer.SIZE | lengths[member];
            }
        }
        Arrays.sort(ranges, 0, count);
        for (int i = 1; i < count; i++)
        {
            if ((int)(ranges[i - 1] >>> Integer.SIZE) + (int)ranges[i - 1] > (int)(ranges[i] >>> Integer.SIZE))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether all members have the same bytes in both. */
    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Distribution && Arrays.equals(offsets, ((Distribution)other).offsets) &&
            Arrays.equals(lengths, ((Distribution)other).lengths);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(offsets) * 31 + Arrays.hashCode(lengths);
    }

    /** The ranges of all members. */
    @Override
    public String toString()
    {
        return "Distribution{offsets=" + Arrays.toString(offsets) + ", lengths=" + Arrays.toString(lengths) + "}";
    }
}
