// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Each member gets its portion of what the root has. {@link Team#newScatter()} makes it. */
public final class Scatter extends Operation
{
    private final UnsafeBuffer own = new UnsafeBuffer(0, 0);
    private final Portions portions;
    private int root;

    Scatter(final Team team)
    {
        super(team, Kind.SCATTER);
        portions = new Portions(team.size());
        phases(team.nodes() == null ? null : new ScatterPhases(team.nodes(), this));
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
     * Begins with equal portions, in the members' order.
     *
     * @param root       the root, a member.
     * @param from       buffer with the portions of all members; used at the root only.
     * @param fromOffset of the first one in bytes.
     * @param to         buffer for this member's portion.
     * @param toOffset   of it in bytes.
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
     * Begins with portions as a distribution has them. Several members may have the same bytes.
     *
     * @param root         the root, a member.
     * @param from         buffer with the portions of all members; used at the root only.
     * @param fromOffset   where the distribution begins, in bytes.
     * @param distribution an equal one at all members.
     * @param to           buffer for this member's portion.
     * @param toOffset     of it in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, a distribution is for other members, or there is no such
     *         member.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final int root, final DirectBuffer from, final int fromOffset, final Distribution distribution,
        final MutableDirectBuffer to, final int toOffset)
    {
        requireIdle();
        portions.distributed(distribution);
        return begin(root, from, fromOffset, to, toOffset);
    }

    /**
     * Begins at the root, which leaves its own portion where it is.
     *
     * @param from       buffer with the portions of all members.
     * @param fromOffset of the first one in bytes.
     * @param length     of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final DirectBuffer from, final int fromOffset, final int length)
    {
        requireIdle();
        portions.equal(length);
        return begin(member(), from, fromOffset, null, 0);
    }

    private long begin(
        final int sender, final DirectBuffer all, final int allOffset, final MutableDirectBuffer to, final int toOffset)
    {
        requireRoot(sender);
        root = sender;
        if (root == member())
        {
            portions.wrap(all, allOffset);
            if (to != null)
            {
                portions.copyWholeTo(to, toOffset, root);
            }
        }
        else
        {
            Checks.wrap(own, to, toOffset, portions.length(member()));
        }
        plan(portions.maxLength(), 1, 0, root, portions.hash());
        return begin();
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        if (root == member())
        {
            for (int i = 0; i < members(); i++)
            {
                portions.copyTo(arena, offset + plan().share(i), i, plan(), step);
            }
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return source == root && reader != root;
    }

    @Override
    UnsafeBuffer given()
    {
        return root == member() ? portions.whole() : null;
    }

    @Override
    int givenLength(final int source)
    {
        return portions.extent();
    }

    @Override
    int placeOf(final int source, final int piece)
    {
        return portions.offset(member()) + plan().start(piece);
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        final int count = plan().length(step, own.capacity());
        if (count > 0)
        {
            own.putBytes(plan().start(step), from, offset, count);
        }
    }
}
