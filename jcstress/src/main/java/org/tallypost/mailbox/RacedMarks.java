// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import java.io.File;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.RegistryDescriptor;

/** Two claim marks of a registry, for threads of two processes: one was left by a process that is gone, the other is free. */
final class RacedMarks
{
    private static final int PROCESSES = 3;
    private static final int MARKS = 2;
    private static final int GONE = 2;
    private static final ConcurrentLinkedQueue<RacedMarks> FREE = new ConcurrentLinkedQueue<>();

    private final Registry registry;
    private final UnsafeBuffer words;

    private RacedMarks(final File directory)
    {
        final File file = new File(directory, "registry");
        registry = Registry.create(file, PROCESSES, MARKS);
        words = MappedFiles.map(file, RegistryDescriptor.ENTRIES_OFFSET, "registry");
        for (int process = 0; process < PROCESSES; process++)
        {
            registry.join(System.currentTimeMillis());
        }
        words.putIntRelease(
            RegistryDescriptor.entryOffset(GONE) + RegistryDescriptor.STATE_OFFSET, RegistryDescriptor.STATE_GONE);
    }

    static RacedMarks take()
    {
        final RacedMarks free = FREE.poll();
        final RacedMarks raced = free == null ? Mapped.inNewDirectory(RacedMarks::new) : free;
        raced.words.putLongVolatile(ownerOffset(0), raced.owner(GONE));
        raced.words.putLongVolatile(ownerOffset(1), 0L);
        return raced;
    }

    private static int ownerOffset(final int mark)
    {
        return RegistryDescriptor.markOffset(PROCESSES, mark) + ClaimMark.PROCESS_OFFSET;
    }

    private long owner(final int process)
    {
        return (long)registry.incarnation(process) << 32 | process;
    }

    void takeMark(final int process)
    {
        registry.takeMark(process, registry.incarnation(process));
    }

    /** By a look and a store. */
    void takeMarkByTwoSteps(final int process)
    {
        for (int mark = 0; mark < MARKS; mark++)
        {
            final long found = words.getLongVolatile(ownerOffset(mark));
            if (!registry.isLive((int)found, (int)(found >>> 32)))
            {
                words.putLongVolatile(ownerOffset(mark), owner(process));
                return;
            }
        }
    }

    /**
     * Clears up.
     *
     * @return 1 if each of the two has a mark.
     */
    int settle()
    {
        final long first = words.getLongVolatile(ownerOffset(0));
        final long second = words.getLongVolatile(ownerOffset(1));
        FREE.add(this);
        return first == owner(0) && second == owner(1) || first == owner(1) && second == owner(0) ? 1 : 0;
    }
}
