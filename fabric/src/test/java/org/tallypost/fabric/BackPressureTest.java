// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.junit.jupiter.api.Test;
import org.tallypost.schedule.Alltoall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.fabric.FabricFixture.once;
import static org.tallypost.fabric.FabricFixture.run;

class BackPressureTest
{
    private static final long LONG = 10_000_000_000L;
    private static final int MESSAGES = 20;

    /** Rank 0 floods 2, which is busy; 1, on the node of 0, only wants to send one short message to 3. */
    private static Workload flood()
    {
        return once(4, (rank, to) ->
        {
            if (rank == 0)
            {
                for (int i = 0; i < MESSAGES; i++)
                {
                    to.send(2, 2_048);
                }
            }
            else if (rank == 1)
            {
                to.compute(100 * FabricFixture.O);
                to.send(3, 8);
            }
            else if (rank == 2)
            {
                to.compute(LONG);
                for (int i = 0; i < MESSAGES; i++)
                {
                    to.receive(0);
                }
            }
            else
            {
                to.receive(1);
            }
            to.waitAll();
        });
    }

    private static long bystander(final FlowOptions flow) throws InterruptedException
    {
        final long[] done = new long[1];
        final FabricObserver observer = new FabricObserver()
        {
            @Override
            public void onMessage(final int from, final int to, final long postedPs, final long donePs)
            {
                if (to == 3)
                {
                    done[0] = donePs;
                }
            }
        };
        assertTrue(new FabricRun(Topology.mesh(2, 2), FabricFixture.PARAMETERS, flood()).flow(flow).observer(observer).run()
            .isComplete());
        return done[0];
    }

    @Test
    void shouldHoldUpAWholeNodeWhenAMailboxIsFull() throws InterruptedException
    {
        assertTrue(bystander(FlowOptions.none(16)) > LONG);
    }

    @Test
    void shouldHarmNobodyElseWithCredits() throws InterruptedException
    {
        assertTrue(bystander(FlowOptions.fixed(2, 16)) < LONG / 10);
        assertTrue(bystander(FlowOptions.dynamic(2, 16)) < LONG / 10);
        assertTrue(bystander(FlowOptions.none()) < LONG / 10);
    }

    @Test
    void shouldCountTheTimeInWhichItIsBlocked() throws InterruptedException
    {
        final FabricResult result = run(Topology.mesh(2, 2), flood(), FlowOptions.none(16));
        assertTrue(result.isComplete());
        assertEquals(MESSAGES + 1, result.messages());
        assertTrue(result.overflowPs() > LONG / 2, "found " + result.overflowPs());
        assertTrue(result.heldUpPs() > LONG / 2, "found " + result.heldUpPs());
        assertEquals(0, run(Topology.mesh(2, 2), flood(), FlowOptions.none(1_000)).overflowPs());
    }

    @Test
    void shouldStandStillForGoodWhenAllWaitForOneAnother() throws InterruptedException
    {
        final FabricResult result = run(Topology.mesh(1, 2, 2), new Alltoall(4, 4, 1, 2_048, false), FlowOptions.none(4));
        assertFalse(result.isComplete());
        assertTrue(result.overflowPs() > 0);
        assertTrue(run(Topology.mesh(1, 2, 2), new Alltoall(4, 4, 1, 2_048, false), FlowOptions.none(40)).isComplete());
    }

    @Test
    void shouldLeaveThoseWhoNeverPollToThemselves() throws InterruptedException
    {
        final FabricResult result = run(Topology.apart(3), once(3, (rank, to) ->
        {
            if (rank == 2)
            {
                to.leave();
            }
            else if (rank == 0)
            {
                to.send(1, 2_048);
                to.send(2, 50);
            }
            else
            {
                to.receive(0);
            }
            to.waitAll();
        }), FlowOptions.dynamic(2, 64));
        assertTrue(result.isComplete());
        assertEquals(1, result.messages());
    }
}
