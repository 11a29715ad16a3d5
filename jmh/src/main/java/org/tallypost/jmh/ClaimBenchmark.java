// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** The steps of a message by themselves, in one thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class ClaimBenchmark
{
    /**
     * Mark, claim, and the mark cleared.
     *
     * @param state of the mailbox.
     * @return position of the claim.
     */
    @Benchmark
    public long claim(final MailboxState state)
    {
        return state.claim();
    }

    /**
     * Header stored, and the mark cleared, slot by slot.
     *
     * @param state of the mailbox.
     * @return position of the slot.
     */
    @Benchmark
    public long publish(final MailboxState state)
    {
        return state.publish();
    }

    /**
     * Mark, claim, one word of payload, publish. Nothing polls: a claim never looks at the consumer.
     *
     * @param state of the mailbox.
     */
    @Benchmark
    public void claimAndPublish(final MailboxState state)
    {
        state.send();
    }

    /**
     * Claim, publish, and poll at once.
     *
     * @param state of the mailbox.
     * @return 1.
     */
    @Benchmark
    public int claimPublishAndPoll(final MailboxState state)
    {
        state.send();
        return state.poller.poll(state, 1);
    }

    /**
     * A look at an empty mailbox.
     *
     * @param state of the mailbox.
     * @return 0.
     */
    @Benchmark
    public int emptyPoll(final MailboxState state)
    {
        return state.poller.poll(state, 1);
    }
}
