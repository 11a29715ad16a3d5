// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.mailbox.layout.RegionDescriptor;

/** A borrower that attaches to a loan or releases it, against the owner that takes it back (SYNC POINT loan, loan-release). */
public final class TakeBackAgainstRelease
{
    private static final int ENTRIES = 1;
    private static final int CHUNK = RegionDescriptor.memoryOffset(ENTRIES);
    private static final int BORROWER = 1;

    private TakeBackAgainstRelease()
    {
    }

    /** One loan of the first generation, lent. */
    private static class LentState
    {
        final UnsafeBuffer contents = new UnsafeBuffer(new byte[CHUNK]);
        final RegionTable table = new RegionTable(contents, ENTRIES, 1);
        final int id = table.open(RegionDescriptor.KIND_LOAN, 0, CHUNK, 1);
        final int entry = RegionDescriptor.entryOffset(id);

        LentState()
        {
            table.lend(id, BORROWER, 1);
        }

        /** As {@link LoanedMessage#attach} does. */
        boolean attach()
        {
            return LoanWord.change(contents, entry, 1, RegionDescriptor.LOAN_LENT, RegionDescriptor.LOAN_READ);
        }

        /** The borrower is taken for dead: the loan is over, and the entry has the next one, for the same borrower. */
        void lendNext()
        {
            table.end(id);
            table.lend(table.open(RegionDescriptor.KIND_LOAN, 0, CHUNK, 1), BORROWER, 1);
        }
    }

    /** One of the two has it. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "taken back")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "read")
    @Outcome(id = {"1, 1", "0, 0"}, expect = Expect.FORBIDDEN, desc = "written while it is read, or lost")
    public static class Attach extends LentState
    {
        /** For the harness. */
        public Attach()
        {
        }

        /**
         * Takes the loan back.
         *
         * @param result whether that went well.
         */
        @Actor
        public void owner(final II_Result result)
        {
            result.r1 = table.takeBack(id) ? 1 : 0;
        }

        /**
         * Attaches to it.
         *
         * @param result whether that went well.
         */
        @Actor
        public void borrower(final II_Result result)
        {
            result.r2 = attach() ? 1 : 0;
        }
    }

    /** A release that comes late says nothing of the next loan. */
    @JCStressTest
    @State
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "released in time")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "released too late")
    @Outcome(id = {"1, 0", "1, 1"}, expect = Expect.FORBIDDEN, desc = "the next loan is over, and its borrower reads it")
    public static class Release extends LentState
    {
        /** For the harness. */
        public Release()
        {
            attach();
        }

        /** Ends the loan, and lends the next one. */
        @Actor
        public void owner()
        {
            lendNext();
        }

        /**
         * Releases the loan.
         *
         * @param result whether that was in time.
         */
        @Actor
        public void borrower(final II_Result result)
        {
            result.r2 = LoanWord.change(contents, entry, 1, RegionDescriptor.LOAN_READ, RegionDescriptor.LOAN_RELEASED) ? 1 : 0;
        }

        /**
         * Looks at the next loan, when both are done.
         *
         * @param result whether it is taken for released.
         */
        @Arbiter
        public void look(final II_Result result)
        {
            result.r1 = table.isReleased(id) ? 1 : 0;
        }
    }

    /** Without the generation in the word, a late release ends the next loan. */
    @JCStressTest
    @State
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "released in time")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the next loan is over, and its borrower reads it")
    public static class Wrong extends LentState
    {
        /** For the harness. */
        public Wrong()
        {
            attach();
        }

        /** Ends the loan, and lends the next one. */
        @Actor
        public void owner()
        {
            lendNext();
        }

        /**
         * Releases whatever is there.
         *
         * @param result that it did so.
         */
        @Actor
        public void borrower(final II_Result result)
        {
            final long word = contents.getLongAcquire(entry + RegionDescriptor.LOAN_OFFSET);
            contents.putLongRelease(entry + RegionDescriptor.LOAN_OFFSET,
                RegionDescriptor.loanWord(RegionDescriptor.generation(word), RegionDescriptor.LOAN_RELEASED));
            result.r2 = 1;
        }

        /**
         * Looks at the next loan, when both are done.
         *
         * @param result whether it is taken for released.
         */
        @Arbiter
        public void look(final II_Result result)
        {
            result.r1 = table.isReleased(id) ? 1 : 0;
        }
    }
}
