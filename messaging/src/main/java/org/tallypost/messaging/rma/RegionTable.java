// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.RegionDescriptor;

/** The table of this rank's memory, as its owner writes it. What it goes by is in its own memory. For one thread. */
final class RegionTable
{
    static final int NONE = -1;

    private final UnsafeBuffer contents;
    private final int[] generations;
    private final int[] chunks;
    private final int[] lengths;
    private final int[] freeIds;
    private int freeCount;

    RegionTable(final UnsafeBuffer contents, final int entries, final int firstGeneration)
    {
        this.contents = contents;
        generations = new int[entries];
        chunks = new int[entries];
        lengths = new int[entries];
        freeIds = new int[entries];
        for (int id = entries - 1; id >= 0; id--)
        {
            generations[id] = firstGeneration;
            freeIds[freeCount++] = id;
        }
    }

    int freeCount()
    {
        return freeCount;
    }

    /** Shows a chunk to the others; {@link #NONE} if all entries are in use. */
    int open(final int kind, final int rights, final int chunk, final int length)
    {
        if (freeCount == 0)
        {
            return NONE;
        }
        final int id = freeIds[--freeCount];
        final int entry = RegionDescriptor.entryOffset(id);
        chunks[id] = chunk;
        lengths[id] = length;
        contents.putLong(entry + RegionDescriptor.CHUNK_OFFSET, chunk);
        contents.putLong(entry + RegionDescriptor.LENGTH_OFFSET, length);
        contents.putLong(entry + RegionDescriptor.BORROWER_OFFSET, 0);
        contents.putLongRelease(entry + RegionDescriptor.LOAN_OFFSET, RegionDescriptor.loanWord(generations[id], 0));
        // SYNC POINT region-entry: where it is comes first
        contents.putLongRelease(
            entry + RegionDescriptor.STATE_OFFSET, RegionDescriptor.stateWord(generations[id], kind, rights));
        return id;
    }

    /** Takes it from the others; returns the offset of the chunk. */
    int end(final int id)
    {
        change(id, RegionDescriptor.KIND_FREE, 0);
        freeIds[freeCount++] = id;
        return chunks[id];
    }

    /** Shows the chunk of an entry in use under the next generation: keys of the former one are stale. */
    void renew(final int id, final int rights)
    {
        change(id, RegionDescriptor.KIND_REGION, rights);
    }

    private void change(final int id, final int kind, final int rights)
    {
        generations[id]++;
        contents.putLongRelease(RegionDescriptor.entryOffset(id) + RegionDescriptor.STATE_OFFSET,
            RegionDescriptor.stateWord(generations[id], kind, rights));
        // SYNC POINT region-end: what the chunk has next comes behind it; one that reads looks at the state behind the bytes
        VarHandle.storeStoreFence();
    }

    /** What is in the midst of a put, if the keys of an entry in use are over; 0 if nothing is. */
    long entrant(final int id)
    {
        return EntrantWord.get(contents, RegionDescriptor.entryOffset(id));
    }

    /** An entrant is gone. */
    void removeEntrant(final int id, final long entrant)
    {
        EntrantWord.leave(contents, RegionDescriptor.entryOffset(id), entrant);
    }

    /** Where the chunk of an entry in use is. */
    int chunk(final int id)
    {
        return chunks[id];
    }

    /** Length that an entry in use shows. */
    int length(final int id)
    {
        return lengths[id];
    }

    int generation(final int id)
    {
        return generations[id];
    }

    void lend(final int id, final int rank, final int epoch)
    {
        final int entry = RegionDescriptor.entryOffset(id);
        contents.putLong(entry + RegionDescriptor.BORROWER_OFFSET, RegionDescriptor.borrowerWord(rank, epoch));
        // SYNC POINT loan: what is lent, and its borrower, come first
        contents.putLongRelease(
            entry + RegionDescriptor.LOAN_OFFSET, RegionDescriptor.loanWord(generations[id], RegionDescriptor.LOAN_LENT));
    }

    /** Ends a loan that its borrower has not attached to: false if it has. */
    boolean takeBack(final int id)
    {
        // SYNC POINT loan: one of the two, the owner or the borrower, changes the word
        return LoanWord.change(contents, RegionDescriptor.entryOffset(id), generations[id], RegionDescriptor.LOAN_LENT, 0);
    }

    /** Whether the borrower has attached to a loan, and not released it. */
    boolean isRead(final int id)
    {
        return LoanWord.get(contents, RegionDescriptor.entryOffset(id)) ==
            RegionDescriptor.loanWord(generations[id], RegionDescriptor.LOAN_READ);
    }

    boolean isReleased(final int id)
    {
        // SYNC POINT loan-release: the borrower has read what it wanted
        return LoanWord.get(contents, RegionDescriptor.entryOffset(id)) ==
            RegionDescriptor.loanWord(generations[id], RegionDescriptor.LOAN_RELEASED);
    }
}
