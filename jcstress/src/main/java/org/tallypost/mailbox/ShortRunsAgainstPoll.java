// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.agrona.UnsafeApi;
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
 * The holder of an express lane, which puts several short runs into a slot and closes some of them, against its consumer, which
 * reads in the same slots meanwhile (SYNC POINT publish).
 */
public final class ShortRunsAgainstPoll
{
    private static final int RUNS = 9;
    private static final int LENGTH = 16;

    private ShortRunsAgainstPoll()
    {
    }

    /** Place for a run, or {@link Lane#NO_PLACE}. */
    static long place(final Lane lane)
    {
        final long at = lane.shortPlace(LENGTH);
        return at != Lane.NO_PLACE ? at : lane.claim(1) < 0 ? Lane.NO_PLACE : lane.shortPlaceClaimed();
    }

    static void publish(final Lane lane, final long at)
    {
        lane.publishShort(at, LENGTH, LaneDescriptor.shortHeader(RacedMailbox.FLAG_SHORT, 0));
    }

    static int payloadOffset(final RacedMailbox raced, final long at)
    {
        return (int)(at - raced.box.buffer().addressOffset()) + MailboxDescriptor.HEADER_LENGTH;
    }

    /** Payload, then what tells that nothing is behind it yet, then header; or a header that says that nothing will be. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order, and nothing was refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message was torn, lost, refused, or out of order")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public Right()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS);
        }

        /**
         * Sends runs of which two fit a slot, and closes every third time.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long at = place(lane);
                if (at != Lane.NO_PLACE)
                {
                    raced.fillBytes(payloadOffset(raced, at), LENGTH);
                    publish(lane, at);
                }
                if (i % 3 == 0)
                {
                    lane.close();
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
                raced.pollLane(3);
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
            lane.refund();
            result.r1 = raced.settle();
            raced.giveBack();
        }
    }

    /** Header, then payload. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order, and nothing was refused")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a message was torn, lost, refused, or out of order")
    public static class WrongPublication
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public WrongPublication()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS);
        }

        /**
         * Sends.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long at = place(lane);
                if (at != Lane.NO_PLACE)
                {
                    publish(lane, at);
                    raced.fillBytes(payloadOffset(raced, at), LENGTH);
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
                raced.pollLane(3);
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
            lane.refund();
            result.r1 = raced.settle();
            raced.giveBack();
        }
    }

    /** The next run is written over what says that the slot is closed, as if no sender had been told so. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "what was sent came, whole and in order, and nothing was refused")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a message was torn, lost, refused, or out of order")
    public static class WrongClose
    {
        private final RacedMailbox raced = RacedMailbox.take();
        private final Lane lane;

        /** For the harness. */
        public WrongClose()
        {
            raced.lanePoller.grant(0);
            lane = new Lane(raced.box, 0);
            lane.pay(RUNS);
        }

        /**
         * Sends two of a slot, with a word between them that closes it.
         */
        @Actor
        public void holder()
        {
            for (int i = 0; i < RUNS; i++)
            {
                final long at = place(lane);
                if (at != Lane.NO_PLACE)
                {
                    if (i % 2 == 1)
                    {
                        UnsafeApi.putLongRelease(null, at, LaneDescriptor.closed(lapBits(raced, lane)));
                    }
                    raced.fillBytes(payloadOffset(raced, at), LENGTH);
                    publish(lane, at);
                }
            }
        }

        private static long lapBits(final RacedMailbox raced, final Lane lane)
        {
            return MailboxDescriptor.lapBits(MailboxDescriptor.lap(
                lane.position() - 1, Integer.numberOfTrailingZeros(raced.box.laneSlots())));
        }

        /**
         * Polls.
         */
        @Actor
        public void consumer()
        {
            for (int i = 0; i < RUNS; i++)
            {
                raced.pollLane(3);
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
            lane.refund();
            result.r1 = raced.settle();
            raced.giveBack();
        }
    }
}
