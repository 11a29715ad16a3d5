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
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.OpenClaims;
import org.tallypost.mailbox.AwaitedClaim;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * A claim that is opened and settled, against a look at what of its receiver's mailbox is open and not held.
 */
public final class GiveUpAgainstHold
{
    private static final int LENGTH = 40;

    private GiveUpAgainstHold()
    {
    }

    private static long claim(final RacedPair raced)
    {
        raced.mark.intend(raced.peer.claimKey, 1);
        return raced.mailbox.claim(raced.mark, 1);
    }

    private static void open(final RacedPair raced, final ClaimState claim, final long position)
    {
        claim.open(null, raced.mailbox, position, LENGTH, RacedPair.SENDER, 0);
    }

    private static void defer(final RacedPair raced, final long position)
    {
        raced.mailbox.defer(raced.mark, position, LENGTH + PacketDescriptor.WORD_LENGTH, RacedPair.SENDER);
    }

    private static int giveUp(final RacedPair raced, final OpenClaims claims)
    {
        final AwaitedClaim awaited = new AwaitedClaim(raced.mailbox, AwaitedClaim.RING);
        return awaited.find() && !claims.isHeld(raced.mailbox, AwaitedClaim.RING, awaited.position()) && awaited.giveUp() ? 1 : 0;
    }

    /** A place is known before its header says open, and forgotten after it does not. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "its holder settles it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a claim that is held was given up")
    public static class Right
    {
        private final RacedPair raced = RacedPair.take();
        private final OpenClaims claims = new OpenClaims();
        private final ClaimState claim = new ClaimState();

        /** For the harness. */
        public Right()
        {
            claims.use(claim);
        }

        /** Claims, and settles. */
        @Actor
        public void sender()
        {
            final long position = claim(raced);
            open(raced, claim, position);
            defer(raced, position);
            claim.abort();
        }

        /**
         * Looks for what is not held.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            result.r1 = giveUp(raced, claims);
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = raced.settle();
            raced.giveBack();
        }
    }

    /** The header says open before the place is known. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "its holder settles it")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "a claim that is held was given up")
    public static class Wrong
    {
        private final RacedPair raced = RacedPair.take();
        private final OpenClaims claims = new OpenClaims();
        private final ClaimState claim = new ClaimState();

        /** For the harness. */
        public Wrong()
        {
            claims.use(claim);
        }

        /** Claims, and settles. */
        @Actor
        public void sender()
        {
            final long position = claim(raced);
            defer(raced, position);
            open(raced, claim, position);
            raced.mailbox.settle(position, MailboxDescriptor.TYPE_ABORTED, 0, LENGTH, RacedPair.SENDER);
        }

        /**
         * Looks for what is not held.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            result.r1 = giveUp(raced, claims);
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = raced.settle();
            raced.giveBack();
        }
    }
}
