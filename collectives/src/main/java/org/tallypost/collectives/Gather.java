// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The root gets the portions of all. {@link Team#newGather()} makes it. */
public final class Gather extends Operation
{
    private final UnsafeBuffer own = new UnsafeBuffer(0, 0);
    private final Portions portions;
    private int root;

    Gather(final Team team)
    {
        super(team, Kind.GATHER);
        portions = new Portions(team.size());
        phases(team.nodes() == null ? null : new GatherPhases(team.nodes(), this));
    }

    int root()
    {
        return root;
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
     * @param root       the root, a member.
     * @param from       buffer with this member's portion.
     * @param fromOffset of it in bytes.
     * @param to         buffer for the portions of all members; used at the root only.
     * @param toOffset   of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, buffers overlap, or there is no such member.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final int root, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final int length)
    {
        requireIdle();
        portions.equal(length);
        return begin(root, from, fromOffset, to, toOffset);
    }

    /**
     * Begins with portions that get to where a distribution has them.
     *
     * @param root         the root, a member.
     * @param from         buffer with this member's portion.
     * @param fromOffset   of it in bytes.
     * @param to           buffer for the portions of all members; used at the root only.
     * @param toOffset     where the distribution begins, in bytes.
     * @param distribution an equal one at all members, without overlaps.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, a distribution overlaps or is for other members, or there
     *         is no such member.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final int root, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to, final int toOffset,
        final Distribution distribution)
    {
        requireIdle();
        portions.distributed(distribution);
        portions.requireDisjoint();
        return begin(root, from, fromOffset, to, toOffset);
    }

    /**
     * Begins at the root, with its own portion in its place already.
     *
     * @param to       buffer for the portions of all members.
     * @param toOffset of the first one in bytes.
     * @param length   of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer to, final int toOffset, final int length)
    {
        requireIdle();
        portions.equal(length);
        return begin(member(), null, 0, to, toOffset);
    }

    private long begin(
        final int to, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer all, final int allOffset)
    {
        requireRoot(to);
        root = to;
        if (root == member())
        {
            portions.wrap(all, allOffset);
            if (from != null)
            {
                portions.copyWhole(from, fromOffset, root);
            }
        }
        else
        {
            Checks.wrap(own, from, fromOffset, portions.length(member()));
        }
        plan(portions.maxLength(), 1, 0, root, portions.hash());
        return begin();
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        if (root != member())
        {
            arena.putBytes(offset, own, Math.min(own.capacity(), plan().start(step)), plan().length(step, own.capacity()));
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return reader == root && source != root;
    }

    @Override
    UnsafeBuffer given()
    {
        return root == member() ? null : own;
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
