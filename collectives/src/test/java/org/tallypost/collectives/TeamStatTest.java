// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** What is seen from outside of members that have begun operations, or not. */
class TeamStatTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamStatTest()
    {
        System.out.println("TeamStatTest: -Dtallypost.seed=" + seed);
    }

    private static List<TeamStat.Late> late(final DirectBuffer arena)
    {
        final List<TeamStat.Late> found = new ArrayList<>();
        TeamStat.addLate(arena, found);
        return found;
    }

    private static UnsafeBuffer copy(final TeamRig rig)
    {
        final DirectBuffer arena = rig.teams[0].exchange().arena().buffer();
        final byte[] bytes = new byte[arena.capacity()];
        arena.getBytes(0, bytes);
        return new UnsafeBuffer(bytes);
    }

    private static TeamRig rig()
    {
        final TeamRig rig = new TeamRig(4, 4, 1_024, TeamRig.Reach.ARENA, 0);
        assertTrue(rig.teams[0].exchange().arena().tryComplete());
        return rig;
    }

    @Test
    void shouldNameThoseThatHaveNotBegun()
    {
        final TeamRig rig = rig();
        assertEquals(List.of(), late(copy(rig)), "none has begun anything");
        final Operation[] begun = IntStream.range(0, 4).mapToObj((i) -> Calls.start(0, rig.teams[i])).toArray(Operation[]::new);
        assertEquals(List.of(), late(copy(rig)), "all have");
        while (Arrays.stream(begun).anyMatch((each) -> each.progress() == Team.IN_PROGRESS))
        {
            Thread.onSpinWait();
        }
        Calls.start(4, rig.teams[3]);
        Calls.start(4, rig.teams[1]);
        final List<TeamStat.Late> found = late(copy(rig));
        assertEquals(2, found.size());
        final TeamStat.Late first = found.get(0);
        assertEquals(0, first.rank());
        assertEquals(2, found.get(1).rank());
        assertEquals(1, first.operation());
        assertEquals("all reduce", first.kind());
        assertEquals(List.of(1, 3), first.waiting());
        rig.teams[0].revoke();
        assertEquals(List.of(), late(copy(rig)), "the team has ended");
    }

    /** Whatever is in the file: nothing is thrown, and no more members are named than there may be. */
    @Test
    void shouldBearDamage()
    {
        final TeamRig rig = rig();
        Calls.start(0, rig.teams[0]);
        for (int round = 0; round < 20_000; round++)
        {
            final UnsafeBuffer arena = copy(rig);
            for (int i = random.nextInt(4); i >= 0; i--)
            {
                arena.putInt(random.nextInt(400) * Integer.BYTES * (random.nextBoolean() ? 1 : 4), random.nextInt(5) - 1);
            }
            assertTrue(late(new UnsafeBuffer(arena, 0, random.nextInt(8) == 0 ? random.nextInt(arena.capacity()) :
                arena.capacity())).size() <= ArenaDescriptor.MAX_MEMBERS, "seed=" + seed);
        }
    }

    /** Blocks are long, and there may be many teams: only the lines of members are read, all of them. */
    @Test
    void shouldReadTheLinesOfAllMembersAndNoBlocks()
    {
        final UnsafeBuffer arena = copy(rig());
        final UnsafeBuffer head = new UnsafeBuffer(arena, 0, ArenaDescriptor.SLEEPING_OFFSET);
        assertEquals(ArenaDescriptor.proposalsOffset(4, 4), TeamStat.lengthOf(head));
        assertTrue(TeamStat.lengthOf(head) < arena.capacity());
        head.putInt(ArenaDescriptor.MEMBERS_OFFSET, ArenaDescriptor.MAX_MEMBERS);
        head.putInt(ArenaDescriptor.WINDOW_OFFSET, ArenaDescriptor.MAX_WINDOW);
        head.putInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET, 16_384);
        assertEquals(
            ArenaDescriptor.proposalsOffset(ArenaDescriptor.MAX_MEMBERS, ArenaDescriptor.MAX_WINDOW), TeamStat.lengthOf(head));
        head.putInt(ArenaDescriptor.WINDOW_OFFSET, ArenaDescriptor.MAX_WINDOW + 1);
        assertEquals(0, TeamStat.lengthOf(head));
        assertEquals(0, TeamStat.lengthOf(new UnsafeBuffer(head, 0, head.capacity() - 1)));
    }
}
