// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import java.io.File;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.endpoint.internal.wake.Doorbell;
import org.tallypost.endpoint.internal.wake.Sleeper;

/**
 * A thread that is about to park, against a source that has something for it (SYNC POINT woken).
 */
public final class WakeUpAgainstPark
{
    /** Never made: no other process has to wake a thread. */
    private static final Doorbell BELL = new Doorbell(new File("none"), 1, () -> {}, (t) -> {});

    private WakeUpAgainstPark()
    {
    }

    /** Both sides change the flag by a read and a write at once. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "does not park")
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "parks, and is never woken")
    public static class Right
    {
        private final Sleeper sleeper = new Sleeper(BELL);
        private int work;

        /** For the harness. */
        public Right()
        {
        }

        /**
         * Begins to wait, and looks once more.
         *
         * @param result of the race.
         */
        @Actor
        public void thread(final II_Result result)
        {
            sleeper.begin();
            result.r1 = work;
        }

        /** Has something to do for the thread, in a plain field. */
        @Actor
        public void source()
        {
            work = 1;
            sleeper.wake();
        }

        /**
         * What the thread finds before it parks.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = sleeper.isWoken() ? 1 : 0;
        }
    }

    /** The thread takes the flag back by a release store: the look may come before it. */
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "seen, no thread has to be woken")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen, and woken in vain")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "does not park")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "parks, and is never woken")
    public static class Wrong
    {
        private final AtomicBoolean woken = new AtomicBoolean();
        private int work;

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Begins to wait, and looks once more.
         *
         * @param result of the race.
         */
        @Actor
        public void thread(final II_Result result)
        {
            woken.setRelease(false);
            result.r1 = work;
        }

        /** Has something to do for the thread, in a plain field. */
        @Actor
        public void source()
        {
            work = 1;
            woken.getAndSet(true);
        }

        /**
         * What the thread finds before it parks.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            result.r2 = woken.get() ? 1 : 0;
        }
    }
}
