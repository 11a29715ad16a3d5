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
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * An endpoint that closes and waits for its threads, against one of them that sends (SYNC POINT endpoint-closed).
 */
public final class EndpointCloseAgainstSend
{
    private EndpointCloseAgainstSend()
    {
    }

    /** Mark, credits, then the look whether it is closed. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the sender saw that it is closed")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "sent before it was quiet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "claimed after all was said to be quiet")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private final SendingThreads threads = new SendingThreads(Mapped::newMark, (peer) -> {});
        private volatile boolean closed;
        private long position;

        /** For the harness. */
        public Right()
        {
            pair.setCredits(1);
        }

        /**
         * Sends.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            final ClaimMark mark = threads.mine().mark;
            mark.intend(pair.peer.claimKey, 1);
            if (!pair.withdraw(1) || closed)
            {
                mark.clear();
                return;
            }
            pair.publish(mark, pair.mailbox.claim(mark, 1));
            result.r1 = 1;
        }

        /**
         * Closes, waits until no thread is claiming, and looks.
         */
        @Actor
        public void closer()
        {
            closed = true;
            threads.awaitQuiet(Long.MAX_VALUE);
            position = pair.mailbox.writePosition();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = (int)(pair.mailbox.writePosition() - position);
            pair.settle();
            pair.giveBack();
        }
    }

    /** The look first. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the sender saw that it is closed")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "sent before it was quiet")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "claimed after all was said to be quiet")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();
        private final SendingThreads threads = new SendingThreads(Mapped::newMark, (peer) -> {});
        private volatile boolean closed;
        private long position;

        /** For the harness. */
        public Wrong()
        {
            pair.setCredits(1);
        }

        /**
         * Sends.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            if (closed)
            {
                return;
            }
            final ClaimMark mark = threads.mine().mark;
            mark.intend(pair.peer.claimKey, 1);
            if (!pair.withdraw(1))
            {
                mark.clear();
                return;
            }
            pair.publish(mark, pair.mailbox.claim(mark, 1));
            result.r1 = 1;
        }

        /**
         * Closes, waits until no thread is claiming, and looks.
         */
        @Actor
        public void closer()
        {
            closed = true;
            threads.awaitQuiet(Long.MAX_VALUE);
            position = pair.mailbox.writePosition();
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = (int)(pair.mailbox.writePosition() - position);
            pair.settle();
            pair.giveBack();
        }
    }
}
