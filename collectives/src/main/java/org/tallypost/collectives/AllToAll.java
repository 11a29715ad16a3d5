// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.internal.ExposureDescriptor;

/** Each member has a portion for each other one, and all get theirs. {@link Team#newAllToAll()} makes it. */
public final class AllToAll extends Operation
{
    private final Portions sent;
    private final Portions received;
    /** Where in what each member gives the portion for this one begins. */
    private final int[] places;
    /** How long the longest portion of each member is. */
    private final int[] longests;
    /** How it goes between nodes, with equal portions and with others; null with one node. */
    private final Phases equal;
    private Phases varying;
    private int longest;

    AllToAll(final Team team)
    {
        super(team, Kind.ALL_TO_ALL);
        sent = new Portions(team.size());
        received = new Portions(team.size());
        places = new int[team.size()];
        longests = new int[team.size()];
        equal = team.nodes() == null ? null : new AllToAllPhases(team.nodes(), this);
    }

    Portions sent()
    {
        return sent;
    }

    Portions received()
    {
        return received;
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
        phases(equal);
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

    /**
     * Begins with portions of any lengths. Each member passes two distributions of its own: where the portions for the others
     * are, and where those of the others get to. What a member sends to another one has the length that this one expects of it,
     * or it is a {@link Team#MISMATCH}.
     *
     * @param from       buffer with a portion for each member.
     * @param fromOffset where the distribution of what is sent begins, in bytes.
     * @param sending    by members to which it is sent; several of them may have the same bytes.
     * @param to         buffer for a portion of each member.
     * @param toOffset   where the distribution of what is received begins, in bytes.
     * @param receiving  by members of which it is received, without overlaps.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a distribution is for other members, that of what is received overlaps, or buffers
     *         overlap: they are in the same place and have equal distributions, without overlaps, or have no byte in common.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer from, final int fromOffset, final Distribution sending, final MutableDirectBuffer to,
        final int toOffset, final Distribution receiving)
    {
        requireIdle();
        sent.distributed(sending);
        received.distributed(receiving);
        received.requireDisjoint();
        sent.wrap(from, fromOffset);
        received.wrap(to, toOffset);
        if (!sending.equals(receiving) || sent.whole().addressOffset() != received.whole().addressOffset())
        {
            Checks.requireNoneInCommon(sent.whole(), received.whole());
        }
        if (equal != null)
        {
            varying = varying == null ? new VaryingAllToAllPhases(team().nodes(), this) : varying;
            phases(varying);
        }
        planVarying();
        longest = 0;
        longests[member()] = sent.maxLength();
        return begin();
    }

    /**
     * Begins with portions of any lengths, and those that are received in the place of those that are sent: two members have the
     * same length for each other.
     *
     * @param buffer       with a portion for each member, and later of each member.
     * @param offset       where the distribution begins, in bytes.
     * @param distribution by the other members, without overlaps.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if the distribution is for other members, or overlaps.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final Distribution distribution)
    {
        return start(buffer, offset, distribution, buffer, offset, distribution);
    }

    @Override
    void expose(final MutableDirectBuffer arena, final int offset)
    {
        if (plan().isVarying())
        {
            arena.putInt(offset + ExposureDescriptor.LONGEST_OFFSET, sent.maxLength());
            for (int i = 0; i < members(); i++)
            {
                final int at = offset + ExposureDescriptor.shareOffset(i);
                arena.putInt(at + ExposureDescriptor.SHARE_OFFSET_OFFSET, sent.offset(i));
                arena.putInt(at + ExposureDescriptor.SHARE_LENGTH_OFFSET, sent.length(i));
                arena.putInt(at + ExposureDescriptor.SHARE_EXPECTED_OFFSET, received.length(i));
            }
        }
    }

    @Override
    long see(final int source, final DirectBuffer arena, final int offset, final long given)
    {
        if (!plan().isVarying())
        {
            places[source] = sent.offset(member());
            return 0;
        }
        final int at = offset + ExposureDescriptor.shareOffset(member());
        final int length = arena.getInt(at + ExposureDescriptor.SHARE_LENGTH_OFFSET);
        final int longestOfSource = arena.getInt(offset + ExposureDescriptor.LONGEST_OFFSET);
        places[source] = arena.getInt(at + ExposureDescriptor.SHARE_OFFSET_OFFSET);
        if (longestOfSource > given || length < 0 || length > longestOfSource || length > 0 && places[source] < 0 ||
            length > 0 && places[source] > given - length)
        {
            return Team.DAMAGED;
        }
        longest = Math.max(longest, longestOfSource);
        longests[source] = longestOfSource;
        return length == received.length(source) ? 0 : Team.MISMATCH;
    }

    @Override
    int longest()
    {
        return longest;
    }

    @Override
    int longestOf(final int source)
    {
        return longests[source];
    }

    @Override
    void writeEarly(final MutableDirectBuffer arena, final int offset, final int distance)
    {
        for (int i = 0; i < members(); i++)
        {
            if (sent.length(i) > 0)
            {
                arena.putBytes(offset + i * distance, sent.whole(), sent.offset(i), sent.length(i));
            }
        }
    }

    @Override
    void readEarly(final int source, final DirectBuffer arena, final int offset)
    {
        if (received.length(source) > 0)
        {
            received.whole().putBytes(received.offset(source), arena, offset, received.length(source));
        }
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
        return plan().isVarying() ? -1 : sent.extent();
    }

    @Override
    int placeOf(final int source, final int piece)
    {
        return places[source] + plan().start(piece);
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
