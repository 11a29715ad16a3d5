// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.tallypost.endpoint.internal.layout.CreditWord;

/**
 * A receiver that grants credits and takes back those that are not used, against a sender that withdraws (SYNC POINT credit).
 */
public final class RevokeAgainstWithdraw
{
    private static final int START = 4;
    private static final int MORE = 3;
    private static final int KEEP = 1;

    private RevokeAgainstWithdraw()
    {
    }

    /** Each side changes the word with one instruction. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "every credit is in the word, with the sender, or with the receiver")
    @Outcome(expect = Expect.FORBIDDEN, desc = "credits were lost, or two have the same ones")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private int taken;
        private int back;

        /** For the harness. */
        public Right()
        {
            pair.setCredits(START);
        }

        /**
         * Withdraws.
         */
        @Actor
        public void sender()
        {
            taken += pair.withdraw(2) ? 2 : 0;
            taken += pair.withdraw(1) ? 1 : 0;
        }

        /**
         * Grants, and takes back what is not used.
         */
        @Actor
        public void receiver()
        {
            pair.words.grant(RacedPair.SENDER, MORE);
            back = pair.words.revoke(RacedPair.SENDER, KEEP, RacedPair.MAX_CREDITS, pair.membership);
        }

        /**
         * Counts.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = START + MORE - taken - back - pair.credits();
            pair.giveBack();
        }
    }

    /** Taken back by a load and a store. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "every credit is in the word, with the sender, or with the receiver")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "credits were lost, or two have the same ones")
    public static class WrongRevocation
    {
        private final RacedPair pair = RacedPair.take();
        private int taken;
        private int back;

        /** For the harness. */
        public WrongRevocation()
        {
            pair.setCredits(START);
        }

        /**
         * Withdraws.
         */
        @Actor
        public void sender()
        {
            taken += pair.withdraw(2) ? 2 : 0;
            taken += pair.withdraw(1) ? 1 : 0;
        }

        /**
         * Grants, and takes back what is not used.
         */
        @Actor
        public void receiver()
        {
            pair.words.grant(RacedPair.SENDER, MORE);
            final long word = pair.peer.creditWord();
            back = Math.max(0, CreditWord.credits(word) - KEEP);
            pair.mailbox.buffer().putLongVolatile(pair.line, word - back);
        }

        /**
         * Counts.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = START + MORE - taken - back - pair.credits();
            pair.giveBack();
        }
    }

    /** Granted by a load and a store. */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "every credit is in the word, with the sender, or with the receiver")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "credits were lost, or two have the same ones")
    public static class WrongGrant
    {
        private final RacedPair pair = RacedPair.take();
        private int taken;
        private int back;

        /** For the harness. */
        public WrongGrant()
        {
            pair.setCredits(START);
        }

        /**
         * Withdraws.
         */
        @Actor
        public void sender()
        {
            taken += pair.withdraw(2) ? 2 : 0;
            taken += pair.withdraw(1) ? 1 : 0;
        }

        /**
         * Grants, and takes back what is not used.
         */
        @Actor
        public void receiver()
        {
            pair.mailbox.buffer().putLongVolatile(pair.line, pair.peer.creditWord() + MORE);
            back = pair.words.revoke(RacedPair.SENDER, KEEP, RacedPair.MAX_CREDITS, pair.membership);
        }

        /**
         * Counts.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final I_Result result)
        {
            result.r1 = START + MORE - taken - back - pair.credits();
            pair.giveBack();
        }
    }
}
