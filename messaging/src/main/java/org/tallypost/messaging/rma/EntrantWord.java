// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.RegionDescriptor;

/**
 * The word of an entry that says which rank is in the midst of puts. A rank enters before it looks whether its key is good; the
 * owner ends the key before it looks at the word. So one of them sees the other (SYNC POINT region-entrant).
 */
final class EntrantWord
{
    private EntrantWord()
    {
    }

    /** The rank looks at the state word behind this. False if another one has entered. */
    static boolean enter(final UnsafeBuffer contents, final int entry, final long word)
    {
        final boolean isEntered = contents.compareAndSetLong(entry + RegionDescriptor.ENTRANT_OFFSET, 0, word);
        // SYNC POINT region-entrant: a compare-and-set alone does not keep loads behind it on each machine
        VarHandle.fullFence();
        return isEntered;
    }

    /** Nothing happens if the word is another one. What was put comes first. */
    static void leave(final UnsafeBuffer contents, final int entry, final long word)
    {
        contents.compareAndSetLong(entry + RegionDescriptor.ENTRANT_OFFSET, word, 0);
    }

    /** What is in the midst of puts; 0 if nothing is. The owner has changed the state word before this. */
    static long get(final UnsafeBuffer contents, final int entry)
    {
        // SYNC POINT region-entrant
        VarHandle.fullFence();
        return contents.getLongAcquire(entry + RegionDescriptor.ENTRANT_OFFSET);
    }
}
