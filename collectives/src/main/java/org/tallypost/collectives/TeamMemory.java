// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that {@link Team#allocate} has given to the members of a team: to each a part, in one shared file of the node. What an
 * operation sends from there, others read where it is, by one copy.
 *
 * <p><b>Closing</b> is an operation of the team: all members do it, at the same place of their operations. For the thread that
 * polls the endpoint.
 */
public final class TeamMemory implements AutoCloseable
{
    private final Consumer<TeamMemory> closing;
    private final int number;
    private final UnsafeBuffer[] parts;
    private final UnsafeBuffer own;
    private boolean isClosed;

    TeamMemory(final Consumer<TeamMemory> closing, final int number, final UnsafeBuffer[] parts, final int member)
    {
        this.closing = closing;
        this.number = number;
        this.parts = parts;
        own = parts[member];
    }

    static TeamMemory allocate(final Team team, final int length)
    {
        return team.exchange().direct().memories().allocate(team, length);
    }

    /**
     * This member's part. It begins at a page of its own, and holds zeros at first. Other members read it during operations with
     * data from there, and never write it.
     *
     * @return the buffer, the same one each time. It may be used as long as something refers to it.
     */
    public UnsafeBuffer buffer()
    {
        return own;
    }

    /**
     * Gives the memory back. The members wait for each other, so that none is reading what another one has closed. If the team
     * has ended, no member waits. Idempotent.
     */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            closing.accept(this);
        }
    }

    int number()
    {
        return number;
    }

    UnsafeBuffer part(final int member)
    {
        return parts[member];
    }

    /** Whether a buffer is in this member's part. */
    boolean has(final UnsafeBuffer buffer)
    {
        return buffer.byteArray() == null && buffer.addressOffset() >= own.addressOffset() &&
            buffer.addressOffset() + buffer.capacity() <= own.addressOffset() + own.capacity();
    }

    /** Number, and length of this member's part. */
    @Override
    public String toString()
    {
        return "TeamMemory{number=" + number + ", length=" + own.capacity() + (isClosed ? ", closed}" : "}");
    }
}
