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
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A run of four slots against a poll: one that sees the header sees the payload (SYNC POINT claim, SYNC POINT publish). The ring
 * has eight slots, so the runs of race after race lie in all laps, and some go on beyond its end.
 */
public final class PublishAgainstPoll
{
    private PublishAgainstPoll()
    {
    }

    /** Payload, then header. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not seen yet")
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "seen, with all of its payload")
    @Outcome(expect = Expect.FORBIDDEN, desc = "seen with payload missing, or lost")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Claims, writes, publishes.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            mark.intend(box.claimKey(), RacedMailbox.RUN_SLOTS);
            final long position = box.claim(mark, RacedMailbox.RUN_SLOTS);
            raced.fill(box.payloadOffset(position), RacedMailbox.RUN_SLOTS);
            box.publish(mark, position, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(RacedMailbox.RUN_SLOTS), 0);
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 1);
            result.r1 = raced.delivered();
            result.r2 = raced.damaged();
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
            raced.giveBack();
        }
    }

    /** Header, then payload. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not seen yet")
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "seen, with all of its payload")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "seen with payload missing, or lost")
    public static class Wrong
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Claims, writes, publishes.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            mark.intend(box.claimKey(), RacedMailbox.RUN_SLOTS);
            final long position = box.claim(mark, RacedMailbox.RUN_SLOTS);
            box.publish(mark, position, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(RacedMailbox.RUN_SLOTS), 0);
            raced.fill(box.payloadOffset(position), RacedMailbox.RUN_SLOTS);
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 1);
            result.r1 = raced.delivered();
            result.r2 = raced.damaged();
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
            raced.giveBack();
        }
    }
}
