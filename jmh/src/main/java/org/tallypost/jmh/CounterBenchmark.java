// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Counting a message and its bytes in a line that other processes read, in the two ways that an endpoint has. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
@State(Scope.Thread)
public class CounterBenchmark
{
    private static final int LINE = 128;
    private static final int MESSAGES = LINE;
    private static final int BYTES = MESSAGES + Long.BYTES;
    private static final int LENGTH = 48;

    private final UnsafeBuffer line = new UnsafeBuffer(BufferUtil.allocateDirectAligned(3 * LINE, LINE));

    /** By the only thread that writes them: a load and a release store each. */
    @Benchmark
    public void plain()
    {
        line.putLongRelease(MESSAGES, line.getLong(MESSAGES) + 1);
        line.putLongRelease(BYTES, line.getLong(BYTES) + LENGTH);
    }

    /** By any thread: an atomic addition each. */
    @Benchmark
    public void shared()
    {
        line.getAndAddLong(MESSAGES, 1);
        line.getAndAddLong(BYTES, LENGTH);
    }
}
