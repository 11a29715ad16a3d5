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
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The holder of an express lane, which sends more than the lane has room for, against its consumer (SYNC POINT publish, SYNC
 * POINT lane-read).
 */
public final class LaneAgainstPoll
{
    private static final int RUNS = 6;

    private LaneAgainstPoll()
    {
    }

    /** Payload, then header; the read position moves when all below it is read and stamped. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message was torn, lost, or out of order")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public Right()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS * 2);
        }

        /**
         * Sends more than the lane holds.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long position = lane.claim(2);
                if (position >= 0)
                {
                    raced.fill(lane.payloadOffset(position), 2);
                    lane.publish(position, 2, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
                }
            }
        }

        /**
         * Polls.
         */
        @Actor
        public void consumer()
        {
            for (int i = 0; i < RUNS; i++)
            {
                raced.pollLane(2);
            }
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = raced.settle();
            lane.refund();
            raced.whenDelivered = () -> {};
            raced.giveBack();
        }
    }

    /** Header, then payload. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a message was torn, lost, or out of order")
    public static class WrongPublication
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public WrongPublication()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS * 2);
        }

        /**
         * Sends more than the lane holds.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long position = lane.claim(2);
                if (position >= 0)
                {
                    lane.publish(position, 2, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
                    raced.fill(lane.payloadOffset(position), 2);
                }
            }
        }

        /**
         * Polls.
         */
        @Actor
        public void consumer()
        {
            for (int i = 0; i < RUNS; i++)
            {
                raced.pollLane(2);
            }
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = raced.settle();
            lane.refund();
            raced.whenDelivered = () -> {};
            raced.giveBack();
        }
    }

    /** The read position moves before the messages are read. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a message was torn, lost, or out of order")
    public static class WrongReadPosition
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public WrongReadPosition()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS * 2);
            raced.whenDelivered = () -> raced.box.buffer().putLongRelease(
                raced.box.laneOffset(0) + LaneDescriptor.READ_POSITION_OFFSET, raced.lanePoller.position());
        }

        /**
         * Sends more than the lane holds.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long position = lane.claim(2);
                if (position >= 0)
                {
                    raced.fill(lane.payloadOffset(position), 2);
                    lane.publish(position, 2, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
                }
            }
        }

        /**
         * Polls.
         */
        @Actor
        public void consumer()
        {
            for (int i = 0; i < RUNS; i++)
            {
                raced.pollLane(2);
            }
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = raced.settle();
            lane.refund();
            raced.whenDelivered = () -> {};
            raced.giveBack();
        }
    }
}
