// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Memory that {@link Team#allocate} has given to the members of a team: to each a part, in one shared file of the node. What an
 * operation sends from there, others read where it is, by one copy. In a team over several nodes each node has a file for its
 * members: they read one another's parts, and what goes to other nodes is copied into messages.
 *
 * <p><b>Closing</b> is an operation of the team: all members do it, at the same place of their operations. For the thread that
 * polls the endpoint.
 */
public final class TeamMemory implements AutoCloseable
{
    private final Team team;
    private final Consumer<TeamMemory> releasing;
    private final int number;
    private final UnsafeBuffer[] parts;
    private final UnsafeBuffer own;
    private boolean isClosed;

    TeamMemory(
        final Team team, final Consumer<TeamMemory> releasing, final int number, final UnsafeBuffer[] parts, final int member)
    {
        this.team = team;
        this.releasing = releasing;
        this.number = number;
        this.parts = parts;
        own = parts[member];
    }

    static TeamMemory allocate(final Team team, final int length)
    {
        Checks.atLeast("length", length, 0);
        return team.nodes() == null ? team.exchange().direct().memories().allocate(team, team, length) :
            allocateOnNodes(team, team.nodes().inner(), length);
    }

    /** A file on each node. All nodes have one, or none has. */
    private static TeamMemory allocateOnNodes(final Team team, final Team inner, final int length)
    {
        // what is under way would come between the operations of the members of a node
        MemoryTable.require(team.barrier());
        TeamMemory memory = null;
        RuntimeException failure = null;
        try
        {
            memory = inner.exchange().direct().memories().allocate(inner, team, length);
        }
        catch (final RuntimeException e)
        {
            // the other nodes wait for this one: they are told, whatever it is
            failure = e;
        }
        final UnsafeBuffer word = new UnsafeBuffer(new byte[Integer.BYTES]);
        word.putInt(0, failure == null ? 1 : 0);
        final AllReduce all = team.newAllReduce(ElementType.INT, Reducers.MIN);
        all.startInPlace(word, 0, 1);
        final long result = all.await();
        if (memory != null && (result < 0 || word.getInt(0) == 0))
        {
            memory.release();
        }
        if (failure != null)
        {
            throw failure;
        }
        MemoryTable.require(result);
        if (word.getInt(0) == 0)
        {
            throw new MailboxException("memory for " + team + " was not allocated, length=" + length +
                ": members of another node have failed, look at their error");
        }
        return memory;
    }

    /** No operation has read it. */
    private void release()
    {
        isClosed = true;
        releasing.accept(this);
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
            // an operation with data from there may be under way, and a barrier of the program that has timed out; if the team
            // has ended, there is none
            final Barrier barrier = team.newBarrier();
            barrier.start();
            barrier.await();
            release();
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
