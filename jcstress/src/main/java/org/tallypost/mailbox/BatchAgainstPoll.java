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
 * Three messages with one claim, published one after the other, against a poll.
 */
public final class BatchAgainstPoll
{
    private BatchAgainstPoll()
    {
    }

    /** Each payload before its header, in order. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "1, 0, 0", "2, 0, 0", "3, 0, 0"}, expect = Expect.ACCEPTABLE,
        desc = "so many of the batch, from its beginning, whole")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message was torn, lost, or out of order")
    public static class Right
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Sends three messages with one claim.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            mark.intend(box.claimKey(), 4);
            final long position = box.claim(mark, 4);
            raced.fill(box.payloadOffset(position), 1);
            box.settle(position, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            raced.fill(box.payloadOffset(position + 1), 2);
            box.settle(position + 1, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
            raced.fill(box.payloadOffset(position + 3), 1);
            box.settle(position + 3, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            mark.clear();
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 3);
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

    /** All headers first. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 0, 0", "1, 0, 0", "2, 0, 0", "3, 0, 0"}, expect = Expect.ACCEPTABLE,
        desc = "so many of the batch, from its beginning, whole")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a message was torn, lost, or out of order")
    public static class Wrong
    {
        private final RacedMailbox raced = RacedMailbox.take();

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Sends three messages with one claim.
         */
        @Actor
        public void sender()
        {
            final ClaimMark mark = Mapped.mark();
            final Mailbox box = raced.box;
            mark.intend(box.claimKey(), 4);
            final long position = box.claim(mark, 4);
            box.settle(position, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            box.settle(position + 1, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(2), 0);
            box.settle(position + 3, RacedMailbox.TYPE, 0, MailboxDescriptor.payloadLength(1), 0);
            raced.fill(box.payloadOffset(position), 1);
            raced.fill(box.payloadOffset(position + 1), 2);
            raced.fill(box.payloadOffset(position + 3), 1);
            mark.clear();
        }

        /**
         * Polls.
         *
         * @param result of the race.
         */
        @Actor
        public void consumer(final III_Result result)
        {
            raced.poller.poll(raced, 3);
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
