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
import org.tallypost.endpoint.internal.layout.LaneWord;

/**
 * A receiver that wants back a lane which it has granted, against the sender that takes it (SYNC POINT lane-granted, SYNC POINT
 * lane-held).
 */
public final class RecallAgainstHold
{
    private RecallAgainstHold()
    {
    }

    /** Each step is a compare-and-set. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "held: the receiver waits until it is given back")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "taken back before it was held")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have the lane, or neither")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private final long granted = pair.earnLane();

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Takes the lane that it was granted.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            result.r1 = pair.peer.holdLane(granted) ? 1 : 0;
        }

        /**
         * Wants it back.
         *
         * @param result of the race.
         */
        @Actor
        public void receiver(final II_Result result)
        {
            pair.lanes.recallAll();
            result.r2 = pair.lanes.isAnyGranted() ? 0 : 1;
        }

        /**
         * Clears up.
         */
        @Arbiter
        public void after()
        {
            pair.peer.returnLane(granted);
            pair.lanes.tend();
            pair.mailbox.buffer().putLongVolatile(pair.line + LaneWord.OFFSET, LaneWord.NONE);
            pair.giveBack();
        }
    }

    /** Taken back by a look and a store. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "held: the receiver waits until it is given back")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "taken back before it was held")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "both have the lane, or neither")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();
        private final long granted = pair.earnLane();

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Takes the lane that it was granted.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            result.r1 = pair.peer.holdLane(granted) ? 1 : 0;
        }

        /**
         * Wants it back.
         *
         * @param result of the race.
         */
        @Actor
        public void receiver(final II_Result result)
        {
            if (pair.peer.laneWord() == granted)
            {
                pair.mailbox.buffer().putLongVolatile(pair.line + LaneWord.OFFSET, LaneWord.NONE);
                result.r2 = 1;
            }
        }

        /**
         * Clears up.
         */
        @Arbiter
        public void after()
        {
            pair.peer.returnLane(granted);
            pair.lanes.tend();
            pair.mailbox.buffer().putLongVolatile(pair.line + LaneWord.OFFSET, LaneWord.NONE);
            pair.giveBack();
        }
    }
}
