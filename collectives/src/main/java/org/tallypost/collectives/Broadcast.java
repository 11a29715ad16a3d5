// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What the root has, all get. {@link Team#newBroadcast()} makes it. */
public final class Broadcast extends Operation
{
    private final UnsafeBuffer data = new UnsafeBuffer(0, 0);
    private int root;

    Broadcast(final Team team)
    {
        super(team, Kind.BROADCAST);
        phases(team.nodes() == null ? null : new BroadcastPhases(team.nodes(), this));
    }

    int root()
    {
        return root;
    }

    UnsafeBuffer data()
    {
        return data;
    }

    /**
     * Begins, at the root and at all others.
     *
     * @param from   the root, a member.
     * @param buffer that the root reads and all others write.
     * @param offset of the data in bytes.
     * @param length of the data in bytes, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if there is no such member.
     * @throws IndexOutOfBoundsException if the data lie outside their buffer.
     */
    public long start(final int from, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return begin(from, buffer, offset, length);
    }

    /**
     * Begins at the root, which only reads the buffer.
     *
     * @param buffer with the data.
     * @param offset of the data in bytes.
     * @param length of the data in bytes, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IndexOutOfBoundsException if the data lie outside their buffer.
     */
    public long startSend(final DirectBuffer buffer, final int offset, final int length)
    {
        return begin(member(), buffer, offset, length);
    }

    /**
     * Begins at another member than the root.
     *
     * @param from   the root, another member.
     * @param buffer for the data.
     * @param offset of the data in bytes.
     * @param length of the data in bytes, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if there is no such member, or it is this one.
     * @throws IndexOutOfBoundsException if the data lie outside their buffer.
     */
    public long startReceive(final int from, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        if (from == member())
        {
            throw new IllegalArgumentException("the root does not receive: found root=" + from + ", expected another member");
        }
        return begin(from, buffer, offset, length);
    }

    private long begin(final int from, final DirectBuffer buffer, final int offset, final int length)
    {
        requireIdle();
        requireRoot(from);
        Checks.wrap(data, buffer, offset, length);
        root = from;
        plan(length, 1, 0, from, 0);
        return begin();
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        if (root == member())
        {
            arena.putBytes(offset, data, plan().start(step), plan().length(step, data.capacity()));
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
        return root == member() ? data : null;
    }

    @Override
    int givenLength(final int source)
    {
        return data.capacity();
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        data.putBytes(plan().start(step), from, offset, plan().length(step, data.capacity()));
    }
}
