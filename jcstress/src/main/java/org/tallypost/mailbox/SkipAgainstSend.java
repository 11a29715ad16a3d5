// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A consumer that skips what a dead sender claimed, against a live sender of the same ring with a run behind it (SYNC POINT
 * claim-mark, SYNC POINT claim-cleared).
 */
public final class SkipAgainstSend
{
    private SkipAgainstSend()
    {
    }

    /** The dead one died before its mark said where: marks first, then headers. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "the dead claim alone was skipped, or nothing yet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the run of a live sender was skipped")
    public static class Right
    {
        private final RacedRegistry raced = RacedRegistry.take();

        /** For the harness. */
        public Right()
        {
            raced.leaveClaim(false);
        }

        /**
         * Sends behind the dead claim.
         */
        @Actor
        public void sender()
        {
            raced.send();
        }

        /**
         * Looks for what can be skipped.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final II_Result result)
        {
            result.r1 = raced.skip();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = raced.settle();
        }
    }

    /** The dead one's mark says where its claim lies. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "the dead claim alone was skipped, or nothing yet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the run of a live sender was skipped")
    public static class RightPlaced
    {
        private final RacedRegistry raced = RacedRegistry.take();

        /** For the harness. */
        public RightPlaced()
        {
            raced.leaveClaim(true);
        }

        /**
         * Sends behind the dead claim.
         */
        @Actor
        public void sender()
        {
            raced.send();
        }

        /**
         * Looks for what can be skipped.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final II_Result result)
        {
            result.r1 = raced.skip();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = raced.settle();
        }
    }

    /** Headers first: a run that is published in between is seen neither as header nor as mark. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "the dead claim alone was skipped, or nothing yet")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "the run of a live sender was skipped")
    public static class Wrong
    {
        private final RacedRegistry raced = RacedRegistry.take();

        /** For the harness. */
        public Wrong()
        {
            raced.leaveClaim(false);
        }

        /**
         * Sends behind the dead claim.
         */
        @Actor
        public void sender()
        {
            raced.send();
        }

        /**
         * Looks for what can be skipped.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final II_Result result)
        {
            result.r1 = raced.skipByHeadersFirst();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = raced.settle();
        }
    }
}
