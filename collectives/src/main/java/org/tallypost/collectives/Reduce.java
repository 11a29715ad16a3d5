// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The root gets the reduction of what all have. {@link Team#newReduce(ElementType, Reducer)} makes it. */
public final class Reduce extends SlicedReduction
{
    private int root;

    Reduce(final Team team, final ElementType type, final Reducer reducer)
    {
        super(team, Kind.REDUCE, type, reducer);
        phases(team.nodes(), () -> new ReducePhases(team.nodes(), this));
    }

    int root()
    {
        return root;
    }

    /**
     * Begins.
     *
     * @param root      the root, a member.
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the results; used at the root only.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, buffers overlap, or there is no such member.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final int root, final DirectBuffer in, final int inOffset, final MutableDirectBuffer out, final int outOffset,
        final int count)
    {
        requireIdle();
        requireRoot(root);
        this.root = root;
        final int length = lengthOf(count, 1);
        Checks.wrap(in(), in, inOffset, length);
        if (isReceiver())
        {
            Checks.wrap(out(), out, outOffset, length);
            Checks.requireApart(in(), out());
        }
        return begin(root, length);
    }

    /**
     * Begins at the root, with the results in the place of its elements.
     *
     * @param buffer with this member's elements.
     * @param offset of the first one in bytes.
     * @param count  number of elements, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final int count)
    {
        return start(member(), buffer, offset, buffer, offset, count);
    }

    @Override
    int operands()
    {
        return isReceiver() ? members() : 0;
    }

    private boolean isReceiver()
    {
        return root == member();
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return root == reader;
    }

    @Override
    boolean isOverwriting()
    {
        return isReceiver() && super.isOverwriting();
    }
}
