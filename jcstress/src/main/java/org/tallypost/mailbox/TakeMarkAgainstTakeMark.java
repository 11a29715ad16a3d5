// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads of two processes that take claim marks, of which one was left by a process that is gone (SYNC POINT mark-owner).
 */
public final class TakeMarkAgainstTakeMark
{
    private TakeMarkAgainstTakeMark()
    {
    }

    /** By a compare-and-set of the owner. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "each has a mark of its own")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have the same mark")
    public static class Right
    {
        private final RacedMarks raced = RacedMarks.take();

        /** A thread of one process. */
        @Actor
        public void first()
        {
            raced.takeMark(0);
        }

        /** A thread of another process. */
        @Actor
        public void second()
        {
            raced.takeMark(1);
        }

        /**
         * Looks which process has which mark.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = raced.settle();
        }
    }

    /** By a look and a store. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "each has a mark of its own")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "both have the same mark")
    public static class Wrong
    {
        private final RacedMarks raced = RacedMarks.take();

        /** A thread of one process. */
        @Actor
        public void first()
        {
            raced.takeMarkByTwoSteps(0);
        }

        /** A thread of another process. */
        @Actor
        public void second()
        {
            raced.takeMarkByTwoSteps(1);
        }

        /**
         * Looks which process has which mark.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = raced.settle();
        }
    }
}
