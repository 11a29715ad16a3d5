// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.tallypost.mailbox.ForkedJvm;

/** Collectives of several processes, and one of them killed. */
class CollectivesProcessesTest
{
    private static final int OPERATIONS = 300;
    private static final int ENDLESS = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final List<ForkedJvm> children = new ArrayList<>();

    CollectivesProcessesTest()
    {
        System.out.println("CollectivesProcessesTest: seed=" + seed);
    }

    private void start(final int ranks, final int operations, final Algorithm algorithm)
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            children.add(CollectivesProcess.start(directory, ranks, rank, seed, operations, algorithm));
        }
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
            start(3, OPERATIONS, algorithm);
            for (final ForkedJvm child : children)
            {
                assertEquals("done", child.readLine().split(" ")[0]);
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

    /** At some moment of some operation one process is killed: the others are told, in what is under way and in what follows. */
    @Test
    void shouldTellTheOthersOfAKilledMember()
    {
        final Random random = new Random(seed);
        for (int round = Integer.getInteger("tallypost.kills", 2); round > 0; round--)
        {
            try
            {
                start(3, ENDLESS, random.nextBoolean() ? Algorithm.DIRECT : null);
                final int victim = random.nextInt(3);
                // not for a time, but for an amount of work of this process
                long spins = random.nextInt(40_000_000);
                while (spins-- > 0)
                {
                    Thread.onSpinWait();
                }
                children.get(victim).kill();
                for (int rank = 0; rank < 3; rank++)
                {
                    if (rank != victim)
                    {
                        final String end = children.get(rank).readLine();
                        assertTrue(end.startsWith("MEMBER_GONE") && end.endsWith(" " + victim), end + ", seed=" + seed);
                        assertTrue(children.get(rank).readLine().startsWith("MEMBER_GONE"));
                        assertEquals(0, children.get(rank).waitFor());
                    }
                }
            }
            finally
            {
                end();
            }
        }
    }

    /** Processes are killed one after the other, some in the midst of shrinking: the others agree, and go on without them. */
    @Test
    void shouldGoOnWithoutKilledMembers()
    {
        final Random random = new Random(seed);
        final int ranks = 5;
        for (int round = Integer.getInteger("tallypost.kills", 1); round > 0; round--)
        {
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
                    for (int kills = 1 + random.nextInt(Math.min(2, living.size() - 1)); kills > 0; kills--)
                    {
                        // not for a time, but for an amount of work of this process
                        long spins = random.nextInt(20_000_000);
                        while (spins-- > 0)
                        {
                            Thread.onSpinWait();
                        }
                        final int victim = living.rank(random.nextInt(living.size()));
                        children.get(victim).kill();
                        living = living.difference(RankSet.of(victim));
                    }
                    awaitShrunk(living);
                }
                assertEquals(0, children.get(living.rank(0)).waitFor());
            }
            finally
            {
                end();
            }
        }
    }

    /** All that live say the same, and at last that these are the living. */
    private void awaitShrunk(final RankSet living)
    {
        String said = "";
        while (!said.contains(" DONE " + living + " view"))
        {
            said = children.get(living.rank(0)).readLine();
            assertTrue(said.startsWith("MEMBER_GONE agreed "), said + ", seed=" + seed);
            for (int i = 1; i < living.size(); i++)
            {
                assertEquals(said, children.get(living.rank(i)).readLine(), "seed=" + seed);
            }
        }
    }
}
