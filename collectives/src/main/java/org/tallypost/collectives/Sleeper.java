// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.Arena;

/** For which member this one waits in a team, and what it has told the others of that: they wake it if it sleeps. */
final class Sleeper
{
    private final Arena arena;
    private final int member;
    private int waitingFor = Window.NOBODY;
    /** What is in the sleeping word. */
    private int told;

    Sleeper(final Arena arena, final int member)
    {
        this.arena = arena;
        this.member = member;
    }

    /** This member waits for another one. */
    void waitFor(final int other)
    {
        waitingFor = other;
    }

    int waitingFor()
    {
        return waitingFor;
    }

    /** Before a thread sleeps: tells which member it waits for. Another look has to follow. */
    void sleep()
    {
        told = waitingFor + 1;
        arena.sleep(member, waitingFor);
    }

    /** The same, if it is not told yet. Returns whether it was, or there is nothing to tell. */
    boolean tell()
    {
        final boolean isTold = told == waitingFor + 1;
        if (!isTold)
        {
            sleep();
        }
        return isTold;
    }

    /** Takes back what was told. Returns whether there was anything. */
    boolean awake()
    {
        final boolean wasTold = told != 0;
        if (wasTold)
        {
            told = 0;
            arena.awake(member);
        }
        return wasTold;
    }
}
