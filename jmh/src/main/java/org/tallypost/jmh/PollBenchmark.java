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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs the mailbox, with few and with many attached senders: the figure for 1,024 over the figure for 1
 * says whether polling depends on their number. One thread sends a ring's worth and polls it, so that nothing depends on
 * how the operating system schedules two.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class PollBenchmark
{
    /** Messages sent, then polled: as many as the ring holds. */
    private static final int BATCH = MailboxState.RING_SLOTS;

    /** A mailbox with few or many attached senders. */
    @State(Scope.Thread)
    public static class Senders extends MailboxState
    {
        /** Attached senders. */
        @Param({"1", "64", "1024"})
        public int attached;

        @Override
        int senders()
        {
            return attached;
        }
    }

    /** The same, with a batch sent before each measured call. */
    @State(Scope.Thread)
    public static class Filled extends Senders
    {
        /** Fills the mailbox. */
        @Setup(Level.Invocation)
        public void fill()
        {
            fill(BATCH);
        }
    }

    /**
     * Polling alone: the mailbox is filled before each call, outside the measured time.
     *
     * @param state of the mailbox.
     * @return number of messages.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int poll(final Filled state)
    {
        return state.poller.poll(state, BATCH);
    }

    /**
     * Claim, publish and poll.
     *
     * @param state of the mailbox.
     * @return number of messages.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int sendAndPoll(final Senders state)
    {
        state.fill(BATCH);
        return state.poller.poll(state, BATCH);
    }
}
