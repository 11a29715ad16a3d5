// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** How an operation goes through a team of several nodes: what members of a node and what leaders do, one after the other. */
abstract class Phases
{
    private final NodesPath path;
    private int phase;
    private Operation inside;
    private boolean isBetween;

    Phases(final NodesPath path)
    {
        this.path = path;
    }

    /** Before it begins: refuses what all members of the team find to be too long. */
    void require()
    {
        // nothing is, unless members need room for more than they pass
    }

    /** From the beginning. */
    final void begin()
    {
        phase = 0;
        inside = null;
        isBetween = false;
    }

    /** Does what can be done now. Whether that is all. */
    final boolean advance()
    {
        boolean isMore = true;
        while (isMore)
        {
            if (inside != null)
            {
                if (inside.progress() < 0)
                {
                    return false;
                }
                inside = null;
                path.moved();
            }
            if (isBetween)
            {
                if (!path.moves().advance())
                {
                    return false;
                }
                isBetween = false;
                path.moved();
            }
            isMore = step(phase++);
        }
        return true;
    }

    /** Begins a phase, by {@link #inside} or {@link #between}, or with nothing to do. Whether there is such a phase. */
    abstract boolean step(int number);

    /** The members of the node do something: started behind {@link #salted}. */
    final void inside(final Operation started)
    {
        inside = started;
    }

    /** Before it is started: members that are in another operation, or another phase, are found out. */
    final <T extends Operation> T salted(final T operation)
    {
        operation.plan().salt(path.salt(phase));
        return operation;
    }

    /** The leaders do something: its moves are in the program. */
    final void between()
    {
        isBetween = true;
    }

    final boolean isBetween()
    {
        return isBetween;
    }

    final NodesPath path()
    {
        return path;
    }

    final NodeMap map()
    {
        return path.map();
    }

    final boolean isLeader()
    {
        return path.map().isLeader();
    }

    /** Whether a member is on this node, and is not its leader. */
    final boolean isBehindLeader(final int member)
    {
        return map().isHere(member) && map().localOf(member) != 0;
    }

    /** Memory of a leader, which grows to the longest that was needed. */
    static final class LeaderMemory
    {
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private byte[] memory = new byte[0];

        UnsafeBuffer of(final int length)
        {
            memory = memory.length < length ? new byte[length] : memory;
            buffer.wrap(memory, 0, length);
            return buffer;
        }

        UnsafeBuffer buffer()
        {
            return buffer;
        }
    }
}
