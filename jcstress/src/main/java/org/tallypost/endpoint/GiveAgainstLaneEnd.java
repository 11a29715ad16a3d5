// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.send.LaneCounts;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.PollingThread;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.jcstress.Mapped;

/** A receiver that gives credits by a lane; its holder uses them, and gives back what it has in hand (SYNC POINT lane-given). */
public final class GiveAgainstLaneEnd
{
    private static final int CREDITS = 3;
    private static final int CHUNK = 2;
    private static final int MESSAGES = 12;
    private static final int POLLS = 6;

    private GiveAgainstLaneEnd()
    {
    }

    /** One race, up to the end of the lane. */
    private abstract static class Race
    {
        final RacedPair pair = RacedPair.take();
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        private final long granted;

        Race()
        {
            pair.setCredits(CREDITS);
            granted = pair.grantLane();
        }

        final void send()
        {
            final SendingThread self = new SendingThread(Thread.currentThread(), Mapped.mark());
            if (!pair.peer.holdLane(granted))
            {
                throw new IllegalStateException("the lane is not there: word=" + granted);
            }
            final LaneSender lane = new LaneSender(
                self, pair.peer, RacedPair.SENDER, LaneWord.with(granted, LaneWord.HELD), CHUNK, CREDITS, false,
                new LaneCounts(pair.counters, false), new LinesAhead(new PollingThread(0)), 0);
            for (int i = 0; i < MESSAGES; i++)
            {
                lane.offer(pair.peer.rankWord, 1, message, 0, Long.BYTES);
                if (i % 5 == 4)
                {
                    lane.beforeRing();
                }
            }
            lane.end(self, Long.MAX_VALUE);
        }

        final void poll()
        {
            for (int i = 0; i < POLLS; i++)
            {
                pair.pollLaneAndGive();
            }
        }

        /** Credits that are amiss when all is read, with what the sender did not see any more, or without. */
        final int amiss(final boolean isUnusedCounted)
        {
            pair.pollLaneAndGive();
            final int unused = isUnusedCounted ? pair.lanePoller.inHand() : 0;
            final int amiss = CREDITS - pair.credits() - unused;
            pair.freeLane();
            pair.giveBack();
            return amiss;
        }
    }

    /** As the receiver does it: what the holder had no time to see is put into its word. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "no credit amiss")
    @Outcome(expect = Expect.FORBIDDEN, desc = "credits lost, or had twice")
    public static class Right extends Race
    {
        /** Sends by its lane, gives back what is in hand now and then, and at last the lane. */
        @Actor
        public void holder()
        {
            send();
        }

        /** Reads, and gives. */
        @Actor
        public void receiver()
        {
            poll();
        }

        /**
         * Counts.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = amiss(true);
        }
    }

    /** A receiver that takes the lane for empty when its holder has stopped. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the holder saw all in time")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "credits lost that were given after its last look")
    public static class Wrong extends Race
    {
        /** As in the right one. */
        @Actor
        public void holder()
        {
            send();
        }

        /** As in the right one. */
        @Actor
        public void receiver()
        {
            poll();
        }

        /**
         * Counts.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = amiss(false);
        }
    }
}
