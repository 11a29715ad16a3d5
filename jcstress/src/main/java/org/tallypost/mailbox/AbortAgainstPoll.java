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
 * A claim that is left open and then aborted, with another run behind it, against a poll.
 */
public final class AbortAgainstPoll
{
    private AbortAgainstPoll()
    {
    }

    /** The claim says that it is open until it is aborted. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "the first claim is open: what comes after it waits")
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "skipped, and the next run seen")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an aborted run was delivered, or the next one was lost")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Claims for later, sends another run, then aborts the claim.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            final int length = MailboxDescriptor.payloadLength(2);
            mark.intend(box.claimKey(), 2);
            final long first = box.claim(mark, 2);
            raced.fillForNobody(box.payloadOffset(first), 2);
            box.defer(mark, first, length, 0);
            mark.intend(box.claimKey(), 1);
            final long second = box.claim(mark, 1);
            raced.fill(box.payloadOffset(second), 1);
            box.publish(mark, second, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            box.settle(first, MailboxDescriptor.TYPE_ABORTED, 0, length, 0);
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 2);
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

    /** The claim is published like a message, and taken back. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "the first claim is open: what comes after it waits")
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "skipped, and the next run seen")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "an aborted run was delivered, or the next one was lost")
    public static class Wrong
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Claims for later, sends another run, then aborts the claim.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            final int length = MailboxDescriptor.payloadLength(2);
            mark.intend(box.claimKey(), 2);
            final long first = box.claim(mark, 2);
            raced.fillForNobody(box.payloadOffset(first), 2);
            box.publish(mark, first, RacedMailbox.TYPE, 0, length, 0);
            mark.intend(box.claimKey(), 1);
            final long second = box.claim(mark, 1);
            raced.fill(box.payloadOffset(second), 1);
            box.publish(mark, second, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            box.settle(first, MailboxDescriptor.TYPE_ABORTED, 0, length, 0);
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 2);
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
