// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Type and length of the run of several slots that was seen last, since the next one mostly has the same. Where the header behind
 * a run lies depends on its length: worked out from the header, the processor waits for that line before it asks for the next
 * one; taken from here, behind a branch that nearly always goes one way, it guesses, and asks at once
 * (docs/lab/071-long-runs.md). For one thread.
 */
final class RunForm
{
    /** Type and length in a header: all that its number of slots depends on, whatever else it says. */
    private static final long MASK = 0x0000_FFF0_FFF0_0000L;
    private static final long NONE = -1;

    private long form = NONE;
    private int slots;
    private int length;

    /** Whether this is the form of a run. */
    boolean isOf(final long header)
    {
        return (header & MASK) == form;
    }

    /** Keeps the form of a run, whatever its header says. */
    void keep(final long header)
    {
        form = header & MASK;
        slots = LaneDescriptor.slots(header);
        length = MailboxDescriptor.length(header);
    }

    /**
     * Keeps the form of a run that can be delivered as it is.
     *
     * @return false if this is another type, or has fewer slots than the least or more than most.
     */
    boolean keepIfData(final long header, final int least, final int most)
    {
        final int n = LaneDescriptor.slots(header);
        final boolean isData = MailboxDescriptor.type(header) == MailboxDescriptor.TYPE_FIRST_USER && n >= least && n <= most;
        if (isData)
        {
            keep(header);
        }
        return isData;
    }

    /** Slots of the run that was kept, 1 or more. */
    int slots()
    {
        return slots;
    }

    /** Length of its payload in bytes. */
    int length()
    {
        return length;
    }
}
