// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.tallypost.schedule.Schedule;

/** Parameters with which times can be told by hand. */
final class FabricFixture
{
    static final long O = 1_000_000;
    /** Of a card for a full packet. */
    static final long G = 50_000;
    static final long BYTE = 500;
    static final long L = 30_000;
    static final FabricParameters PARAMETERS =
        new FabricParameters(L, O, O, G - 64 * BYTE, BYTE, 250, 0, ProtocolCosts.NONE, ProtocolCosts.NONE);

    private FabricFixture()
    {
    }

    static FabricResult run(final Topology topology, final Workload workload, final FlowOptions flow)
        throws InterruptedException
    {
        return new FabricRun(topology, PARAMETERS, workload).flow(flow).checkInvariants(true).run();
    }

    static FabricResult run(final Topology topology, final Schedule schedule, final FlowOptions flow)
        throws InterruptedException
    {
        return run(topology, Workload.of(schedule), flow);
    }

    /** A workload of one round. */
    static Workload once(final int processes, final Script script)
    {
        return new Workload()
        {
            @Override
            public int processes()
            {
                return processes;
            }

            @Override
            public int rounds()
            {
                return 1;
            }

            @Override
            public void round(final int rank, final int round, final Operations to)
            {
                script.fill(rank, to);
            }
        };
    }

    /** What a rank does. */
    interface Script
    {
        void fill(int rank, Operations to);
    }
}
