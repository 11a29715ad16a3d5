// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A buffer with a portion for each member: equal ones in the members' order, or as a distribution has it. */
final class Portions
{
    private final int members;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer part = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer here = new UnsafeBuffer(0, 0);
    private Distribution distribution;
    private int length;

    Portions(final int members)
    {
        this.members = members;
    }

    /** Only how long they are: this member has no buffer for all of them. */
    void equal(final int portionLength)
    {
        Checks.range("length", portionLength, 0, Integer.MAX_VALUE / members);
        distribution = null;
        length = portionLength;
    }

    /** Only how long they are: this member has no buffer for all of them. */
    void distributed(final Distribution given)
    {
        Checks.isSet("distribution", given);
        if (given.members() != members)
        {
            throw new IllegalArgumentException(
                "distribution for other members: found=" + given.members() + ", expected=" + members);
        }
        distribution = given;
        length = given.maxLength();
    }

    /** The buffer that has them all. */
    void wrap(final DirectBuffer all, final int offset)
    {
        Checks.wrap(buffer, all, offset, extent());
    }

    /** The buffer that has them all. */
    UnsafeBuffer whole()
    {
        return buffer;
    }

    /** Length that a buffer must have for them all, in bytes. */
    int extent()
    {
        return distribution == null ? members * length : distribution.extent();
    }

    /** Which member has what; null if all have the same, behind each other. */
    Distribution distribution()
    {
        return distribution;
    }

    int maxLength()
    {
        return length;
    }

    int offset(final int member)
    {
        return distribution == null ? member * length : distribution.offset(member);
    }

    int length(final int member)
    {
        return distribution == null ? length : distribution.length(member);
    }

    int hash()
    {
        return distribution == null ? 0 : distribution.hashCode();
    }

    /** What is received may be in the place of all that is sent. */
    void requireApart(final Portions received)
    {
        Checks.requireApart(buffer, received.buffer);
    }

    void requireDisjoint()
    {
        if (distribution != null && distribution.isOverlapping())
        {
            throw new IllegalArgumentException("distribution of what is received overlaps: found=" + distribution +
                ", expected no byte that two members have");
        }
    }

    /** No element is divided between members. */
    void requireWhole(final int unit)
    {
        for (int i = 0; i < members; i++)
        {
            if (length(i) % unit != 0)
            {
                throw new IllegalArgumentException("distribution has a part of an element: found=" + distribution +
                    ", expected lengths that are multiples of " + unit + " bytes");
            }
        }
    }

    /** Copies a piece of a member's portion out of the buffer. */
    void copyTo(final MutableDirectBuffer to, final int offset, final int member, final Plan plan, final int piece)
    {
        final int count = plan.length(piece, length(member));
        if (count > 0)
        {
            to.putBytes(offset, buffer, offset(member) + plan.start(piece), count);
        }
    }

    /** Copies a piece of a member's portion into the buffer. */
    void copyFrom(final DirectBuffer from, final int offset, final int member, final Plan plan, final int piece)
    {
        final int count = plan.length(piece, length(member));
        if (count > 0)
        {
            buffer.putBytes(offset(member) + plan.start(piece), from, offset, count);
        }
    }

    /** Copies a whole portion in, out of another buffer. */
    void copyWhole(final DirectBuffer from, final int offset, final int member)
    {
        from.boundsCheck(offset, length(member));
        if (length(member) == 0)
        {
            // wherever it would be: it may lie behind the buffer
            return;
        }
        requireApart(from, offset, member);
        buffer.putBytes(offset(member), from, offset, length(member));
    }

    /** Copies a whole portion out, into another buffer. */
    void copyWholeTo(final MutableDirectBuffer to, final int offset, final int member)
    {
        to.boundsCheck(offset, length(member));
        if (length(member) == 0)
        {
            return;
        }
        requireApart(to, offset, member);
        to.putBytes(offset, buffer, offset(member), length(member));
    }

    /** A portion elsewhere has no byte in common with those here, unless it is in its place. */
    private void requireApart(final DirectBuffer elsewhere, final int offset, final int member)
    {
        part.wrap(elsewhere, offset, length(member));
        if (Checks.isOverlapping(part, buffer) && part.addressOffset() != buffer.addressOffset() + offset(member))
        {
            for (int i = 0; i < members; i++)
            {
                if (length(i) > 0)
                {
                    here.wrap(buffer, offset(i), length(i));
                    Checks.requireNoneInCommon(part, here);
                }
            }
        }
    }

    /** Makes a view of a member's portion. */
    void view(final UnsafeBuffer view, final int member)
    {
        view.wrap(buffer, length(member) == 0 ? 0 : offset(member), length(member));
    }
}
