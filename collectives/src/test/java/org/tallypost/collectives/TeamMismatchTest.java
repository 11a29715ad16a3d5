// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Members of a team call different operations. */
class TeamMismatchTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamMismatchTest()
    {
        System.out.println("TeamMismatchTest: seed=" + seed);
    }

    /** One member calls something else, and all members then a barrier: no member hangs, and all are told. */
    @Test
    void shouldTellAllMembersOfAMismatch()
    {
        for (int members = 2; members <= 4; members++)
        {
            for (int most = 0; most < Calls.COUNT; most++)
            {
                for (int other = 0; other < Calls.COUNT; other++)
                {
                    final TeamRig rig = new TeamRig(members, 1_024);
                    final int odd = random.nextInt(members);
                    final List<Operation> all = new ArrayList<>();
                    for (final int i : rig.shuffled(random))
                    {
                        all.add(Calls.start(i == odd ? other : most, rig.teams[i]));
                        final Barrier barrier = rig.teams[i].newBarrier();
                        barrier.start();
                        all.add(barrier);
                    }
                    rig.finish(random, all.toArray(new Operation[0]));
                    final String what = "most call " + most + ", member " + odd + " of " + members + " calls " +
                        other + ", seed=" + seed;
                    for (int i = 1; i < all.size(); i += 2)
                    {
                        assertEquals(most == other ? 1 : Team.MISMATCH, all.get(i).result(), what);
                    }
                    assertEquals(most != other, rig.teams[0].goneMember() >= 0, what);
                }
            }
        }
    }

    /** Members differ in their last call, which may be long: none waits for ever, also one that reads no lines in it. */
    @Test
    void shouldTellAllThatWaitOfAMismatchInTheLastCall()
    {
        for (int round = 0; round < 3_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int odd = random.nextInt(rig.size());
            final int most = random.nextInt(7);
            final int other = random.nextInt(7);
            final int root = random.nextInt(rig.size());
            final int length = random.nextInt(Calls.LENGTH);
            final Operation[] before = rig.start((i) -> Calls.start(0, rig.teams[i]));
            rig.finish(random, before);
            final Operation[] last = rig.start((i) -> Calls.startLong(i == odd ? other : most, rig.teams[i], root, length));
            rig.finish(random, last);
            final String what = "most call " + most + ", member " + odd + " of " + rig.size() + " calls " + other + ", root " +
                root + ", length " + length + ", seed=" + seed;
            for (final Operation operation : last)
            {
                assertTrue(operation.result() == 1 || operation.result() == Team.MISMATCH && most != other, what);
            }
        }
    }
}
