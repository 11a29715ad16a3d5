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
import org.tallypost.endpoint.internal.layout.PacketDescriptor;

/**
 * A sender that is about to sleep until credits come, against the grant (SYNC POINT awaited).
 */
public final class AwaitAgainstGrant
{
    private AwaitAgainstGrant()
    {
    }

    /** The grant is a full fence, and so is the word that says which sender waits. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "waits, and is woken")
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "waits, and is never woken")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();

        /** For the harness. */
        public Right()
        {
            pair.setCredits(0);
            // a rank that is not open has no thread to wake: its word is cleared just the same
            pair.leave();
        }

        /**
         * Says that it waits, and looks once more.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            pair.peer.await();
            result.r1 = pair.peer.hasCredits() ? 1 : 0;
        }

        /**
         * Grants, and looks whether a sender waits.
         */
        @Actor
        public void receiver()
        {
            pair.words.grant(RacedPair.SENDER, 1);
        }

        /**
         * Looks whether the waiting sender was found.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = pair.peer.isAwaited() ? 0 : 1;
            pair.mailbox.buffer().putLongVolatile(pair.line + PacketDescriptor.AWAITED_OFFSET, 0L);
            pair.giveBack();
        }
    }

    /** The grant is a release store: the look after it may come before. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "waits, and is woken")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "waits, and is never woken")
    public static class Wrong
    {
        private final RacedPair pair = RacedPair.take();

        /** For the harness. */
        public Wrong()
        {
            pair.setCredits(0);
            // a rank that is not open has no thread to wake: its word is cleared just the same
            pair.leave();
        }

        /**
         * Says that it waits, and looks once more.
         *
         * @param result of the race.
         */
        @Actor
        public void sender(final II_Result result)
        {
            pair.peer.await();
            result.r1 = pair.peer.hasCredits() ? 1 : 0;
        }

        /**
         * Grants, and looks whether a sender waits.
         */
        @Actor
        public void receiver()
        {
            final UnsafeBuffer buffer = pair.mailbox.buffer();
            buffer.putLongRelease(pair.line, pair.peer.creditWord() + 1);
            final int awaited = pair.line + PacketDescriptor.AWAITED_OFFSET;
            if (buffer.getLongAcquire(awaited) != 0)
            {
                buffer.getAndSetLong(awaited, 0L);
            }
        }

        /**
         * Looks whether the waiting sender was found.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = pair.peer.isAwaited() ? 0 : 1;
            pair.mailbox.buffer().putLongVolatile(pair.line + PacketDescriptor.AWAITED_OFFSET, 0L);
            pair.giveBack();
        }
    }
}
