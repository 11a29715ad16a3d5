// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long data go in turns: a thread that waits looks at its deadline, and polls, between two of them. */
class TurnsTest
{
    private static final int LENGTH = 1 << 20;
    private static final int BLOCK = 8 * 1_024;
    /** 64 KiB, and what was begun before these were full. */
    private static final int MOST = 64 * 1_024 + 16 * 1_024;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private long reduced;
    private final Reducer counting = Reducers.of("counting", true, (type, inOut, at, in, from, count) -> reduced += count);

    TurnsTest()
    {
        System.out.println("TurnsTest: seed=" + seed);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void shouldReduceAPartInATurn(final Algorithm algorithm)
    {
        final TeamRig rig = new TeamRig(3, 4, BLOCK, algorithm.isDirect() ? TeamRig.Reach.PROCESS : TeamRig.Reach.ARENA, 0);
        final Operation[] all = new Operation[rig.size()];
        for (final int i : rig.shuffled(random))
        {
            final AllReduce reduce = rig.teams[i].newAllReduce(ElementType.BYTES, counting);
            reduce.force(algorithm);
            reduced = 0;
            reduce.start(new UnsafeBuffer(new byte[LENGTH]), 0, new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH);
            assertTrue(reduced <= MOST, reduced + " bytes by " + algorithm + ", seed=" + seed);
            all[i] = reduce;
        }
        long whole = 0;
        for (long turn = 0; Arrays.stream(all).anyMatch(Operation::isActive); turn++)
        {
            assertTrue(turn < 1_000_000, "hangs: by " + algorithm + ", seed=" + seed);
            final int i = random.nextInt(all.length);
            reduced = 0;
            all[i].progress();
            assertTrue(reduced <= MOST, reduced + " bytes by " + algorithm + ", seed=" + seed);
            whole += reduced;
            assertTrue(all[i].isActive() || !rig.teams[i].exchange().isMoving());
        }
        assertTrue(whole >= LENGTH);
        for (final Operation operation : all)
        {
            assertEquals(0, operation.result());
        }
    }

    /** A turn that was interrupted counts as progress, also within a step. */
    @Test
    void shouldCountInterruptedTurns()
    {
        final TeamRig rig = new TeamRig(17, 4, 16 * 1_024);
        final Operation[] operations = rig.start((i) ->
        {
            final AllReduce reduce = rig.teams[i].newAllReduce(ElementType.BYTES, counting);
            reduce.force(Algorithm.BLOCKS);
            reduce.start(new UnsafeBuffer(new byte[16 * 1_024]), 0, new UnsafeBuffer(new byte[16 * 1_024]), 0, 16 * 1_024);
            return reduce;
        });
        int turns = 0;
        while (operations[0].isActive())
        {
            final long before = rig.teams[0].exchange().position();
            operations[0].progress();
            assertTrue(rig.teams[0].exchange().position() > before, "turn " + turns);
            turns++;
        }
        assertTrue(turns > 2, "turns: " + turns);
        rig.finish(random, operations);
    }
}
