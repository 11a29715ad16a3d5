// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.send.LaneCounts;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.PollingThread;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.jcstress.Mapped;

/**
 * A thread that ends the lane of another one, which sends by it at that moment without a fence of its own (SYNC POINT
 * lane-shut, SYNC POINT lane-returned).
 */
public final class LaneEndAgainstHolder
{
    private static final int CREDITS = 32;
    private static final int MESSAGES = 6;
    private static final int LONGER = 40;
    private static final int PATIENCE = 2000;
    private static final int LOST = 100;

    private LaneEndAgainstHolder()
    {
    }

    /** As the endpoint does it: the thread that ends the lane makes the holder pass a fence. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the lane was not there yet")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "nothing sent after it was given back, no credit amiss")
    @Outcome(expect = Expect.FORBIDDEN, desc = "sent into a lane that was given back, or credits amiss")
    public static class Right
    {
        private final RacedPair pair = RacedPair.take();
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONGER]);
        private volatile LaneSender lane;
        private int accepted;
        private int read;

        /** For the harness. */
        public Right()
        {
            pair.setCredits(CREDITS);
        }

        /**
         * Sends by its lane.
         *
         * @param result of the race.
         */
        @Actor
        public void holder(final II_Result result)
        {
            final long granted = pair.grantLane();
            final SendingThread self = new SendingThread(Thread.currentThread(), Mapped.mark());
            if (!pair.peer.holdLane(granted))
            {
                throw new IllegalStateException("the lane is not there: word=" + granted);
            }
            final LaneSender mine = new LaneSender(
                self, pair.peer, RacedPair.SENDER, LaneWord.with(granted, LaneWord.HELD), 4, 4, false,
                new LaneCounts(pair.counters, false), new LinesAhead(new PollingThread(0)), 0);
            lane = mine;
            for (int i = 0; i < MESSAGES; i++)
            {
                // the first ones share a slot
                final int length = i < MESSAGES / 2 ? Long.BYTES : message.capacity();
                accepted += mine.offer(pair.peer.rankWord, 1, message, 0, length) >= 0 ? 1 : 0;
                // into a slot that is its own as long as the lane is
                mine.prefetchNext();
            }
        }

        /**
         * Ends the lane for it, and looks.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            LaneSender other = lane;
            for (int i = 0; i < PATIENCE && other == null; i++)
            {
                Thread.onSpinWait();
                other = lane;
            }
            if (other != null)
            {
                other.end(new SendingThread(Thread.currentThread(), pair.mark), Long.MAX_VALUE);
                read = pair.drainLane();
                pair.paintLane();
                result.r1 = 1;
            }
        }

        /**
         * Clears up.
         *
         * @param result of the race.
         */
        @Arbiter
        public void after(final II_Result result)
        {
            final int late = result.r1 == 0 ? 0 : pair.drainLane();
            result.r2 = result.r1 == 0 ? 0 : late + (accepted == read + late && pair.isLanePainted() ? 0 : LOST) +
                (pair.credits() + (int)lane.sentSlots() == CREDITS ? 0 : LOST);
            if (result.r1 == 0)
            {
                lane.end(new SendingThread(Thread.currentThread(), pair.mark), Long.MAX_VALUE);
            }
            pair.freeLane();
            pair.giveBack();
        }
    }

    /** The two flags alone: the holder's may still be in its store buffer. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "both saw each other")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "ended before")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "waited for")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "sent although the lane was given back")
    public static class Wrong
    {
        private int busy;
        private int shut;
        private int sent;
        private static final VarHandle BUSY = handle("busy");
        private static final VarHandle SHUT = handle("shut");

        private static VarHandle handle(final String name)
        {
            try
            {
                return MethodHandles.lookup().findVarHandle(Wrong.class, name, int.class);
            }
            catch (final ReflectiveOperationException ex)
            {
                throw new ExceptionInInitializerError(ex);
            }
        }

        /** For the harness. */
        public Wrong()
        {
        }

        /**
         * Sends by its lane.
         *
         * @param result of the race.
         */
        @Actor
        public void holder(final II_Result result)
        {
            BUSY.setOpaque(this, 1);
            VarHandle.acquireFence();
            if ((int)SHUT.getVolatile(this) == 0)
            {
                result.r1 = 1;
            }
        }

        /**
         * Ends the lane for it, and looks.
         *
         * @param result of the race.
         */
        @Actor
        public void other(final II_Result result)
        {
            SHUT.setVolatile(this, 1);
            result.r2 = (int)BUSY.getAcquire(this) == 0 ? 1 : 0;
        }
    }
}
