// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import org.agrona.UnsafeApi;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Whether the consumer of a lane makes the cache lines that it has read its own, by writing into them, before it gives them back.
 * A line that was only read is in two caches, and the holder's next store into it has to wait until the other copy is gone; one
 * that was written is in one cache, and comes over as any other line does. Which of both is faster depends on the processor,
 * and may be more than half of the rate (docs/lab/037-line-ownership.md), so it is found out by trials. For one thread.
 */
public final class LineOwnership
{
    /** Last word of a slot, where never is a header. */
    private static final int LAST_WORD = MailboxDescriptor.SLOT_LENGTH - Long.BYTES;

    private boolean isOwning = true;
    /** Addresses of the slots that were read last, if they are to be written into and are not yet. */
    private long readBegin;
    private long readEnd;

    LineOwnership()
    {
    }

    /** Whether lines are made the consumer's own from now on. */
    void use(final boolean isToOwn)
    {
        isOwning = isToOwn;
    }

    /**
     * Slots that follow each other were read, and their handlers have returned.
     *
     * @param begin address of the first one.
     * @param end   address behind the last one.
     */
    public void noteRead(final long begin, final long end)
    {
        if (isOwning)
        {
            readBegin = begin;
            readEnd = end;
        }
    }

    /**
     * Makes the lines of what was read last the consumer's own. Not behind the handler: its answer or next message would wait
     * for these stores, but before the next run, or when there is none; and before the position is shown: what is behind that is
     * the holder's.
     */
    public void own()
    {
        if (readBegin != readEnd)
        {
            ownLines();
        }
    }

    private void ownLines()
    {
        for (long line = readBegin; line < readEnd; line += MailboxDescriptor.SLOT_LENGTH)
        {
            UnsafeApi.putLong(line + LAST_WORD, 0L);
        }
        readBegin = readEnd;
    }

    /** What was read last is not the consumer's any more. */
    public void forget()
    {
        readBegin = readEnd;
    }
}
