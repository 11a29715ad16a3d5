// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.Operation;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamDirectory;
import org.tallypost.collectives.TeamMemory;

/**
 * What one rank does in a long sequence of operations of all kinds: in the team of all ranks, in teams that were split off, and
 * in teams with names; one at a time or several with handles. Teams come and go meanwhile. All follows from a seed; only when a
 * rank does something, and in which order it waits for handles, is its own.
 */
final class MixedCollectives
{
    private static final int WORLD = 0;
    private static final int SPLIT = 1;
    private static final int SPLIT_AGAIN = 2;
    private static final int NAMED = 3;
    private static final int MEMORY = 100_000;

    private final Collectives collectives;
    private final int rank;
    private final IntUnaryOperator nodeOf;
    private final long seed;
    private final long limitNs;
    private final Random own;
    private final Team[] teams = new Team[NAMED + 1];
    private String name;

    /** With a limit for each wait in nanoseconds. */
    MixedCollectives(
        final Collectives collectives, final int rank, final IntUnaryOperator nodeOf, final long seed, final long limitNs)
    {
        this.collectives = collectives;
        this.rank = rank;
        this.nodeOf = nodeOf;
        this.seed = seed;
        this.limitNs = limitNs;
        own = new Random(seed + rank);
        teams[WORLD] = collectives.world();
    }

    /** Does so many operations, counted over all ranks alike, and tells now and then how many were done. */
    void run(final int count, final Consumer<Integer> told)
    {
        try (TeamMemory memory = teams[WORLD].allocate(MEMORY))
        {
            int done = 0;
            for (long step = 0; done < count; step++)
            {
                final Random random = new Random(MixedElements.mix(seed + step));
                if (step < NAMED || random.nextInt(100) == 0)
                {
                    renew(step < NAMED ? (int)step + 1 : random.nextInt(NAMED + 1), random, step);
                }
                final boolean isSingle = random.nextBoolean();
                final int operations = isSingle ? 1 : 1 + random.nextInt(8);
                final List<MixedCall> calls = new ArrayList<>();
                final List<Team> teamsOfCalls = new ArrayList<>();
                for (int i = 0; i < operations; i++)
                {
                    final Team team = teams[random.nextInt(teams.length)];
                    final long number = random.nextLong();
                    if (team != null)
                    {
                        final UnsafeBuffer shared = isSingle && team == teams[WORLD] ? memory.buffer() : null;
                        calls.add(new MixedCall(team, MixedElements.mix(number ^ team.id()), shared));
                        teamsOfCalls.add(team);
                    }
                }
                comeLate();
                if (isSingle && random.nextBoolean())
                {
                    calls.forEach((call) -> call.check(call(call, teamsOfCalls.get(0))));
                }
                else
                {
                    byHandles(calls);
                }
                if ((done + operations) / 1_000 > done / 1_000)
                {
                    told.accept(done + operations);
                }
                done += operations;
            }
        }
        teams[WORLD].calls(System.nanoTime() + limitNs).barrier();
    }

    /** Some members are behind the others, for an amount of work and not for a time. */
    private void comeLate()
    {
        for (int spins = own.nextInt(20) == 0 ? own.nextInt(50_000) : 0; spins > 0; spins--)
        {
            Thread.onSpinWait();
        }
    }

    /** Waits for it, in many short waits at times. */
    private long call(final MixedCall call, final Team team)
    {
        final long endNs = System.nanoTime() + limitNs;
        long result = call.call(team.calls(own.nextInt(4) == 0 ? System.nanoTime() + own.nextInt(20_000) : endNs));
        while (result == Team.TIMED_OUT && System.nanoTime() - endNs < 0)
        {
            result = team.calls(System.nanoTime() + own.nextInt(1_000_000)).again();
        }
        return result;
    }

    private void byHandles(final List<MixedCall> calls)
    {
        final List<Operation> begun = new ArrayList<>();
        calls.forEach((call) -> begun.add(call.start()));
        final List<Integer> order = new ArrayList<>(IntStream.range(0, calls.size()).boxed().toList());
        Collections.shuffle(order, own);
        for (final int index : order)
        {
            for (int looks = own.nextInt(3); looks > 0; looks--)
            {
                collectives.doWork();
                begun.get(own.nextInt(begun.size())).progress();
            }
            calls.get(index).check(begun.get(index).await(System.nanoTime() + limitNs));
        }
    }

    /** Closes a team and makes another one in its place; in that of all ranks there is an agreement. */
    private void renew(final int which, final Random random, final long step)
    {
        switch (which)
        {
            case WORLD:
                agree(random);
                break;
            case NAMED:
                renewNamed(random, step);
                break;
            default:
                final Team old = teams[which];
                final int[] colors = random.ints(32, -1, 3).toArray();
                // with members of a node next to each other reductions in order go another way
                final int byNode = 4 * random.nextInt(2);
                final int[] keys = IntStream.range(0, teams[WORLD].size())
                    .map((each) -> byNode * nodeOf.applyAsInt(each) + random.nextInt(4)).toArray();
                final Team parent = teams[which == SPLIT_AGAIN ? SPLIT : WORLD];
                teams[which] = null;
                close(old);
                if (parent != null)
                {
                    final int color = colors[rank];
                    final long result = parent.calls(System.nanoTime() + limitNs)
                        .split(color, keys[rank], (made) -> teams[which] = made);
                    require(result == 0 && teams[which] != null == color >= 0, "split of " + parent.ranks(), result);
                    if (color >= 0)
                    {
                        final long wanted = IntStream.range(0, parent.size())
                            .filter((member) -> colors[parent.rankOf(member)] == color).count();
                        require(teams[which].size() == wanted, "size of a split " + teams[which].ranks(), wanted);
                    }
                }
                break;
        }
    }

    private static void close(final Team team)
    {
        if (team != null)
        {
            team.close();
        }
    }

    private void agree(final Random random)
    {
        int all = Integer.MAX_VALUE;
        int mine = 0;
        for (int member = 0; member < teams[WORLD].size(); member++)
        {
            final int flags = random.nextInt() & Integer.MAX_VALUE;
            mine = member == rank ? flags : mine;
            all &= flags;
        }
        final long result = teams[WORLD].calls(System.nanoTime() + limitNs).agree(mine);
        require(result == all, "agreement, expected=" + all, result);
    }

    /** Some ranks of each node make a team with a name. */
    private void renewNamed(final Random random, final long step)
    {
        close(teams[NAMED]);
        teams[NAMED] = null;
        final TeamDirectory directory = collectives.directory();
        if (name != null)
        {
            require(directory.leave(name) == 0, "leave " + name, 0);
            name = null;
        }
        final int chosen = random.nextInt();
        final int[] members = IntStream.range(0, teams[WORLD].size())
            .filter((each) -> nodeOf.applyAsInt(each) == nodeOf.applyAsInt(rank) && (chosen >> each & 3) != 0).toArray();
        if (IntStream.of(members).noneMatch((each) -> each == rank))
        {
            return;
        }
        name = "mixed-" + step;
        long member = members[0] == rank ? directory.create(name) : TeamDirectory.NO_SUCH_TEAM;
        final long endNs = System.nanoTime() + limitNs;
        while (member == TeamDirectory.NO_SUCH_TEAM && System.nanoTime() - endNs < 0)
        {
            collectives.doWork();
            Thread.yield();
            member = directory.join(name);
        }
        require(member >= 0, "member of " + name, member);
        final long frozen = directory.freeze(name, members.length, endNs, (made) -> teams[NAMED] = made);
        require(frozen == member && teams[NAMED].size() == members.length, "freeze of " + name, frozen);
    }

    private void require(final boolean isSo, final String what, final long found)
    {
        if (!isSo)
        {
            throw new AssertionError(what + " at rank " + rank + ", seed=" + seed + ": found " + found + ", " +
                (found < 0 ? Team.errorString(found) : ""));
        }
    }
}
