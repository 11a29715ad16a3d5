// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.Operation;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;

/**
 * An operation of a team. What each member passes follows from a number that all members have, and so does what must come out:
 * no member needs data of others to check its own result.
 */
final class MixedCall
{
    /** Operations there are. */
    enum Shape
    {
        BARRIER, BROADCAST, SCATTER, GATHER, ALL_GATHER, ALL_TO_ALL, REDUCE, ALL_REDUCE, REDUCE_SCATTER, SCAN, EXCLUSIVE_SCAN;

        boolean isReduction()
        {
            return ordinal() >= REDUCE.ordinal();
        }
    }

    private static final int GUARD = 8;
    private static final byte UNTOUCHED = 0x5A;

    private final Team team;
    private final long number;
    private final Shape shape;
    private final MixedElements elements;
    private final int root;
    private final boolean isVarying;
    private final boolean isInPlace;
    private final int longest;
    private final int fromOffset;
    private final int toOffset;
    private final UnsafeBuffer from;
    private final UnsafeBuffer to;
    private byte[] expected;

    /** Of a team. The memory is for what this member gives, if there is room; null for none. */
    MixedCall(final Team team, final long number, final UnsafeBuffer memory)
    {
        this.team = team;
        this.number = number;
        final Random random = new Random(number);
        shape = Shape.values()[random.nextInt(Shape.values().length)];
        elements = MixedElements.random(random, shape.isReduction());
        root = random.nextInt(team.size());
        isVarying = random.nextInt(3) == 0;
        isInPlace = (shape == Shape.ALL_REDUCE || shape == Shape.SCAN) && random.nextInt(3) == 0;
        longest = length(random) / elements.length();
        // members need not have their data at the same place
        final Random own = new Random(number + 1 + team.member());
        fromOffset = GUARD + own.nextInt(8);
        toOffset = isInPlace ? fromOffset : GUARD + own.nextInt(8);
        to = buffer(own, toOffset + received() * elements.length() + GUARD);
        final int given = fromOffset + sent(team.member()) * elements.length() + GUARD;
        from = isInPlace ? to :
            memory != null && memory.capacity() >= given ? new UnsafeBuffer(memory, 0, given) : buffer(own, given);
    }

    private static int length(final Random random)
    {
        final int kind = random.nextInt(200);
        return random.nextInt(kind < 120 ? 130 : kind < 190 ? 1_500 : kind < 199 ? 20_000 : 200_000);
    }

    private static UnsafeBuffer buffer(final Random own, final int length)
    {
        final UnsafeBuffer made = length < 4_096 && own.nextInt(8) == 0 ?
            new UnsafeBuffer(ByteBuffer.allocateDirect(length)) : new UnsafeBuffer(new byte[length]);
        made.setMemory(0, length, UNTOUCHED);
        return made;
    }

    /** Elements that a member has for another one. */
    private int portion(final int source, final int target)
    {
        final boolean isPair = shape == Shape.ALL_TO_ALL;
        final long both = isPair ? 64L * source + target : isToOne() ? source : target;
        return isVarying && !isWhole() ? (int)Math.floorMod(MixedElements.mix(number ^ both), longest + 1L) : longest;
    }

    private boolean isToOne()
    {
        return shape == Shape.GATHER || shape == Shape.ALL_GATHER;
    }

    /** Whether members have the same number of elements, which is that of their results. */
    private boolean isWhole()
    {
        return shape == Shape.BROADCAST || shape.isReduction() && shape != Shape.REDUCE_SCATTER;
    }

    /** Where the elements for a member begin in what a member has. */
    private int start(final int source, final int target)
    {
        int start = 0;
        for (int i = 0; i < target; i++)
        {
            start += portion(source, i);
        }
        return start;
    }

    /** Elements that a member gives. */
    private int sent(final int source)
    {
        return shape == Shape.BARRIER ? 0 : isWhole() ? longest : isToOne() ? portion(source, 0) : start(source, team.size());
    }

    /** Elements that this member may get. */
    private int received()
    {
        if (shape == Shape.GATHER || shape == Shape.ALL_GATHER || shape == Shape.ALL_TO_ALL)
        {
            int sum = 0;
            for (int i = 0; i < team.size(); i++)
            {
                sum += portion(i, team.member());
            }
            return sum;
        }
        return shape == Shape.BARRIER ? 0 : isWhole() ? longest : portion(0, team.member());
    }

    private Distribution sending()
    {
        final int[] lengths = new int[team.size()];
        Arrays.setAll(lengths, (i) -> portion(isToOne() ? i : team.member(), i) * elements.length());
        return Distribution.ofLengths(lengths);
    }

    private Distribution receiving()
    {
        final int[] lengths = new int[team.size()];
        Arrays.setAll(lengths, (i) -> portion(i, team.member()) * elements.length());
        return Distribution.ofLengths(lengths);
    }

    private void fill()
    {
        for (int i = 0; i < sent(team.member()); i++)
        {
            elements.put(from, fromOffset, i, elements.value(number, team.member(), i));
        }
        final UnsafeBuffer wanted = new UnsafeBuffer(new byte[to.capacity()]);
        to.getBytes(0, wanted, 0, to.capacity());
        expect(wanted);
        expected = wanted.byteArray();
        if (shape == Shape.BROADCAST && team.member() == root)
        {
            from.getBytes(fromOffset, to, toOffset, longest * elements.length());
        }
    }

    private void expect(final UnsafeBuffer wanted)
    {
        final int self = team.member();
        switch (shape)
        {
            case BARRIER:
                break;
            case BROADCAST:
                copy(wanted, 0, root, 0, longest);
                break;
            case SCATTER:
                copy(wanted, 0, root, start(root, self), portion(root, self));
                break;
            case GATHER:
            case ALL_GATHER:
            case ALL_TO_ALL:
                int at = 0;
                for (int i = 0; i < team.size() && (shape != Shape.GATHER || self == root); i++)
                {
                    copy(wanted, at, i, shape == Shape.ALL_TO_ALL ? start(i, self) : 0, portion(i, self));
                    at += portion(i, self);
                }
                break;
            case REDUCE:
                reduce(wanted, self == root ? team.size() : 0, 0, longest);
                break;
            case ALL_REDUCE:
                reduce(wanted, team.size(), 0, longest);
                break;
            case REDUCE_SCATTER:
                reduce(wanted, team.size(), start(self, self), portion(self, self));
                break;
            default:
                reduce(wanted, shape == Shape.SCAN ? self + 1 : self, 0, longest);
                break;
        }
    }

    private void copy(final UnsafeBuffer wanted, final int at, final int source, final int index, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            elements.put(wanted, toOffset, at + i, elements.value(number, source, index + i));
        }
    }

    private void reduce(final UnsafeBuffer wanted, final int members, final int index, final int count)
    {
        for (int i = 0; i < count && members > 0; i++)
        {
            long result = elements.value(number, 0, index + i);
            for (int member = 1; member < members; member++)
            {
                result = elements.reduce(result, elements.value(number, member, index + i));
            }
            elements.put(wanted, toOffset, i, result);
        }
    }

    /** Begins it with a handle. */
    Operation start()
    {
        fill();
        final int length = longest * elements.length();
        switch (shape)
        {
            case BARRIER:
                final var barrier = team.newBarrier();
                barrier.start();
                return barrier;
            case BROADCAST:
                final var broadcast = team.newBroadcast();
                broadcast.start(root, to, toOffset, length);
                return broadcast;
            case SCATTER:
                final var scatter = team.newScatter();
                if (isVarying)
                {
                    scatter.start(root, from, fromOffset, sending(), to, toOffset);
                }
                else
                {
                    scatter.start(root, from, fromOffset, to, toOffset, length);
                }
                return scatter;
            case GATHER:
                final var gather = team.newGather();
                if (isVarying)
                {
                    gather.start(root, from, fromOffset, to, toOffset, sending());
                }
                else
                {
                    gather.start(root, from, fromOffset, to, toOffset, length);
                }
                return gather;
            case ALL_GATHER:
                final var allGather = team.newAllGather();
                if (isVarying)
                {
                    allGather.start(from, fromOffset, to, toOffset, sending());
                }
                else
                {
                    allGather.start(from, fromOffset, to, toOffset, length);
                }
                return allGather;
            case ALL_TO_ALL:
                return startAllToAll();
            default:
                return startReduction();
        }
    }

    private Operation startAllToAll()
    {
        final var allToAll = team.newAllToAll();
        if (isVarying)
        {
            allToAll.start(from, fromOffset, sending(), to, toOffset, receiving());
        }
        else
        {
            allToAll.start(from, fromOffset, to, toOffset, longest * elements.length());
        }
        return allToAll;
    }

    private Operation startReduction()
    {
        switch (shape)
        {
            case REDUCE:
                final var reduce = team.newReduce(elements.type(), elements.reducer());
                reduce.start(root, from, fromOffset, to, toOffset, longest);
                return reduce;
            case ALL_REDUCE:
                final var allReduce = team.newAllReduce(elements.type(), elements.reducer());
                allReduce.start(from, fromOffset, to, toOffset, longest);
                return allReduce;
            case REDUCE_SCATTER:
                final var reduceScatter = team.newReduceScatter(elements.type(), elements.reducer());
                if (isVarying)
                {
                    reduceScatter.start(from, fromOffset, sending(), to, toOffset);
                }
                else
                {
                    reduceScatter.start(from, fromOffset, to, toOffset, longest);
                }
                return reduceScatter;
            default:
                final var scan = team.newScan(elements.type(), elements.reducer(), shape == Shape.EXCLUSIVE_SCAN);
                scan.start(from, fromOffset, to, toOffset, longest);
                return scan;
        }
    }

    /** Does it with a call that waits until it is done or its deadline has passed. */
    long call(final TeamCalls calls)
    {
        fill();
        final int length = longest * elements.length();
        switch (shape)
        {
            case BARRIER:
                return calls.barrier();
            case BROADCAST:
                return calls.broadcast(root, to, toOffset, length);
            case SCATTER:
                return isVarying ? calls.scatter(root, from, fromOffset, sending(), to, toOffset) :
                    calls.scatter(root, from, fromOffset, to, toOffset, length);
            case GATHER:
                return isVarying ? calls.gather(root, from, fromOffset, to, toOffset, sending()) :
                    calls.gather(root, from, fromOffset, to, toOffset, length);
            case ALL_GATHER:
                return isVarying ? calls.allGather(from, fromOffset, to, toOffset, sending()) :
                    calls.allGather(from, fromOffset, to, toOffset, length);
            case ALL_TO_ALL:
                return isVarying ? calls.allToAll(from, fromOffset, sending(), to, toOffset, receiving()) :
                    calls.allToAll(from, fromOffset, to, toOffset, length);
            case REDUCE:
                return calls.reduce(root, elements.type(), elements.reducer(), from, fromOffset, to, toOffset, longest);
            case ALL_REDUCE:
                return calls.allReduce(elements.type(), elements.reducer(), from, fromOffset, to, toOffset, longest);
            case REDUCE_SCATTER:
                return isVarying ?
                    calls.reduceScatter(elements.type(), elements.reducer(), from, fromOffset, sending(), to, toOffset) :
                    calls.reduceScatter(elements.type(), elements.reducer(), from, fromOffset, to, toOffset, longest);
            default:
                return calls.scan(elements.type(), elements.reducer(), shape == Shape.EXCLUSIVE_SCAN, from, fromOffset, to,
                    toOffset, longest);
        }
    }

    /** What came out is compared, with the bytes before and behind it. */
    void check(final long result)
    {
        if (result < 0)
        {
            throw new AssertionError(this + ": " + Team.errorString(result) + ", about member " + team.goneMember());
        }
        final byte[] found = new byte[to.capacity()];
        to.getBytes(0, found);
        elements.unify(new UnsafeBuffer(found), toOffset, received());
        elements.unify(new UnsafeBuffer(expected), toOffset, received());
        if (!Arrays.equals(expected, found))
        {
            throw new AssertionError(this + ": differs at byte " + Arrays.mismatch(expected, found) + " of " + found.length +
                ", offset " + toOffset);
        }
    }

    @Override
    public String toString()
    {
        return shape + " number=" + number + ", member " + team.member() + " of " + team.ranks() + ", root=" + root + ", " +
            elements + ", longest=" + longest + ", varying=" + isVarying + ", inPlace=" + isInPlace;
    }
}
