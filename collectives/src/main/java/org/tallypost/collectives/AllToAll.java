// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Each member has a portion for each other one, and all get theirs. {@link Team#newAllToAll()} makes it. */
public final class AllToAll extends Operation
{
    private final Portions sent;
    private final Portions received;

    AllToAll(final Team team)
    {
        super(team, Kind.ALL_TO_ALL);
        sent = new Portions(team.size());
        received = new Portions(team.size());
    }

    /**
     * Begins with equal portions, in the members' order.
     *
     * @param from       buffer with a portion for each member.
     * @param fromOffset of the first one in bytes.
     * @param to         buffer for a portion of each member.
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
        sent.equal(length);
        received.equal(length);
        sent.wrap(from, fromOffset);
        received.wrap(to, toOffset);
        sent.requireApart(received);
        plan(length, 1, 0, 0, 0);
        return begin();
    }

    /**
     * Begins with the portions that are received in the place of those that are sent.
     *
     * @param buffer with a portion for each member, and later of each member.
     * @param offset of the first one in bytes.
     * @param length of each portion in bytes.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return start(buffer, offset, buffer, offset, length);
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        for (int i = 0; i < members(); i++)
        {
            sent.copyTo(arena, offset + plan().share(i), i, plan(), step);
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return true;
    }

    @Override
    UnsafeBuffer given()
    {
        return sent.whole();
    }

    @Override
    int givenLength(final int source)
    {
        return sent.extent();
    }

    @Override
    int placeOf(final int piece)
    {
        return sent.offset(member()) + plan().start(piece);
    }

    @Override
    boolean isOverwriting()
    {
        return Checks.isOverlapping(sent.whole(), received.whole());
    }

    /** In place: the piece was written into the arena before, since that does not go directly. */
    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        received.copyFrom(from, offset, source, plan(), step);
    }
}
