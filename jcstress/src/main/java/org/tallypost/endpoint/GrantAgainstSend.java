// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The ring is full, and credits come only when its run is read: the sender writes the second and the third lap of the slots
 * that the receiver reads and stamps (SYNC POINT credit). The ring has four slots and the run three, so that runs go on beyond
 * its end.
 */
public final class GrantAgainstSend
{
    private static final int ATTEMPTS = 64;
    private static final int POLLS = 16;

    private GrantAgainstSend()
    {
    }

    /** Read, stamped, then granted. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "1, 0, 0", "2, 0, 0"}, expect = Expect.ACCEPTABLE, desc = "so many more were sent, all came whole")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a slot was written before it was read and stamped")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();

        /** For the harness. */
        public Right()
        {
            pair.whenFreed = () -> pair.words.grant(RacedPair.SENDER, RacedPair.RUN_SLOTS);
            pair.setCredits(RacedPair.RUN_SLOTS);
            pair.send(RacedPair.RUN_SLOTS);
        }

        /**
         * Sends twice if it gets credits.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final III_Result result)
        {
            for (int i = 0; i < ATTEMPTS && result.r1 < 2; i++)
            {
                result.r1 += pair.send(RacedPair.RUN_SLOTS) ? 1 : 0;
            }
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void receiver(final III_Result result)
        {
            for (int i = 0; i < POLLS; i++)
            {
                pair.poll(1);
            }
            result.r2 = pair.damaged();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final III_Result result)
        {
            result.r3 = pair.settle();
            pair.whenDelivered = () -> {};
            pair.whenFreed = () -> {};
            pair.giveBack();
        }
    }

    /** Granted before it is read and stamped. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "1, 0, 0", "2, 0, 0"}, expect = Expect.ACCEPTABLE, desc = "so many more were sent, all came whole")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a slot was written before it was read and stamped")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();

        /** For the harness. */
        public Wrong()
        {
            pair.whenDelivered = () -> pair.words.grant(RacedPair.SENDER, RacedPair.RUN_SLOTS);
            pair.setCredits(RacedPair.RUN_SLOTS);
            pair.send(RacedPair.RUN_SLOTS);
        }

        /**
         * Sends twice if it gets credits.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final III_Result result)
        {
            for (int i = 0; i < ATTEMPTS && result.r1 < 2; i++)
            {
                result.r1 += pair.send(RacedPair.RUN_SLOTS) ? 1 : 0;
            }
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void receiver(final III_Result result)
        {
            for (int i = 0; i < POLLS; i++)
            {
                pair.poll(1);
            }
            result.r2 = pair.damaged();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final III_Result result)
        {
            result.r3 = pair.settle();
            pair.whenDelivered = () -> {};
            pair.whenFreed = () -> {};
            pair.giveBack();
        }
    }
}
