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
import org.tallypost.endpoint.internal.send.SendingThread;

/**
 * A thread that an Error took out of a claim, with credits taken, and that sends again, against another one that finishes what it
 * left (SYNC POINT claim-left).
 */
public final class FinishAgainstNextClaim
{
    private FinishAgainstNextClaim()
    {
    }

    private static SendingThread left(final RacedPair pair)
    {
        pair.setCredits(2);
        final SendingThread sender = new SendingThread(Thread.currentThread(), pair.mark);
        pair.mark.intend(pair.peer.claimKey, 1);
        if (!pair.withdraw(1))
        {
            throw new IllegalStateException("credits that were just set are not there");
        }
        sender.leftPeer = pair.peer;
        sender.leftTaken = 1;
        sender.isLeft = true;
        return sender;
    }

    /** Sends a message; whether its claim stood in the mark until it was published. */
    private static int send(final RacedPair pair)
    {
        pair.mark.intend(pair.peer.claimKey, 1);
        if (!pair.withdraw(1))
        {
            pair.mark.clear();
            return 0;
        }
        final long position = pair.mailbox.claim(pair.mark, 1);
        final int result = pair.node.runtime().registry().isClaiming(pair.peer.claimKey) ? 1 : 0;
        pair.publish(pair.mark, position);
        return result;
    }

    /** One finishes it, and the other waits meanwhile. */
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the credit came back once, before the next claim")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a credit had twice or lost, or a claim that its mark does not say")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private final SendingThread sender = left(pair);

        /**
         * Sends again.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            sender.finishLeft();
            result.r2 = send(pair);
        }

        /** Looks what threads have left. */
        @Actor
        public void other()
        {
            sender.finishLeft();
        }

        /**
         * Counts the credits.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r1 = pair.credits();
            pair.settle();
            pair.giveBack();
        }
    }

    /** The thread that finds it left finishes it. */
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the credit came back once, before the next claim")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a credit had twice or lost, or a claim that its mark does not say")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();
        private final SendingThread sender = left(pair);

        private void finish()
        {
            if (sender.isLeft)
            {
                pair.peer.add(sender.leftTaken);
                pair.mark.clear();
                sender.isLeft = false;
            }
        }

        /**
         * Sends again.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            finish();
            result.r2 = send(pair);
        }

        /** Looks what threads have left. */
        @Actor
        public void other()
        {
            finish();
        }

        /**
         * Counts the credits.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r1 = pair.credits();
            pair.settle();
            pair.giveBack();
        }
    }
}
