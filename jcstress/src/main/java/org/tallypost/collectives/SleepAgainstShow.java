// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** A member that is about to sleep until another one has shown a step, against that one (SYNC POINT sleeping). */
public final class SleepAgainstShow
{
    private static final int BLOCK_LENGTH = 128;

    private SleepAgainstShow()
    {
    }

    private static Arena newArena()
    {
        final int length = (int)ArenaDescriptor.length(2, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[length]);
        Arena.initialise(memory, 1, 1, new int[2], ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        return Arena.attach(memory, 1, 1, 2);
    }

    /** Both have a full fence between their store and their look. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, nobody has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "sleeps, and is woken")
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "sleeps, and is never woken")
    public static class Right
    {
        private final Arena arena = newArena();

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Says for which member it sleeps, and looks once more.
         *
         * @param result whether it has seen the step.
         */
        @Actor
        public void sleeper(final II_Result result)
        {
            arena.sleep(0, 1);
            result.r1 = arena.shown(1, 0) == 1 ? 1 : 0;
        }

        /**
         * Shows a step, and looks whether the other one sleeps.
         *
         * @param result whether it wakes the other one.
         */
        @Actor
        public void other(final II_Result result)
        {
            arena.publish(1, 0, 0, 0);
            arena.fence();
            result.r2 = arena.isSleepingFor(0, 1) ? 1 : 0;
        }
    }

    /** The one that shows has none: its look may come before its store. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, nobody has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "sleeps, and is woken")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "sleeps, and is never woken")
    public static class Wrong
    {
        private final Arena arena = newArena();

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Says for which member it sleeps, and looks once more.
         *
         * @param result whether it has seen the step.
         */
        @Actor
        public void sleeper(final II_Result result)
        {
            arena.sleep(0, 1);
            result.r1 = arena.shown(1, 0) == 1 ? 1 : 0;
        }

        /**
         * Shows a step, and looks whether the other one sleeps.
         *
         * @param result whether it wakes the other one.
         */
        @Actor
        public void other(final II_Result result)
        {
            arena.publish(1, 0, 0, 0);
            result.r2 = arena.isSleepingFor(0, 1) ? 1 : 0;
        }
    }
}
