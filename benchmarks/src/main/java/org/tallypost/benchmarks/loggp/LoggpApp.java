// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.Locale;

/** The programs of the study, each with so much work for a rank that all take a similar number of messages. */
enum LoggpApp
{
    RADIX("radix sort: each key to its place, in two passes"),
    SAMPLE("sample sort: each key to its rank, once"),
    EM3D("EM3D: values of neighbours are read"),
    CONNECT("connected components: labels along edges"),
    INTEGER("integer sort: keys in blocks");

    private static final int HALF = 2;
    private static final int LIVE_BLOCKS = 16;
    private static final int MOST_LIVE_KEYS = 100_000;

    private final String text;

    LoggpApp(final String text)
    {
        this.text = text;
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    String text()
    {
        return text;
    }

    /**
     * How many keys, nodes or vertices a live rank has. The integer sort has more: with a block for each rank nearly all of its
     * messages are those of barriers, which ranks send one after the other, so that the busiest one is not all of the time.
     */
    int liveSize(final int size)
    {
        return this == INTEGER ? Math.max(size, Math.min(LIVE_BLOCKS * size, MOST_LIVE_KEYS)) : size;
    }

    /** A program for a rank with so many keys, nodes or vertices. */
    LoggpProgram on(final LoggpRank rank, final int size)
    {
        return switch (this)
        {
            case RADIX -> new RadixSort(rank, size);
            case SAMPLE -> new SampleSort(rank, size);
            case EM3D -> new FieldModel(rank, size / HALF);
            case CONNECT -> new ConnectedComponents(rank, size);
            case INTEGER -> new IntegerSort(rank, size);
        };
    }
}
