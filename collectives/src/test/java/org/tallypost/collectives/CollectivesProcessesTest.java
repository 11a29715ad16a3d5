// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.tallypost.mailbox.ForkedJvm;

/** Collectives of several processes, and one of them killed. */
@Tag("once")
class CollectivesProcessesTest
{
    private static final int OPERATIONS = Integer.getInteger("tallypost.operations", 300);
    /** Teams that do them, one behind the other. */
    private static final int TURNS = 6;
    private static final int ENDLESS = Integer.MAX_VALUE;
    /** In which the same processes are one after the other, while a new one comes for each that was killed. */
    private static final int TEAMS = 10;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final List<ForkedJvm> children = new ArrayList<>();
    /** From a kill until another member had its result, in nanoseconds. */
    private final List<Long> delaysNs = new ArrayList<>();

    CollectivesProcessesTest()
    {
        System.out.println("CollectivesProcessesTest: seed=" + seed);
    }

    private void start(final int ranks, final int operations, final Algorithm algorithm, final int teams)
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            children.add(CollectivesProcess.start(directory, ranks, rank, seed, operations, algorithm, teams));
        }
        awaitJoined();
    }

    private void awaitJoined()
    {
        for (final ForkedJvm child : children)
        {
            assertEquals("joined", child.readLine());
        }
    }

    private void end()
    {
        children.forEach(ForkedJvm::close);
        children.clear();
    }

    @ParameterizedTest
    @NullSource
    @EnumSource(value = Algorithm.class, names = {"DIRECT", "DIRECT_SLICES"})
    void shouldDoAsTheReferenceInProcesses(final Algorithm algorithm)
    {
        try
        {
            // the next team is waited for anew: no limit of a time bounds all operations
            start(3, OPERATIONS / TURNS, algorithm, TURNS);
            for (int turn = 0; turn < TURNS; turn++)
            {
                if (turn > 0)
                {
                    awaitJoined();
                }
                for (final ForkedJvm child : children)
                {
                    assertEquals("done", child.readLine().split(" ")[0]);
                }
            }
            for (final ForkedJvm child : children)
            {
                assertEquals(0, child.waitFor());
            }
            assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
        }
        finally
        {
            end();
        }
    }

    /** Not for a time, but for an amount of work of this process. */
    private static void spin(final long count)
    {
        for (long i = 0; i < count; i++)
        {
            Thread.onSpinWait();
        }
    }

    /** When members had their results is printed and not wanted: on a busy machine a thread has no turn for long. */
    private void print(final String what)
    {
        Collections.sort(delaysNs);
        final long mostNs = CollectivesTest.context(directory, 1).livenessIntervalNs() + 1_000_000_000L;
        System.out.println("CollectivesProcessesTest: " + what + ": " + delaysNs.size() +
            " results of members, ms after the kill: median " + delaysNs.get(delaysNs.size() / 2) / 1_000_000 + ", longest " +
            delaysNs.get(delaysNs.size() - 1) / 1_000_000 + "; within the liveness interval and a second: " +
            delaysNs.stream().filter((each) -> each <= mostNs).count());
    }

    /**
     * At some moment of some operation one process is killed: the others are told, in what is under way and in what follows. They
     * and a new process of that rank are the next team. Some teams have been begun by processes that are all new.
     */
    @Test
    void shouldTellTheOthersOfAKilledMember()
    {
        final Random random = new Random(seed);
        final int kills = Integer.getInteger("tallypost.kills", 2);
        for (int left = kills; left > 0; left -= TEAMS)
        {
            final int teams = Math.min(left, TEAMS);
            final Algorithm algorithm = random.nextBoolean() ? Algorithm.DIRECT : null;
            try
            {
                start(3, ENDLESS, algorithm, teams);
                for (int later = teams - 1; later >= 0; later--)
                {
                    final int victim = random.nextInt(3);
                    spin(random.nextInt(5_000_000));
                    final long killNs = System.nanoTime();
                    children.get(victim).kill();
                    for (int rank = 0; rank < 3; rank++)
                    {
                        if (rank != victim)
                        {
                            shouldBeTold(children.get(rank), victim, killNs);
                        }
                    }
                    if (later > 0)
                    {
                        children.get(victim).close();
                        children.set(victim, CollectivesProcess.start(directory, 3, victim, seed, ENDLESS, algorithm, later));
                        awaitJoined();
                    }
                    else
                    {
                        shouldEnd(victim);
                    }
                }
            }
            finally
            {
                end();
            }
        }
        print(kills + " kills");
    }

    private void shouldBeTold(final ForkedJvm member, final int victim, final long killNs)
    {
        final String end = member.readLine();
        assertTrue(end.startsWith("MEMBER_GONE") && end.endsWith(" " + victim), end + ", seed=" + seed);
        assertTrue(member.readLine().startsWith("MEMBER_GONE"), "seed=" + seed);
        delaysNs.add(Math.max(0, Long.parseLong(member.readLine()) - killNs));
    }

    private void shouldEnd(final int victim)
    {
        for (int rank = 0; rank < 3; rank++)
        {
            if (rank != victim)
            {
                assertEquals(0, children.get(rank).waitFor());
            }
        }
    }

    /**
     * Processes are killed one after the other, some in the midst of shrinking: the others agree, and go on without them. In
     * between some are stopped for a moment: the others wait for one that is stopped, for it is not gone.
     */
    @Test
    void shouldGoOnWithoutKilledMembers()
    {
        final Random random = new Random(seed);
        final int ranks = 5;
        int kills = 0;
        while (kills < Integer.getInteger("tallypost.kills", 1))
        {
            final long[] killNs = new long[ranks];
            try
            {
                for (int rank = 0; rank < ranks; rank++)
                {
                    children.add(ShrinkProcess.start(directory, ranks, rank, seed));
                }
                RankSet living = RankSet.range(0, ranks);
                for (int rank = 0; rank < ranks; rank++)
                {
                    assertEquals("joined", children.get(rank).readLine());
                }
                while (living.size() > 1)
                {
                    final RankSet before = living;
                    for (int more = random.nextInt(Math.min(2, living.size() - 1)); more >= 0; more--)
                    {
                        spin(random.nextInt(5_000_000));
                        final int victim = living.rank(random.nextInt(living.size()));
                        final ForkedJvm late = children.get(living.rank(random.nextInt(living.size())));
                        late.stop();
                        killNs[victim] = System.nanoTime();
                        children.get(victim).kill();
                        if (late != children.get(victim))
                        {
                            spin(random.nextInt(500_000));
                            late.resume();
                        }
                        living = living.difference(RankSet.of(victim));
                        kills++;
                    }
                    awaitShrunk(before, living, killNs);
                }
                assertEquals(0, children.get(living.rank(0)).waitFor());
            }
            finally
            {
                end();
            }
        }
        print(kills + " kills with agree and shrink");
    }

    /**
     * All that live say the same, and at last that these are the living.
     *
     * @param killNs when each rank was killed; others than those of the first team are not looked at.
     */
    private void awaitShrunk(final RankSet before, final RankSet living, final long[] killNs)
    {
        String said = "";
        RankSet team = before;
        while (!said.contains(" DONE " + living + " view"))
        {
            said = children.get(living.rank(0)).readLine();
            assertTrue(said.startsWith("MEMBER_GONE agreed "), said + ", seed=" + seed);
            final long firstNs = firstKill(team, living, killNs);
            for (int i = 0; i < living.size(); i++)
            {
                final ForkedJvm member = children.get(living.rank(i));
                assertEquals(said, i == 0 ? said : member.readLine(), "seed=" + seed);
                // a team may begin when one of its members is dead
                final String[] times = member.readLine().split(" ");
                delaysNs.add(Math.max(0, Long.parseLong(times[0]) - Math.max(firstNs, Long.parseLong(times[1]))));
            }
            team = ranks(said);
        }
    }

    /** When the first member of a team that is not among the living was killed. */
    private static long firstKill(final RankSet team, final RankSet living, final long[] killNs)
    {
        final RankSet dead = team.difference(living);
        long firstNs = killNs[dead.rank(0)];
        for (int i = 1; i < dead.size(); i++)
        {
            firstNs = Math.min(firstNs, killNs[dead.rank(i)]);
        }
        return firstNs;
    }

    /** The team that a process says it has after a shrink. */
    private static RankSet ranks(final String said)
    {
        return RankSet.of(Arrays.stream(said.substring(said.indexOf('[') + 1, said.indexOf(']')).split(", "))
            .mapToInt(Integer::parseInt).toArray());
    }
}
