// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Polling with many attached senders over polling with few, batch about batch in one run: each iteration prints the cost of
 * a message in both and their ratio. JMH's own figure is the time of a pair of batches, sending included.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@State(Scope.Thread)
public class PollRatioBenchmark
{
    private static final int BATCH = 1024;
    /** What 64 senders with a quota of 6 slots have out at once. */
    private static final int SMALL_BATCH = 256;
    private static final int FEW = 64;
    private static final int MANY = 1024;
    /** One receiver, and one rank that is never open. */
    private static final int OTHERS = 2;
    private static final String ADD_OPENS = "java.base/jdk.internal.misc=ALL-UNNAMED";

    /** Two mailboxes of the same size. */
    @State(Scope.Thread)
    public static class Mailboxes
    {
        private final MailboxState one = new MailboxState();
        private final MailboxState many = new MailboxState()
        {
            @Override
            int senders()
            {
                return MAX_SENDERS;
            }
        };
        private final PairedTimes times = new PairedTimes();

        /** Makes the files. */
        @Setup(Level.Trial)
        public void setUp()
        {
            one.length = 32;
            many.length = 32;
            one.setUp();
            many.setUp();
        }

        /** Removes the files. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            one.tearDown();
            many.tearDown();
        }

        /** Prints the ratio. */
        @TearDown(Level.Iteration)
        public void report()
        {
            System.out.println(times.report("mailbox, a message: 1 sender", "1,024 senders", BATCH));
        }

        private static long poll(final MailboxState state)
        {
            for (int i = 0; i < BATCH; i++)
            {
                state.send();
            }
            final long startNs = System.nanoTime();
            state.poller.poll(state, BATCH);
            return System.nanoTime() - startNs;
        }
    }

    /** Two groups of the same size: one with one open sender, one with 1,024. */
    @State(Scope.Thread)
    public static class Groups
    {
        /** How many of the 1,024 send, in turns. */
        @Param({"1", "1024"})
        public int active;

        private final EndpointBenchmark.Filled one = new EndpointBenchmark.Filled();
        private final EndpointBenchmark.Filled many = new EndpointBenchmark.Filled();
        private final PairedTimes times = new PairedTimes();

        /** Opens the ranks. */
        @Setup(Level.Trial)
        public void setUp()
        {
            one.setUp(MANY + OTHERS, 1, 1);
            many.setUp(MANY + OTHERS, MANY, active);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            one.tearDown();
            many.tearDown();
        }

        /** Prints the ratio. */
        @TearDown(Level.Iteration)
        public void report()
        {
            System.out.println(times.report(
                "endpoint, a message: 1 open sender", active + " of 1,024 open senders", BATCH));
        }
    }

    /** Two groups with the same slots for each sender, of 64 and of 1,024 senders that all take turns. */
    @State(Scope.Thread)
    public static class Crowds
    {
        private final EndpointBenchmark.Filled few = new EndpointBenchmark.Filled();
        private final EndpointBenchmark.Filled many = new EndpointBenchmark.Filled();
        private final PairedTimes times = new PairedTimes();

        /** Opens the ranks. */
        @Setup(Level.Trial)
        public void setUp()
        {
            few.setUp(FEW + OTHERS, FEW, FEW);
            many.setUp(MANY + OTHERS, MANY, MANY);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            few.tearDown();
            many.tearDown();
        }

        /** Prints the ratio. */
        @TearDown(Level.Iteration)
        public void report()
        {
            System.out.println(times.report(
                "endpoint, a message: 64 senders in turns", "1,024 senders in turns", SMALL_BATCH));
        }
    }

    private static long poll(final EndpointBenchmark.Filled group, final int messages)
    {
        group.fill(messages);
        final long startNs = System.nanoTime();
        group.receive();
        return System.nanoTime() - startNs;
    }

    /**
     * Mailboxes alone.
     *
     * @param boxes both.
     */
    @Benchmark
    @Fork(value = 2, jvmArgsAppend = {"--add-opens", ADD_OPENS})
    public void mailbox(final Mailboxes boxes)
    {
        boxes.times.record(Mailboxes.poll(boxes.one), Mailboxes.poll(boxes.many));
    }

    /**
     * Endpoints with dynamic flow control: ledger and credits included.
     *
     * @param groups both.
     */
    @Benchmark
    @Fork(value = 1, jvmArgsAppend = {"--add-opens", ADD_OPENS, "-Xmx2g"})
    public void endpoint(final Groups groups)
    {
        groups.times.record(poll(groups.one, BATCH), poll(groups.many, BATCH));
    }

    /**
     * The same with equal quotas on both sides: what the number of senders alone costs.
     *
     * @param crowds both.
     */
    @Benchmark
    @Fork(value = 1, jvmArgsAppend = {"--add-opens", ADD_OPENS, "-Xmx2g"})
    public void endpointTurns(final Crowds crowds)
    {
        crowds.times.record(poll(crowds.few, SMALL_BATCH), poll(crowds.many, SMALL_BATCH));
    }
}
