// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A thread that ends one claim and begins the next, of the same length in the same mailbox, against another one that looks for
 * what another process wrote into its mark.
 */
public final class MarkRepairAgainstClaim
{
    private static final long KEY = ClaimMark.key(7, 3);

    private MarkRepairAgainstClaim()
    {
    }

    private static UnsafeBuffer line()
    {
        return new UnsafeBuffer(new byte[64]);
    }

    /** By the number of the attempt. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the claim stands")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a claim was cleared that its thread makes")
    public static class Right
    {
        private final UnsafeBuffer line = line();
        private final ClaimMark mark = new ClaimMark(line, 0);

        /** For the harness. */
        public Right()
        {
            mark.intend(KEY, 1);
        }

        /** Ends one claim and begins another. */
        @Actor
        public void sender()
        {
            mark.clear();
            mark.intend(KEY, 1);
        }

        /** Looks at the mark. */
        @Actor
        public void other()
        {
            mark.repair();
        }

        /**
         * Looks whether the claim is there.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = ClaimMark.isFor(line.getLong(ClaimMark.CLAIM_OFFSET), KEY) ? 1 : 0;
        }
    }

    /** The claim is read first, and then whether the thread is claiming. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the claim stands")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a claim was cleared that its thread makes")
    public static class Wrong
    {
        private final UnsafeBuffer line = line();
        private final ClaimMark mark = new ClaimMark(line, 0);

        /** For the harness. */
        public Wrong()
        {
            mark.intend(KEY, 1);
        }

        /** Ends one claim and begins another. */
        @Actor
        public void sender()
        {
            mark.clear();
            mark.intend(KEY, 1);
        }

        /** Looks at the mark. */
        @Actor
        public void other()
        {
            final long claim = line.getLongVolatile(ClaimMark.CLAIM_OFFSET);
            if (claim != 0 && !mark.isClaiming())
            {
                line.compareAndSetLong(ClaimMark.CLAIM_OFFSET, claim, 0L);
            }
        }

        /**
         * Looks whether the claim is there.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = ClaimMark.isFor(line.getLong(ClaimMark.CLAIM_OFFSET), KEY) ? 1 : 0;
        }
    }
}
