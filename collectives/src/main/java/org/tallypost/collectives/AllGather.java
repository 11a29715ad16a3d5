// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** All get the portions of all. {@link Team#newAllGather()} makes it. */
public final class AllGather extends Operation
{
    private final UnsafeBuffer own = new UnsafeBuffer(0, 0);
    private final Portions portions;

    AllGather(final Team team)
    {
        super(team, Kind.ALL_GATHER);
        portions = new Portions(team.size());
        phases(team.nodes() == null ? null : new AllGatherPhases(team.nodes(), this));
    }

    UnsafeBuffer own()
    {
        return own;
    }

    Portions portions()
    {
        return portions;
    }

    /**
     * Begins with equal portions, which get into the buffer in the members' order.
     *
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param to         buffer for the portions of all members.
     * @param toOffset   of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset, final int length)
    {
        requireIdle();
        portions.equal(length);
        return begin(from, fromOffset, to, toOffset);
    }

    /**
     * Begins with portions that get to where a distribution has them.
     *
     * @param from         buffer with this member's portion.
     * @param fromOffset   of it in bytes.
     * @param to           buffer for the portions of all members.
     * @param toOffset     where the distribution begins, in bytes.
     * @param distribution an equal one at all members, without overlaps.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, a distribution overlaps or is for other members.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final Distribution distribution)
    {
        requireIdle();
        portions.distributed(distribution);
        portions.requireDisjoint();
        return begin(from, fromOffset, to, toOffset);
    }

    /**
     * Begins with this member's portion in its place already.
     *
     * @param buffer for the portions of all members, with this member's one.
     * @param offset of the first one in bytes.
     * @param length of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        requireIdle();
        portions.equal(length);
        return begin(null, 0, buffer, offset);
    }

    private long begin(
        final DirectBuffer from, final int fromOffset, final MutableDirectBuffer all, final int allOffset)
    {
        portions.wrap(all, allOffset);
        if (from != null)
        {
            portions.copyWhole(from, fromOffset, member());
        }
        portions.view(own, member());
        plan(portions.maxLength(), 1, 0, 0, portions.hash());
        return begin();
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        arena.putBytes(offset, own, Math.min(own.capacity(), plan().start(step)), plan().length(step, own.capacity()));
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return source != reader;
    }

    @Override
    UnsafeBuffer given()
    {
        return own;
    }

    @Override
    int givenLength(final int source)
    {
        return portions.length(source);
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        portions.copyFrom(from, offset, source, plan(), step);
    }
}
