// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Each member gets its portion of the reduction of what all have. {@link Team#newReduceScatter(ElementType, Reducer)} makes it.
 */
public final class ReduceScatter extends Reduction
{
    private final Portions portions;

    ReduceScatter(final Team team, final ElementType type, final Reducer reducer)
    {
        super(team, Kind.REDUCE_SCATTER, type, reducer);
        portions = new Portions(team.size());
        phases(team.nodes(), () -> new ReduceScatterPhases(team.nodes(), this));
    }

    Portions portions()
    {
        return portions;
    }

    @Override
    int operandOffset()
    {
        return portions.offset(member());
    }

    /**
     * Begins.
     *
     * @param in        buffer with elements for all members, in the members' order.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for this member's results.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements for each member, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer in, final int inOffset, final MutableDirectBuffer out, final int outOffset, final int count)
    {
        requireIdle();
        portions.equal(lengthOf(count, members()) / members());
        return begin(in, inOffset, out, outOffset);
    }

    /**
     * Begins with portions of any lengths.
     *
     * @param in           buffer with elements for all members.
     * @param inOffset     where the distribution begins, in bytes.
     * @param distribution which member gets which elements, an equal one at all members. Several members may get the same ones.
     * @param out          buffer for this member's results.
     * @param outOffset    of the first one in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if the distribution is for other members or has a part of an element, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer in, final int inOffset, final Distribution distribution, final MutableDirectBuffer out,
        final int outOffset)
    {
        requireIdle();
        portions.distributed(distribution);
        portions.requireWhole(unit());
        return begin(in, inOffset, out, outOffset);
    }

    private long begin(final DirectBuffer in, final int inOffset, final MutableDirectBuffer out, final int outOffset)
    {
        Checks.wrap(in(), in, inOffset, portions.extent());
        Checks.wrap(out(), out, outOffset, portions.length(member()));
        Checks.requireApart(in(), out());
        return begin(0, portions.maxLength(), portions.hash());
    }

    /**
     * Begins with the results in the place of the elements for the first member.
     *
     * @param buffer with elements for all members.
     * @param offset of the first one in bytes.
     * @param count  number of elements for each member, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final int count)
    {
        return start(buffer, offset, buffer, offset, count);
    }

    /**
     * Begins with portions of any lengths, and the results where the distribution begins.
     *
     * @param buffer       with elements for all members.
     * @param offset       where the distribution begins, in bytes.
     * @param distribution which member gets which elements, an equal one at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if the distribution is for other members or has a part of an element.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final Distribution distribution)
    {
        return start(buffer, offset, distribution, buffer, offset);
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        for (int i = 0; i < members(); i++)
        {
            final int count = plan().length(step, portions.length(i));
            if (count > 0)
            {
                arena.putBytes(offset + plan().share(i), in(), portions.offset(i) + plan().start(step), count);
            }
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return true;
    }

    @Override
    int placeOf(final int source, final int piece)
    {
        return portions.offset(member()) + plan().start(piece);
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        takeOf(source, out(), plan().start(step), from, offset, plan().length(step, portions.length(member())));
    }
}
