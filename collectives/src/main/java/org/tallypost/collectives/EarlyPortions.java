// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.BitUtil;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.collectives.internal.ExposureDescriptor;

/**
 * Portions of lengths that members do not know, shown in the very step in which they say how long these are, if there is room. A
 * member shows them if its own longest portion has room for each member. If that is so for the longest of all, each member takes
 * what is there, and the operation has one step. Otherwise nobody takes it, and all portions go in the steps that follow: what
 * decides is the longest portion of all, so all members decide alike. No further step would tell a member that two others
 * differ in the length of a portion: so each member compares the lengths of all.
 *
 * <pre>
 *   place       a short place, if all have room there; or the block of the step, behind what is said of portions if that is there
 *   in it       for each member a portion, each at a multiple of 64 bytes as long as the longest one of the writer
 * </pre>
 *
 * Where there may be data that members can read where they are, only short places are used: longer ones go directly then.
 */
final class EarlyPortions
{
    /** Each member compares what each one sends with what each one expects. */
    private static final int MOST_MEMBERS = 16;
    private static final int NO_ROOM = -1;

    private final Arena arena;
    private final int member;

    EarlyPortions(final Arena arena, final int member)
    {
        this.arena = arena;
        this.member = member;
    }

    /** Whether an operation has got what it wants by the step in which members have said how long portions are. */
    boolean isEnough(final Operation operation)
    {
        final Plan plan = operation.plan();
        return mayBeEarly(plan) && (inShortPlace(operation.longest()) || inBlock(plan, operation.longest()));
    }

    /** Shows this member's portions. The place was consumed by all, as the line of the step was. */
    void write(final Operation operation, final long step, final int longest)
    {
        final int at = mayBeEarly(operation.plan()) ? offset(operation.plan(), member, step, longest) : NO_ROOM;
        if (at != NO_ROOM)
        {
            operation.writeEarly(arena.buffer(), at, share(longest));
        }
    }

    private boolean mayBeEarly(final Plan plan)
    {
        return plan.mayBeEarly() && arena.members() <= MOST_MEMBERS;
    }

    /** A member that sends another one a portion of another length than this one expects; -1 if there is none. */
    int differs(final Operation operation, final long step)
    {
        for (int from = 0; from < arena.members(); from++)
        {
            final int sent = headOffset(operation.plan(), from, step) + ExposureDescriptor.SHARE_LENGTH_OFFSET;
            for (int to = 0; to < arena.members(); to++)
            {
                final int expected = headOffset(operation.plan(), to, step) + ExposureDescriptor.SHARE_EXPECTED_OFFSET;
                if (arena.buffer().getInt(sent + ExposureDescriptor.shareOffset(to)) !=
                    arena.buffer().getInt(expected + ExposureDescriptor.shareOffset(from)))
                {
                    return from;
                }
            }
        }
        return -1;
    }

    private int headOffset(final Plan plan, final int source, final long step)
    {
        return plan.isInline() ? arena.payloadOffset(source, step) : arena.blockOffset(source, step);
    }

    /** Takes what all members have for this one. All have been seen, and what they say is plausible. */
    void read(final Operation operation, final long step)
    {
        for (int i = 0; i < arena.members(); i++)
        {
            final int source = operation.source(i);
            final int longest = operation.longestOf(source);
            operation.readEarly(source, arena.buffer(),
                offset(operation.plan(), source, step, longest) + member * share(longest));
        }
    }

    private int offset(final Plan plan, final int source, final long step, final int longest)
    {
        return inShortPlace(longest) ? arena.shortOffset(source, step) :
            inBlock(plan, longest) ? arena.blockOffset(source, step) + headLength(plan) : NO_ROOM;
    }

    private boolean inShortPlace(final int longest)
    {
        return longest <= ArenaDescriptor.SHORT_LENGTH && arena.members() * share(longest) <= ArenaDescriptor.SHORT_LENGTH;
    }

    private boolean inBlock(final Plan plan, final int longest)
    {
        return !plan.mayBeRead() && longest <= arena.blockLength() &&
            (long)arena.members() * share(longest) <= arena.blockLength() - headLength(plan);
    }

    /** Bytes of a block that are taken by what is said of portions. */
    private int headLength(final Plan plan)
    {
        return plan.isInline() ? 0 :
            BitUtil.align(ExposureDescriptor.lengthWithShares(arena.members()), BitUtil.CACHE_LINE_LENGTH);
    }

    private static int share(final int longest)
    {
        return BitUtil.align(longest, BitUtil.CACHE_LINE_LENGTH);
    }
}
