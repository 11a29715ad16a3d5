// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.mailbox.layout.RegionDescriptor;

/** A rank that enters a region to put, against the owner that ends the keys of it (SYNC POINT region-entrant). */
public final class EndAgainstEnter
{
    private static final int ENTRIES = 1;
    private static final int CHUNK = RegionDescriptor.memoryOffset(ENTRIES);
    private static final long RANK = RegionDescriptor.borrowerWord(1, 1);

    private EndAgainstEnter()
    {
    }

    /** One region of the first generation. */
    private static class OpenState
    {
        final UnsafeBuffer contents = new UnsafeBuffer(new byte[CHUNK]);
        final RegionTable table = new RegionTable(contents, ENTRIES, 1);
        final int id = table.open(RegionDescriptor.KIND_REGION, 0, CHUNK, 1);
        final int entry = RegionDescriptor.entryOffset(id);
        final long word = contents.getLong(entry + RegionDescriptor.STATE_OFFSET);

        /** As {@link RemoteRegion#enter} does: whether the key is still good. */
        boolean isEntered()
        {
            return EntrantWord.enter(contents, entry, RANK) &&
                contents.getLongAcquire(entry + RegionDescriptor.STATE_OFFSET) == word;
        }
    }

    /** One of the two sees the other. */
    @JCStressTest
    @State
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the owner waits for the rank")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the rank comes too late")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "both give way")
    @Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "the rank puts into memory that the owner uses again")
    public static class Right extends OpenState
    {
        /** For the harness. */
        public Right()
        {
        }

        /**
         * Ends the keys.
         *
         * @param result whether no rank was seen.
         */
        @Actor
        public void owner(final II_Result result)
        {
            table.renew(id, 0);
            result.r1 = table.entrant(id) == 0 ? 1 : 0;
        }

        /**
         * Enters.
         *
         * @param result whether the rank puts.
         */
        @Actor
        public void rank(final II_Result result)
        {
            result.r2 = isEntered() ? 1 : 0;
        }
    }

    /** Without a fence behind the state word the owner looks before the rank can see that the keys are over. */
    @JCStressTest
    @State
    @Outcome(id = {"0, 1", "1, 0", "0, 0"}, expect = Expect.ACCEPTABLE, desc = "one sees the other")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the rank puts into memory that the owner uses again")
    public static class Wrong extends OpenState
    {
        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Ends the keys, and looks at once.
         *
         * @param result whether no rank was seen.
         */
        @Actor
        public void owner(final II_Result result)
        {
            table.renew(id, 0);
            result.r1 = contents.getLongAcquire(entry + RegionDescriptor.ENTRANT_OFFSET) == 0 ? 1 : 0;
        }

        /**
         * Enters.
         *
         * @param result whether the rank puts.
         */
        @Actor
        public void rank(final II_Result result)
        {
            result.r2 = isEntered() ? 1 : 0;
        }
    }
}
