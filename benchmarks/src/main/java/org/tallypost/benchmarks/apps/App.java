// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

import java.util.List;

import org.tallypost.examples.mpijava.ConjugateGradient;
import org.tallypost.examples.mpijava.HeatStencil;
import org.tallypost.examples.mpijava.IntegerSort;
import org.tallypost.examples.mpijava.Transfers;

/**
 * A program, in its dialects, with the arguments of a run that is long enough to be measured.
 */
enum App
{
    HEAT(HeatStencil.class, null, 0, "512", "100"),
    SORT(IntegerSort.class, null, 0, "1000000"),
    CG(ConjugateGradient.class, org.tallypost.examples.openmpi.ConjugateGradient.class, 0, "256", "100"),
    PINGPONG_8(10_000, "pingpong", "8"),
    PINGPONG_64(10_000, "pingpong", "64"),
    PINGPONG_512(10_000, "pingpong", "512"),
    PINGPONG_2K(10_000, "pingpong", "2048"),
    PINGPONG_1M(64, "pingpong", "1048576"),
    STREAM_8(64_000, "stream", "8"),
    STREAM_64K(6_400, "stream", "65536"),
    STREAM_1M(640, "stream", "1048576");

    private final Class<?> mpiJava;
    private final Class<?> openMpi;
    private final int messages;
    private final List<String> arguments;

    App(final Class<?> mpiJava, final Class<?> openMpi, final int messages, final String... arguments)
    {
        this.mpiJava = mpiJava;
        this.openMpi = openMpi;
        this.messages = messages;
        this.arguments = List.of(arguments);
    }

    App(final int messages, final String mode, final String length)
    {
        this(Transfers.class, org.tallypost.examples.openmpi.Transfers.class, messages, mode, length,
            Integer.toString(messages));
    }

    /** Name of the program in C, and of its result. */
    String program()
    {
        return messages > 0 ? "transfers" : AppsCommand.label(this);
    }

    Class<?> mpiJava()
    {
        return mpiJava;
    }

    /** Null if there is none. */
    Class<?> openMpi()
    {
        return openMpi;
    }

    /** Messages of a round, or round trips; 0 if what counts is the round as a whole. */
    int messages()
    {
        return messages;
    }

    /** All but the number of rounds, and behind that of messages the time before them. */
    List<String> arguments()
    {
        return arguments;
    }
}
