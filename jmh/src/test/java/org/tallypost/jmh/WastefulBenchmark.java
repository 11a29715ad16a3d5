// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Something that allocates now and then, to see that it is noticed. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class WastefulBenchmark
{
    private static final int EVERY = 16;

    private Object last = "";
    private int count;

    /**
     * An object for one call of many.
     *
     * @return the object.
     */
    @Benchmark
    public Object allocate()
    {
        if (++count % EVERY == 0)
        {
            last = new int[1];
        }
        return last;
    }
}
