// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A receiver that closes a pair when its sender has gone, against a thread of that sender which is still at work (SYNC POINT
 * claim-mark, SYNC POINT pair-closed), and the way back in.
 */
public final class CloseAgainstSend
{
    private static final int LOOKS = 4;

    private CloseAgainstSend()
    {
    }

    /** Mark, then credits, then the claim. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "not sent, or read before the sender's credits were free")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a run came after its sender's books were closed")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private boolean isGoneInTime;

        /** For the harness. */
        public Right()
        {
            pair.setCredits(1);
        }

        /**
         * Sends while its rank is closed.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            result.r1 = pair.send(1) ? 1 : 0;
        }

        /**
         * Follows which process went.
         */
        @Actor
        public void receiver()
        {
            pair.leave();
            for (int i = 0; i < LOOKS; i++)
            {
                pair.membership.update();
                pair.poll(1);
            }
            isGoneInTime = pair.isGone;
        }

        /**
         * Clears up, and lets the sender in again.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            final int before = pair.delivered();
            pair.poll(1);
            result.r2 = isGoneInTime ? pair.delivered() - before : 0;
            while (!pair.isGone)
            {
                pair.membership.update();
                pair.poll(1);
            }
            pair.settle();
            pair.enter();
            pair.giveBack();
        }
    }

    /** Credits, then the mark: between them the claim is not known. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0", "1, 0"}, expect = Expect.ACCEPTABLE, desc = "not sent, or read before the sender's credits were free")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a run came after its sender's books were closed")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();
        private boolean isGoneInTime;

        /** For the harness. */
        public Wrong()
        {
            pair.setCredits(1);
        }

        /**
         * Sends while its rank is closed.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            if (pair.withdraw(1))
            {
                pair.mark.intend(pair.peer.claimKey, 1);
                pair.claimAndPublish(1);
                result.r1 = 1;
            }
        }

        /**
         * Follows which process went.
         */
        @Actor
        public void receiver()
        {
            pair.leave();
            for (int i = 0; i < LOOKS; i++)
            {
                pair.membership.update();
                pair.poll(1);
            }
            isGoneInTime = pair.isGone;
        }

        /**
         * Clears up, and lets the sender in again.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            final int before = pair.delivered();
            pair.poll(1);
            result.r2 = isGoneInTime ? pair.delivered() - before : 0;
            while (!pair.isGone)
            {
                pair.membership.update();
                pair.poll(1);
            }
            pair.settle();
            pair.enter();
            pair.giveBack();
        }
    }
}
