// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.SharedFile;

/**
 * The memory that members of a team have allocated, by number. Allocating and closing are operations of the team: so all members
 * have the same ones at each moment of their operations, and a number means the same everywhere.
 */
final class MemoryTable
{
    static final int MAX_COUNT = 64;
    private static final int PAGE_LENGTH = 4096;

    /** Where the files come from. */
    interface Files
    {
        /** Makes a file of a name that this team has not used. */
        SharedFile create(String name, long length);

        /** Attaches to what another member has made; null if it is not there. */
        SharedFile tryAttach(String name);
    }

    private final Files files;
    private final TeamMemory[] memories = new TeamMemory[MAX_COUNT];
    private int count;
    private int made;

    /** With the files of a team; null if it has none. */
    MemoryTable(final Files files)
    {
        this.files = files;
    }

    int count()
    {
        return count;
    }

    /** The memory of a number, or null. */
    TeamMemory get(final int number)
    {
        return number < 0 || number >= MAX_COUNT ? null : memories[number];
    }

    /** The memory with a buffer in its own part, or null. */
    TeamMemory find(final UnsafeBuffer buffer)
    {
        for (int i = 0, seen = 0; seen < count; i++)
        {
            if (memories[i] != null)
            {
                seen++;
                if (memories[i].has(buffer))
                {
                    return memories[i];
                }
            }
        }
        return null;
    }

    void add(final TeamMemory memory)
    {
        memories[memory.number()] = memory;
        count++;
    }

    private int freeNumber()
    {
        int number = 0;
        while (number < MAX_COUNT && memories[number] != null)
        {
            number++;
        }
        return number;
    }

    /**
     * All members together: a part for each in a file that the first member makes.
     *
     * @param team   of this node.
     * @param users  the team with operations that read the memory: this one, or the one of several nodes to which it belongs.
     * @param length of this member's part.
     */
    TeamMemory allocate(final Team team, final Team users, final int length)
    {
        Checks.atLeast("length", length, 0);
        if (files == null || freeNumber() == MAX_COUNT)
        {
            throw new IllegalStateException("no memory for " + team + ": found " + count + " allocated, expected less than " +
                (files == null ? 0 : MAX_COUNT));
        }
        final int[] lengths = lengths(team, length);
        long total = 0;
        for (final int each : lengths)
        {
            total += pages(each);
        }
        // the same for all
        Checks.range("length of the parts of all members", total, 0, SharedFile.MAX_LENGTH);
        final String name = "m" + made++;
        final SharedFile file = open(team, name, total);
        final int number = freeNumber();
        final TeamMemory memory = new TeamMemory(users, released ->
        {
            remove(released);
            file.close();
        }, number, parts(file.buffer(), lengths), team.member());
        add(memory);
        return memory;
    }

    /** The first member makes the file, the others attach. All have it, or none has. */
    private SharedFile open(final Team team, final String name, final long length)
    {
        SharedFile file = null;
        RuntimeException failure = null;
        for (int turn = 0; turn < 2 && failure == null; turn++)
        {
            try
            {
                if ((turn == 0) == (team.member() == 0))
                {
                    file = turn == 0 ? files.create(name, Math.max(length, PAGE_LENGTH)) : attach(name, length);
                }
            }
            catch (final MailboxException e)
            {
                failure = e;
            }
            if (!agree(team, failure == null) && failure == null)
            {
                failure = new MailboxException("memory for " + team + " was not allocated, length=" + length +
                    ": another member has failed, look at its error");
            }
        }
        if (failure != null)
        {
            if (file != null)
            {
                file.close();
            }
            throw failure;
        }
        return file;
    }

    private SharedFile attach(final String name, final long length)
    {
        final SharedFile file = files.tryAttach(name);
        if (file == null)
        {
            throw new MailboxException("memory that another member has made is not there any more: name=" + name +
                ", expected=" + length + " bytes");
        }
        final long found = file.length();
        if (found < length)
        {
            file.close();
            throw new MailboxException("memory of another length: file=" + file.file() + ", found=" + found +
                " bytes, expected=" + length);
        }
        return file;
    }

    private static long pages(final int length)
    {
        return (long)length + PAGE_LENGTH - 1 & -PAGE_LENGTH;
    }

    private static UnsafeBuffer[] parts(final UnsafeBuffer buffer, final int[] lengths)
    {
        final UnsafeBuffer[] parts = new UnsafeBuffer[lengths.length];
        long at = 0;
        for (int i = 0; i < lengths.length; i++)
        {
            parts[i] = new UnsafeBuffer(buffer, (int)at, lengths[i]);
            at += pages(lengths[i]);
        }
        return parts;
    }

    private static int[] lengths(final Team team, final int length)
    {
        final UnsafeBuffer own = new UnsafeBuffer(new byte[Integer.BYTES]);
        final UnsafeBuffer all = new UnsafeBuffer(new byte[Integer.BYTES * team.size()]);
        own.putInt(0, length);
        final AllGather gather = team.newAllGather();
        gather.start(own, 0, all, 0, Integer.BYTES);
        require(gather.await());
        final int[] lengths = new int[team.size()];
        for (int i = 0; i < lengths.length; i++)
        {
            lengths[i] = all.getInt(i * Integer.BYTES);
            if (lengths[i] < 0)
            {
                throw new MailboxException("memory of member " + i + " is damaged: found length=" + lengths[i]);
            }
        }
        return lengths;
    }

    private static boolean agree(final Team team, final boolean isGood)
    {
        final UnsafeBuffer word = new UnsafeBuffer(new byte[Integer.BYTES]);
        word.putInt(0, isGood ? 1 : 0);
        final AllReduce all = team.newAllReduce(ElementType.INT, Reducers.MIN);
        all.startInPlace(word, 0, 1);
        require(all.await());
        return word.getInt(0) == 1;
    }

    static void require(final long result)
    {
        if (result < 0)
        {
            throw new MailboxException("team has ended while its members allocated memory: " + Team.errorString(result));
        }
    }

    private void remove(final TeamMemory memory)
    {
        memories[memory.number()] = null;
        count--;
    }
}
