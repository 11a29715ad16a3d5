// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An operation as the Intel MPI Benchmarks define it (User Guide, IMB-MPI1). A repetition with a length of X bytes is, for ranks
 * that send to the next one in a ring of all, or of ranks 0 and 1, or of one half of the ranks to the other:
 *
 * <ul>
 *   <li>transfers: of messages of X bytes, all repetitions timed together;</li>
 *   <li>collectives: with X bytes for each rank, or of X bytes that are reduced, floats that are summed; the root is rank 0; each
 *   repetition is timed by itself behind a barrier (-sync on, -root_shift off);</li>
 *   <li>barrier: all repetitions timed together.</li>
 * </ul>
 *
 * <p>The raw ones are no operations of theirs: two ranks move lines of memory that both map, and do nothing else.
 */
enum ImbCall
{
    /** Rank 0 sends, and rank 1 sends back: half of the time. */
    PINGPONG(1),
    /** Ranks 0 and 1 send to each other at the same time. */
    PINGPING(1),
    /** Each rank sends to the next one, and receives from the one before it. */
    SENDRECV(2),
    /** Each rank sends to both neighbours, and receives from both. */
    EXCHANGE(4),
    /** Ranks of the first half send {@value #WINDOW} messages to those of the second half, which answer with one byte. */
    UNIBAND(0),
    /** As that, with as many messages back. */
    BIBAND(0),
    /** From rank 0 to all. */
    BCAST(0),
    /** The sum at rank 0. */
    REDUCE(0),
    /** The sum at all. */
    ALLREDUCE(0),
    /** The sum, as evenly as can be split over all. */
    REDUCE_SCATTER(0),
    /** From all to all the same. */
    ALLGATHER(0),
    /** The same by lists of portions. */
    ALLGATHERV(0),
    /** From all to rank 0. */
    GATHER(0),
    /** The same by lists of portions. */
    GATHERV(0),
    /** From rank 0 to each its portion. */
    SCATTER(0),
    /** The same by lists of portions. */
    SCATTERV(0),
    /** From each to each another portion. */
    ALLTOALL(0),
    /** The same by lists of portions. */
    ALLTOALLV(0),
    /** Nothing but that all have come. */
    BARRIER(0),
    /** Two ranks store a line each, and look at the other's until it has come: what a barrier of two is held against. */
    RAW_LINES(0),
    /** Rank 0 copies bytes into shared memory, and rank 1 copies them out, and others back: half of the time. */
    RAW_PINGPONG(1);

    /** Messages of a window. The Intel MPI Benchmarks had as many up to 2021.1, and have 256 since. */
    static final int WINDOW = 64;
    /** Most repetitions. */
    static final int MAX_REPETITIONS = 1_000;
    /** Bytes that the receives of a window share. */
    private static final int WINDOW_LENGTH = 8 << 20;
    /** Up to so many bytes an operation is held against lines alone. */
    private static final int LINES_LENGTH = 8;
    /** Bytes of all repetitions together. */
    private static final long OVERALL_LENGTH = 40L << 20;

    private final int volume;

    ImbCall(final int volume)
    {
        this.volume = volume;
    }

    /**
     * Finds an operation.
     *
     * @param label of it, in whatever case.
     * @return the operation.
     * @throws IllegalArgumentException that names what was found and what is expected.
     */
    static ImbCall of(final String label)
    {
        return Arrays.stream(values()).filter((call) -> call.label().equalsIgnoreCase(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("found '" + label + "', expected one of " +
            Arrays.stream(values()).map(ImbCall::label).collect(Collectors.joining(", "))));
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isTransfer()
    {
        return compareTo(BIBAND) <= 0;
    }

    /** Whether nothing but memory is measured. */
    boolean isRaw()
    {
        return this == RAW_LINES || this == RAW_PINGPONG;
    }

    /** Whether a repetition has no length. */
    boolean isWithoutLength()
    {
        return this == BARRIER || this == RAW_LINES;
    }

    /** What an operation of some length is held against beside Open MPI; null for what is raw itself. */
    ImbCall raw(final int length)
    {
        return isRaw() ? null : length <= LINES_LENGTH ? RAW_LINES : RAW_PINGPONG;
    }

    /** Messages of a repetition that come one after the other: the time of one counts. */
    int ways()
    {
        return this == PINGPONG || this == RAW_PINGPONG ? 2 : 1;
    }

    boolean isReduction()
    {
        return this == REDUCE || this == ALLREDUCE || this == REDUCE_SCATTER;
    }

    private boolean isWindow()
    {
        return this == UNIBAND || this == BIBAND;
    }

    /** Whether a rank starts with a portion for each other one. */
    boolean isFromPortions()
    {
        return this == SCATTER || this == SCATTERV || this == ALLTOALL || this == ALLTOALLV;
    }

    /** Whether there is such a thing: a barrier has no length, and floats have four bytes. */
    boolean hasLength(final int length)
    {
        return isWithoutLength() ? length == 0 : !isReduction() || length % Float.BYTES == 0;
    }

    /** Whether each repetition is timed by itself. */
    boolean isSingle(final ImbMethod method)
    {
        return this == BARRIER ? method == ImbMethod.THESIS : !isTransfer() && !isRaw();
    }

    /** Of so many ranks those that take part, the first ones. */
    int active(final int ranks)
    {
        return this == PINGPONG || this == PINGPING || isRaw() ? 2 : isWindow() ? ranks / 2 * 2 : ranks;
    }

    /**
     * The rule of the Intel MPI Benchmarks: 1,000 repetitions, and fewer where all together would be more than 40 MiB. A window
     * counts as all its messages, because time for IMB's further rule, ten seconds for each length, is not there in a turn.
     *
     * @param length in bytes.
     * @param most   repetitions.
     * @return at least 1.
     */
    int repetitions(final int length, final int most)
    {
        final long bytes = (long)length * (isWindow() ? WINDOW : 1);
        return bytes == 0 ? most : (int)Math.max(1, Math.min(most, OVERALL_LENGTH / bytes));
    }

    /** Places for the receives of a window. */
    static int places(final int length)
    {
        return length == 0 ? WINDOW : Math.max(1, Math.min(WINDOW, WINDOW_LENGTH / length));
    }

    /** Elements that a rank gets when so many are split as evenly as they can be: the first ranks get one more. */
    static int share(final int elements, final int rank, final int ranks)
    {
        return elements / ranks + (rank < elements % ranks ? 1 : 0);
    }

    /** The first of these elements. */
    static int firstOfShare(final int elements, final int rank, final int ranks)
    {
        return rank * (elements / ranks) + Math.min(rank, elements % ranks);
    }

    /** Bytes that a rank has before the operation, at most. */
    int inLength(final int length, final int ranks)
    {
        return isFromPortions() ? ranks * length : length;
    }

    /** Bytes that a rank has behind the operation, at most. */
    int outLength(final int length, final int ranks)
    {
        return isWindow() ? places(length) * length : Math.max(2, ranks) * length;
    }

    /**
     * The throughput as the Intel MPI Benchmarks report it.
     *
     * @param length    in bytes.
     * @param ranks     of all.
     * @param averageNs nanoseconds of a repetition, of all ranks.
     * @param longestNs nanoseconds of a repetition of the rank that took longest.
     * @return in 10^6 bytes a second; 0 for an operation without one.
     */
    double megabytesPerSecond(final int length, final int ranks, final double averageNs, final double longestNs)
    {
        return isWindow() ? 1e3 * length * WINDOW * (ranks / 2) * (this == BIBAND ? 2 : 1) / longestNs :
            1e3 * volume * length / averageNs;
    }
}
