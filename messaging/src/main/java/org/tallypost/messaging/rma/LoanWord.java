// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.RegionDescriptor;

/** The word of an entry that says how far a loan is: owner and borrower change it by one compare-and-set, and one wins. */
final class LoanWord
{
    private LoanWord()
    {
    }

    static long get(final UnsafeBuffer contents, final int entry)
    {
        return contents.getLongAcquire(entry + RegionDescriptor.LOAN_OFFSET);
    }

    /** False if the loan is in another state, or over: the generation in the word is the one that is meant. */
    static boolean change(final UnsafeBuffer contents, final int entry, final int generation, final int from, final int to)
    {
        return contents.compareAndSetLong(entry + RegionDescriptor.LOAN_OFFSET,
            RegionDescriptor.loanWord(generation, from), RegionDescriptor.loanWord(generation, to));
    }
}
