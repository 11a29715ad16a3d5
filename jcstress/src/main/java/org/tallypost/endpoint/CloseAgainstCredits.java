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
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.endpoint.internal.layout.CreditWord;

/**
 * All that sender and receiver do to a credit word: one withdraws and gives back what it did not use, the other grants and
 * closes the pair (SYNC POINT credit, SYNC POINT pair-closed).
 */
public final class CloseAgainstCredits
{
    private static final int START = 2;
    private static final int MORE = 3;
    private static final int LOST = -1;

    private CloseAgainstCredits()
    {
    }

    /** The word, and what the sender has of it. */
    private static final class Word
    {
        private final RacedPair pair = RacedPair.take();
        private final UnsafeBuffer words = pair.mailbox.buffer();
        private int held;

        private Word()
        {
            pair.setCredits(START);
        }

        private int withdraw(final int credits)
        {
            final long seen = CreditWord.get(words, pair.line);
            final int refusal = CreditWord.refusal(seen, pair.epoch(), RacedPair.MAX_CREDITS, credits);
            return refusal < 0 ? 0 :
                Math.max(0, CreditWord.withdraw(words, pair.line, pair.epoch(), seen, RacedPair.MAX_CREDITS, credits));
        }

        private void giveBack(final int credits)
        {
            held -= CreditWord.add(words, pair.line, pair.epoch(), credits) ? credits : 0;
        }

        private void grantAndClose()
        {
            CreditWord.grant(words, pair.line, MORE);
            CreditWord.close(words, pair.line);
        }

        /** What the pair is left with, and whether the sender has more than there ever was. */
        private void judge(final II_Result result)
        {
            result.r1 = CreditWord.get(words, pair.line) == 0 ? 0 : LOST;
            result.r2 = Math.max(0, held - START - MORE);
            pair.setCredits(0);
            pair.giveBack();
        }
    }

    /** Each step is one instruction, and the sender's fail once the pair is closed. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the pair stays closed, no credit was had twice")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the pair is open again, or a credit was had twice")
    public static class Right
    {
        private final Word word = new Word();

        /**
         * Withdraws, gives some back, and withdraws again.
         */
        @Actor
        public void sender()
        {
            word.held += word.withdraw(2);
            if (word.held > 0)
            {
                word.giveBack(1);
            }
            word.held += word.withdraw(MORE);
        }

        /**
         * Grants, and closes the pair.
         */
        @Actor
        public void receiver()
        {
            word.grantAndClose();
        }

        /**
         * Looks what is left.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            word.judge(result);
        }
    }

    /** Given back by a load and a store: the pair is open again, or a grant is lost. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the pair stays closed, no credit was had twice")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "the pair is open again, or a credit was had twice")
    public static class WrongGiving
    {
        private final Word word = new Word();

        /**
         * Withdraws, gives some back, and withdraws again.
         */
        @Actor
        public void sender()
        {
            word.held += word.withdraw(2);
            final long seen = CreditWord.get(word.words, word.pair.line);
            if (word.held > 0 && CreditWord.epoch(seen) == word.pair.epoch())
            {
                word.words.putLongVolatile(word.pair.line, seen + 1);
                word.held--;
            }
            word.held += word.withdraw(MORE);
        }

        /**
         * Grants, and closes the pair.
         */
        @Actor
        public void receiver()
        {
            word.grantAndClose();
        }

        /**
         * Looks what is left.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            word.judge(result);
        }
    }

    /** Withdrawn by a load and a store. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the pair stays closed, no credit was had twice")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "the pair is open again, or a credit was had twice")
    public static class WrongWithdrawal
    {
        private final Word word = new Word();

        private int withdraw(final int credits)
        {
            final long seen = CreditWord.get(word.words, word.pair.line);
            if (CreditWord.epoch(seen) != word.pair.epoch() || CreditWord.credits(seen) < credits)
            {
                return 0;
            }
            word.words.putLongVolatile(word.pair.line, seen - credits);
            return credits;
        }

        /**
         * Withdraws, gives some back, and withdraws again.
         */
        @Actor
        public void sender()
        {
            word.held += withdraw(2);
            if (word.held > 0)
            {
                word.giveBack(1);
            }
            word.held += withdraw(MORE);
        }

        /**
         * Grants, and closes the pair.
         */
        @Actor
        public void receiver()
        {
            word.grantAndClose();
        }

        /**
         * Looks what is left.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            word.judge(result);
        }
    }
}
