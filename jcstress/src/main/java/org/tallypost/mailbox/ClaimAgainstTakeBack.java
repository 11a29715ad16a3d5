// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * A claim that is open in a lane and settled, with a run behind it, against a consumer that wants to know whether anything is to
 * come by the lane (SYNC POINT publish).
 */
public final class ClaimAgainstTakeBack
{
    private static final int LENGTH = MailboxDescriptor.payloadLength(2);

    private ClaimAgainstTakeBack()
    {
    }

    private static long open(final RacedMailbox raced, final Lane lane)
    {
        final long position = lane.claim(2);
        lane.defer(position, 2, LENGTH, 0);
        raced.fill(lane.payloadOffset(position), 2);
        final long behind = lane.claim(1);
        raced.fill(lane.payloadOffset(behind), 1);
        lane.publish(behind, 1, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
        return position;
    }

    /** One look at one header. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "0, 1, 0", "0, 2, 0"}, expect = Expect.ACCEPTABLE, desc = "the lane is in use")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it was taken for empty, or a run was torn or out of order")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;
        private final long position;

        /** For the harness: the holder has a claim open, and another run behind it. */
        public Right()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(3);
            position = open(raced, lane);
        }

        /**
         * Settles the claim, as any thread may.
         */
        @Actor
        public void holder()
        {
            lane.settle(position, RacedMailbox.TYPE, 0, LENGTH, 0);
        }

        /**
         * Looks whether the lane can be taken back, and polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            result.r1 = raced.lanePoller.isVacant() ? 1 : 0;
            raced.pollLane(2);
            result.r2 = raced.delivered();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final III_Result result)
        {
            result.r3 = raced.settle();
            lane.refund();
            raced.giveBack();
        }
    }

    /** One look for a run, and another one for an open claim. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "0, 1, 0", "0, 2, 0"}, expect = Expect.ACCEPTABLE, desc = "the lane is in use")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "it was taken for empty, or a run was torn or out of order")
    public static class Wrong
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;
        private final long position;

        /** For the harness: the holder has a claim open, and another run behind it. */
        public Wrong()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(3);
            position = open(raced, lane);
        }

        /**
         * Settles the claim, as any thread may.
         */
        @Actor
        public void holder()
        {
            lane.settle(position, RacedMailbox.TYPE, 0, LENGTH, 0);
        }

        /**
         * Looks whether the lane can be taken back, and polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            result.r1 = !raced.lanePoller.isUnread() && !raced.lanePoller.isClaimOpen() ? 1 : 0;
            raced.pollLane(2);
            result.r2 = raced.delivered();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final III_Result result)
        {
            result.r3 = raced.settle();
            lane.refund();
            raced.giveBack();
        }
    }
}
