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
import org.tallypost.endpoint.internal.layout.GroupDescriptor;

/**
 * A rank that opens against one that connects to it (SYNC POINT rank-open). The words of shared files that are written once, the
 * last of them with release (SYNC POINT file-complete, SYNC POINT process-live), are of the same kind.
 */
public final class OpenAgainstConnect
{
    private OpenAgainstConnect()
    {
    }

    /** The holder first, then that it is open. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not open yet")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "open, and its holder known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "open, with the holder of an incarnation before")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private final int epoch;
        private final int owner;

        /** For the harness. */
        public Right()
        {
            epoch = pair.epoch() + 1;
            owner = epoch;
        }

        /**
         * Opens a rank.
         */
        @Actor
        public void opener()
        {
            pair.node.runtime().group().open(RacedPair.SENDER, epoch, 0, owner);
        }

        /**
         * Looks which process holds it.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            final long open = GroupDescriptor.rankWord(epoch, GroupDescriptor.STATE_OPEN);
            if (pair.node.runtime().group().rankWordAcquire(RacedPair.SENDER) == open)
            {
                result.r1 = 1;
                result.r2 = pair.node.runtime().group().ownerIncarnation(RacedPair.SENDER) == owner ? 0 : 1;
            }
        }

        /**
         * Clears up.
         */
        @Arbiter
        public void after()
        {
            pair.setEpoch(epoch);
            pair.leave();
            pair.giveBack();
        }
    }

    /** Open first, with the holder of before. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not open yet")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "open, and its holder known")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "open, with the holder of an incarnation before")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();
        private final int epoch;
        private final int owner;

        /** For the harness. */
        public Wrong()
        {
            epoch = pair.epoch() + 1;
            owner = epoch;
        }

        /**
         * Opens a rank.
         */
        @Actor
        public void opener()
        {
            pair.node.runtime().group().open(RacedPair.SENDER, epoch, 0, owner - 1);
            pair.node.runtime().group().open(RacedPair.SENDER, epoch, 0, owner);
        }

        /**
         * Looks which process holds it.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            final long open = GroupDescriptor.rankWord(epoch, GroupDescriptor.STATE_OPEN);
            if (pair.node.runtime().group().rankWordAcquire(RacedPair.SENDER) == open)
            {
                result.r1 = 1;
                result.r2 = pair.node.runtime().group().ownerIncarnation(RacedPair.SENDER) == owner ? 0 : 1;
            }
        }

        /**
         * Clears up.
         */
        @Arbiter
        public void after()
        {
            pair.setEpoch(epoch);
            pair.leave();
            pair.giveBack();
        }
    }
}
