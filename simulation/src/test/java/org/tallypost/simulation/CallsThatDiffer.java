// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;

/** A member calls something else than the others do, in each way and in a team of its own each time. */
final class CallsThatDiffer
{
    private static final int MOST = 6_000;
    private static final int EACH = 3;
    /** True takes all members in all cases. */
    static final String FULL = "tallypost.full";
    /** What the others call, and what is different about it at one member. */
    static final List<String> CASES = List.of(
        "reduce kind", "reduce root", "reduce type", "reduce count", "reduce reducer",
        "allReduce kind", "allReduce type", "allReduce count", "allReduce reducer",
        "reduceScatter kind", "reduceScatter type", "reduceScatter count", "reduceScatter reducer",
        "scan kind", "scan type", "scan count", "scan reducer",
        "broadcast kind", "broadcast root", "broadcast count", "scatter kind", "scatter root", "scatter count",
        "gather kind", "gather root", "gather count", "allGather kind", "allGather count", "allToAll kind", "allToAll count",
        "barrier kind");

    private CallsThatDiffer()
    {
    }

    /** The members that differ in a case, one after the other: each of a few, and of many each in some of the cases. */
    static int[] odds(final String each, final int members, final long seed)
    {
        final int[] all = IntStream.range(0, members).toArray();
        return members <= EACH || Boolean.getBoolean(FULL) ? all :
            new int[]{(int)Math.floorMod(seed + CASES.indexOf(each), (long)members)};
    }

    /** Says for each case how it ended for this member, and which one was named. */
    static void run(final Team world, final long seed, final long limitNs, final Consumer<String> out)
    {
        for (final String each : CASES)
        {
            for (final int odd : odds(each, world.size(), seed))
            {
                final Team[] team = new Team[1];
                require(world.calls(System.nanoTime() + limitNs).split(0, world.member(), (made) -> team[0] = made), "a team");
                final String[] words = each.split(" ");
                final TeamCalls calls = team[0].calls(System.nanoTime() + limitNs);
                final long first = call(calls, words[0], world.member() == odd ? words[1] : "", world.size());
                final long result = first < 0 ? first : calls.barrier();
                out.accept(each + " at " + odd + " = " + Team.errorString(result).split(":")[0] + " " + team[0].goneMember());
                team[0].close();
            }
        }
        require(world.calls(System.nanoTime() + limitNs).barrier(), "all at the end");
    }

    private static void require(final long result, final String what)
    {
        if (result < 0)
        {
            throw new AssertionError(what + ": " + Team.errorString(result));
        }
    }

    private static long call(final TeamCalls calls, final String most, final String difference, final int members)
    {
        final UnsafeBuffer in = new UnsafeBuffer(new byte[MOST * members]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[MOST * members]);
        if ("kind".equals(difference))
        {
            return "barrier".equals(most) ? calls.broadcast(0, in, 0, 8) : calls.barrier();
        }
        final int root = "root".equals(difference) ? 0 : 1;
        final int count = "count".equals(difference) ? 700 : 1;
        final var type = "type".equals(difference) ? ElementType.DOUBLE : ElementType.LONG;
        final var reducer = "reducer".equals(difference) ? Reducers.MAX : Reducers.SUM;
        final int length = count * Long.BYTES;
        switch (most)
        {
            case "reduce":
                return calls.reduce(root, type, reducer, in, 0, out, 0, count);
            case "allReduce":
                return calls.allReduce(type, reducer, in, 0, out, 0, count);
            case "reduceScatter":
                return calls.reduceScatter(type, reducer, in, 0, out, 0, count);
            case "scan":
                return calls.scan(type, reducer, false, in, 0, out, 0, count);
            case "broadcast":
                return calls.broadcast(root, in, 0, length);
            case "scatter":
                return calls.scatter(root, in, 0, out, 0, length);
            case "gather":
                return calls.gather(root, in, 0, out, 0, length);
            case "allGather":
                return calls.allGather(in, 0, out, 0, length);
            case "allToAll":
                return calls.allToAll(in, 0, out, 0, length);
            default:
                return calls.barrier();
        }
    }
}
