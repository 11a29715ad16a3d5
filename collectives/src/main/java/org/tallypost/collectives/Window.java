// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.Arena;

/** What all members are known to have consumed: nobody gets more than a window of steps ahead of the slowest one. */
final class Window
{
    /** No member is behind. */
    static final int NOBODY = -1;

    private final Arena arena;
    private final int member;
    /** What each member is known to have consumed, and the least of these. */
    private final long[] seen;
    private long seenByAll;

    Window(final Arena arena, final int member)
    {
        this.arena = arena;
        this.member = member;
        seen = new long[arena.members()];
    }

    /** A line of a member says what it has consumed. So where all read all, nobody has to look at the other words. */
    void see(final int source, final long steps)
    {
        if (steps > seen[source])
        {
            seen[source] = steps;
        }
    }

    /**
     * A member that has not consumed what was in a step's place a window ago.
     *
     * @param step   that this member wants to show.
     * @param own    steps that this member has consumed.
     * @param places for the step's payload: so many steps before was the last one in the same place.
     */
    int behind(final long step, final long own, final int places)
    {
        final long needed = step + 1 - places;
        if (needed <= seenByAll)
        {
            return NOBODY;
        }
        see(member, own);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < seen.length; i++)
        {
            if (seen[i] < needed)
            {
                if (i != member)
                {
                    see(i, arena.consumed(i));
                }
                if (seen[i] < needed)
                {
                    return i;
                }
            }
            least = Math.min(least, seen[i]);
        }
        seenByAll = least;
        return NOBODY;
    }
}
