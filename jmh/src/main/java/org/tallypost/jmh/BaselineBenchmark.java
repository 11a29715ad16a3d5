// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What measuring itself costs, in the same run: to be taken off, or to be compared with. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class BaselineBenchmark
{
    /** A message that lies in the first-level cache. */
    @State(Scope.Thread)
    public static class Message
    {
        /** Bytes of a message. */
        @Param({"8", "48", "2048"})
        public int length;

        private UnsafeBuffer from;
        private UnsafeBuffer to;

        /** Makes two buffers. */
        @Setup
        public void setUp()
        {
            from = Payload.create(length);
            to = Payload.create(length);
        }
    }

    /** A call of a method that does nothing. */
    @Benchmark
    public void empty()
    {
    }

    /**
     * A look at the clock, which every sample of a latency contains.
     *
     * @return the time.
     */
    @Benchmark
    public long clock()
    {
        return System.nanoTime();
    }

    /**
     * Reading a payload, as all receivers here do.
     *
     * @param message to read.
     * @return the sum of its words.
     */
    @Benchmark
    public long readPayload(final Message message)
    {
        return Payload.read(message.from, 0, message.length);
    }

    /**
     * Writing a payload, as all senders here do.
     *
     * @param message to write.
     */
    @Benchmark
    public void writePayload(final Message message)
    {
        Payload.write(message.from, message.to, 0, message.length);
    }
}
