// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What the members of a team on several nodes agree on; and what each of them votes, which is the same without the living. */
final class AgreedValue
{
    private static final int FLAGS_OFFSET = 0;
    private static final int ABOUT_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    private static final int ODD_OFFSET = ABOUT_OFFSET + Integer.BYTES;
    private static final int FAILURE_OFFSET = ODD_OFFSET + Integer.BYTES;
    private static final int CULPRIT_OFFSET = FAILURE_OFFSET + Integer.BYTES;
    private static final int LIVING_OFFSET = CULPRIT_OFFSET + Integer.BYTES;

    private final long[] living;
    private int flags;
    private int about;
    private int odd;
    private int failure;
    private int culprit;

    AgreedValue(final int members)
    {
        living = new long[(members + Long.SIZE - 1) / Long.SIZE];
    }

    /** Length of a value in a message, in bytes. */
    static int length(final int members)
    {
        return LIVING_OFFSET + (members + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    /** What a member votes: flags, a bit for what it is about, and why the team has ended for it, 0 if it has not. */
    void vote(final int flagsOfMember, final int aboutBit, final int failureOfMember, final int failedMember)
    {
        flags = flagsOfMember;
        about = aboutBit;
        odd = Window.NOBODY;
        failure = failureOfMember;
        culprit = failedMember;
        Arrays.fill(living, 0);
    }

    /** Takes the vote of a member into what was voted so far. */
    void add(final int member, final AgreedValue vote, final boolean isLivingMember)
    {
        odd = odd == Window.NOBODY && vote.about != about ? member : odd;
        flags &= vote.flags;
        about |= vote.about;
        if (failure == 0)
        {
            failure = vote.failure;
            culprit = vote.culprit;
        }
        living[member / Long.SIZE] |= isLivingMember ? 1L << member : 0;
    }

    void set(final AgreedValue other)
    {
        flags = other.flags;
        about = other.about;
        odd = other.odd;
        failure = other.failure;
        culprit = other.culprit;
        System.arraycopy(other.living, 0, living, 0, living.length);
    }

    void write(final MutableDirectBuffer to)
    {
        to.putInt(FLAGS_OFFSET, flags);
        to.putInt(ABOUT_OFFSET, about);
        to.putInt(ODD_OFFSET, odd);
        to.putInt(FAILURE_OFFSET, failure);
        to.putInt(CULPRIT_OFFSET, culprit);
        for (int i = 0; i < living.length; i++)
        {
            to.putLong(LIVING_OFFSET + i * Long.BYTES, living[i]);
        }
    }

    /** Reads what was written. Its numbers of members are checked by those that use them. */
    void read(final DirectBuffer from, final int offset)
    {
        flags = from.getInt(offset + FLAGS_OFFSET);
        about = from.getInt(offset + ABOUT_OFFSET);
        odd = from.getInt(offset + ODD_OFFSET);
        failure = from.getInt(offset + FAILURE_OFFSET);
        culprit = from.getInt(offset + CULPRIT_OFFSET);
        for (int i = 0; i < living.length; i++)
        {
            living[i] = from.getLong(offset + LIVING_OFFSET + i * Long.BYTES);
        }
    }

    int flags()
    {
        return flags;
    }

    /** A bit for each thing that was voted on. */
    int about()
    {
        return about;
    }

    /** A member that has voted on something else than the others; -1 if none has. */
    int odd()
    {
        return odd;
    }

    /** Why the team has ended for a voter; 0 if it has not. */
    int failure()
    {
        return failure;
    }

    /** The member that this is about. */
    int culprit()
    {
        return culprit;
    }

    boolean isLiving(final int member)
    {
        return (living[member / Long.SIZE] & 1L << member) != 0;
    }
}
