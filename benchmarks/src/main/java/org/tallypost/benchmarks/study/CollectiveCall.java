// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.AllGather;
import org.tallypost.collectives.AllReduce;
import org.tallypost.collectives.AllToAll;
import org.tallypost.collectives.Broadcast;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Gather;
import org.tallypost.collectives.Operation;
import org.tallypost.collectives.Reduce;
import org.tallypost.collectives.ReduceScatter;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Scan;
import org.tallypost.collectives.Scatter;
import org.tallypost.collectives.Team;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The operations that a study calls, by name, with a length of data. Reductions sum longs.
 */
enum CollectiveCall
{
    BROADCAST(false, false, false),
    SCATTER(true, false, false),
    GATHER(false, true, false),
    ALL_GATHER(false, true, false),
    ALL_TO_ALL(true, true, false),
    REDUCE(false, false, true),
    ALL_REDUCE(false, false, true),
    REDUCE_SCATTER(true, false, true),
    SCAN(false, false, true);

    private static final int MAX_INLINE_LENGTH = 104;

    private final boolean isForEach;
    private final boolean isOfAll;
    private final boolean isReduction;

    CollectiveCall(final boolean isForEach, final boolean isOfAll, final boolean isReduction)
    {
        this.isForEach = isForEach;
        this.isOfAll = isOfAll;
        this.isReduction = isReduction;
    }

    /** An operation that is started with the same data again and again. */
    static final class Use
    {
        private final Operation operation;
        private final Runnable starter;

        Use(final Operation operation, final Runnable starter)
        {
            this.operation = operation;
            this.starter = starter;
        }

        Operation operation()
        {
            return operation;
        }

        void run()
        {
            starter.run();
            CollectiveThreads.require(operation.await());
        }
    }

    /**
     * Makes it ready.
     *
     * @param team   of which this is a member.
     * @param length of a portion in bytes, a multiple of 8.
     * @return the operation with its buffers.
     */
    Use use(final Team team, final int length)
    {
        final UnsafeBuffer in = new UnsafeBuffer(new byte[isForEach ? team.size() * length : length]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[isOfAll ? team.size() * length : length]);
        final int count = length / Long.BYTES;
        return isReduction ? reduction(team, in, out, count) : movement(team, in, out, length);
    }

    private Use movement(final Team team, final UnsafeBuffer in, final UnsafeBuffer out, final int length)
    {
        switch (this)
        {
            case BROADCAST:
                final Broadcast broadcast = team.newBroadcast();
                return new Use(broadcast, () -> broadcast.start(0, in, 0, length));
            case SCATTER:
                final Scatter scatter = team.newScatter();
                return new Use(scatter, () -> scatter.start(0, in, 0, out, 0, length));
            case GATHER:
                final Gather gather = team.newGather();
                return new Use(gather, () -> gather.start(0, in, 0, out, 0, length));
            case ALL_GATHER:
                final AllGather allGather = team.newAllGather();
                return new Use(allGather, () -> allGather.start(in, 0, out, 0, length));
            default:
                final AllToAll allToAll = team.newAllToAll();
                return new Use(allToAll, () -> allToAll.start(in, 0, out, 0, length));
        }
    }

    private Use reduction(final Team team, final UnsafeBuffer in, final UnsafeBuffer out, final int count)
    {
        switch (this)
        {
            case REDUCE:
                final Reduce reduce = team.newReduce(ElementType.LONG, Reducers.SUM);
                return new Use(reduce, () -> reduce.start(0, in, 0, out, 0, count));
            case ALL_REDUCE:
                final AllReduce allReduce = team.newAllReduce(ElementType.LONG, Reducers.SUM);
                return new Use(allReduce, () -> allReduce.start(in, 0, out, 0, count));
            case REDUCE_SCATTER:
                final ReduceScatter reduceScatter = team.newReduceScatter(ElementType.LONG, Reducers.SUM);
                return new Use(reduceScatter, () -> reduceScatter.start(in, 0, out, 0, count));
            default:
                final Scan scan = team.newScan(ElementType.LONG, Reducers.SUM, false);
                return new Use(scan, () -> scan.start(in, 0, out, 0, count));
        }
    }

    /**
     * The algorithms that it can go by.
     *
     * @param members number of members.
     * @param length  of a portion in bytes.
     * @return at least two.
     */
    List<Algorithm> algorithms(final int members, final int length)
    {
        final List<Algorithm> algorithms = new ArrayList<>(List.of(Algorithm.BLOCKS, Algorithm.DIRECT));
        if (length * (isForEach ? members : 1) <= MAX_INLINE_LENGTH)
        {
            algorithms.add(Algorithm.INLINE);
        }
        if (this == REDUCE || this == ALL_REDUCE)
        {
            algorithms.add(Algorithm.SLICES);
            algorithms.add(Algorithm.DIRECT_SLICES);
        }
        return algorithms;
    }

    /**
     * All bytes that members have, for one use.
     *
     * @param members number of members.
     * @param length  of a portion in bytes.
     * @return the bytes.
     */
    long bytes(final int members, final int length)
    {
        return (long)members * length * (isForEach || isOfAll ? members : 1);
    }

    /** Reads one as people write it. */
    static final class Converter implements ITypeConverter<CollectiveCall>
    {
        @Override
        public CollectiveCall convert(final String text)
        {
            return Arrays.stream(values()).filter((each) -> each.toString().equalsIgnoreCase(text)).findFirst()
                .orElseThrow(() -> new TypeConversionException("found '" + text + "', expected one of " +
                    Arrays.stream(values()).map(CollectiveCall::toString).collect(Collectors.joining(", "))));
        }
    }

    /** As people write it. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
