// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.schedule.Alltoall;
import org.tallypost.schedule.PingPong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.fabric.FabricFixture.G;
import static org.tallypost.fabric.FabricFixture.L;
import static org.tallypost.fabric.FabricFixture.O;
import static org.tallypost.fabric.FabricFixture.PARAMETERS;
import static org.tallypost.fabric.FabricFixture.once;
import static org.tallypost.fabric.FabricFixture.run;

class FabricRunTest
{
    private static final int PACKETS = 37;

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 7, 14 })
    void shouldTakeForAMessageWhatItsPartsTake(final int hops) throws InterruptedException
    {
        final FabricResult result = run(Topology.pair(1, hops), once(2, (rank, to) ->
        {
            if (rank == 0)
            {
                to.send(1, 2_048);
            }
            else
            {
                to.receive(0);
            }
            to.waitAll();
        }), FlowOptions.none());
        assertEquals(PACKETS * O + (hops + 1) * G + hops * L + O, result.totalPs());
        assertEquals(PACKETS, result.dataPackets());
        assertEquals(1, result.messages());
        assertEquals(PACKETS * O, result.sendPs());
        assertEquals(PACKETS * O, result.retrievePs());
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 14 })
    void shouldTakeForARoundOfPingPongTwoMessages(final int hops) throws InterruptedException
    {
        final FabricResult result = run(Topology.pair(1, hops), new PingPong(2, 10, 2_048), FlowOptions.none());
        assertEquals(20 * (PACKETS * O + (hops + 1) * G + hops * L + O), result.totalPs());
        assertEquals(result.totalPs(), result.roundEndPs()[9]);
        assertEquals(10 * result.roundEndPs()[0], result.roundEndPs()[9]);
    }

    @Test
    void shouldShareACardAmongTheProcessesOfANode() throws InterruptedException
    {
        // 40 senders, 1 us for each packet: the card is asked for 40 packets a microsecond, and can pass 20
        final FabricResult result = run(Topology.pair(40, 1), new PingPong(80, 1, 2_048), FlowOptions.none());
        final long least = 2 * 40 * PACKETS * G;
        assertTrue(result.totalPs() > least && result.totalPs() < least + 2 * (PACKETS / 2 * O), "found " + result.totalPs());
    }

    @Test
    void shouldSendBulkWithOnePacketOfItsOwn() throws InterruptedException
    {
        final FabricResult result = run(Topology.pair(1, 1), new PingPong(2, 1, 200_000), FlowOptions.fixed(2, 8));
        assertEquals(2, result.dataPackets());
        assertEquals(2, result.messages());
        final long bytes = 200_000 * PARAMETERS.bytePs();
        assertTrue(result.totalPs() > 2 * bytes && result.totalPs() < 2 * bytes * 11 / 10, "found " + result.totalPs());
    }

    @Test
    void shouldSendThroughSharedMemoryWithoutPackets() throws InterruptedException
    {
        final Topology topology = Topology.mesh(4, 2);
        final Alltoall alltoall = new Alltoall(8, 8, 1, 2_048, false);
        final FabricResult result = new FabricRun(topology, PARAMETERS, alltoall).flow(FlowOptions.fixed(2, 64))
            .sharedMemory(true).run();
        assertEquals(8 * 4 * PACKETS, result.dataPackets());
        assertEquals(8 * 7, result.messages());
        assertTrue(result.isComplete());
    }

    @Test
    void shouldDeliverAllWithinItsSlotsWhateverTheFlowControl() throws InterruptedException
    {
        final Topology topology = Topology.mesh(4, 2, 2);
        for (final int slots : new int[]{ 4, 5, 8, 20, 40 })
        {
            for (final boolean isBlocking : new boolean[]{ false, true })
            {
                for (final FlowOptions flow : new FlowOptions[]{ FlowOptions.fixed(2, slots), FlowOptions.dynamic(2, slots),
                    FlowOptions.dynamic(1, slots).piggyback(PiggybackPolicy.ONE_FOR_ONE),
                    FlowOptions.dynamic(2, slots).piggyback(PiggybackPolicy.THESIS),
                    FlowOptions.dynamic(2, slots).steal(StealPolicy.IDLE_FIRST),
                    FlowOptions.dynamic(2, slots).directly(), FlowOptions.fixed(1, slots).piggyback(PiggybackPolicy.THESIS) })
                {
                    final FabricResult result = run(topology, new Alltoall(16, 12, 3, 2_044, isBlocking), flow);
                    assertTrue(result.isComplete(), flow.toString());
                    assertEquals(3 * 12 * 11, result.messages());
                    assertEquals(3 * 12 * 11 * PACKETS, result.dataPackets());
                    assertTrue(result.peakSlots() > 0 && result.peakSlots() <= (slots - flow.creditSlots()) * 15,
                        flow + " found " + result.peakSlots());
                }
            }
        }
    }

    @Test
    void shouldGiveTheSameResultForTheSameSeedOnly() throws InterruptedException
    {
        final Topology topology = Topology.mesh(4, 2, 2);
        final Alltoall alltoall = new Alltoall(16, 16, 4, 2_048, true);
        final FabricRun run = new FabricRun(topology, PARAMETERS, alltoall).flow(FlowOptions.dynamic(2, 12));
        final FabricResult first = run.jitter(1, 1_000_000).run();
        assertEquals(first.toString(), run.run().toString());
        assertEquals(first, new FabricRun(topology, PARAMETERS, alltoall).flow(FlowOptions.dynamic(2, 12))
            .jitter(1, 1_000_000).run());
        assertNotEquals(first, run.jitter(2, 1_000_000).run());
    }

    @Test
    void shouldDelayMessagesOnlyWhileCreditsAreFewerThanPackets() throws InterruptedException
    {
        final Topology topology = Topology.pair(1, 1);
        // equation 5.5 of the thesis: 57 slots for k = 2
        assertEquals(40, run(topology, new PingPong(2, 20, 2_048), FlowOptions.fixed(2, 38)).delayedSends());
        assertEquals(0, run(topology, new PingPong(2, 20, 2_048), FlowOptions.fixed(2, 57)).delayedSends());
    }

    @Test
    void shouldChargeTheProtocolForWhatItDoes() throws InterruptedException
    {
        final ProtocolCosts costs = new ProtocolCosts(3, 5, 7, 11);
        final FabricParameters dear = new FabricParameters(L, O, O, G, 0, 250, 0, costs, ProtocolCosts.NONE);
        final FabricResult result = new FabricRun(Topology.pair(1, 1), dear, new PingPong(2, 10, 2_048))
            .flow(FlowOptions.fixed(2, 64)).run();
        assertEquals(20 * PACKETS * 8 + result.creditPackets() * 7, result.protocolPs());
        assertTrue(result.creditPackets() > 20);
        assertEquals(2 * O * result.creditPackets(), result.controlPs());
    }

    @Test
    void shouldTellTheObserverOfRoundsAndMessages() throws InterruptedException
    {
        final int[] counts = new int[2];
        final FabricObserver observer = new FabricObserver()
        {
            @Override
            public void onRoundEnd(final int rank, final int round, final long timePs, final FabricView view)
            {
                counts[0]++;
                assertEquals(0, view.credits(rank, rank));
                assertTrue(view.credits(rank, 1 - rank) >= 0 && view.currentCredits(rank, 1 - rank) >= 2);
                assertEquals(6, view.intendedQuota(rank, 1 - rank));
            }

            @Override
            public void onMessage(final int from, final int to, final long postedPs, final long donePs)
            {
                counts[1]++;
                assertTrue(donePs >= postedPs + PACKETS * O);
            }
        };
        new FabricRun(Topology.pair(1, 1), PARAMETERS, new PingPong(2, 5, 2_048)).flow(FlowOptions.dynamic(2, 8))
            .observer(observer).run();
        assertEquals(10, counts[0]);
        assertEquals(10, counts[1]);
    }

    @Test
    void shouldStopWhenItsThreadIsInterrupted()
    {
        Thread.currentThread().interrupt();
        final FabricRun run = new FabricRun(Topology.mesh(4, 4, 4), PARAMETERS, new Alltoall(64, 64, 50, 2_048, true))
            .flow(FlowOptions.fixed(2, 6));
        assertThrows(InterruptedException.class, run::run);
    }

    @Test
    void shouldRefuseWhatDoesNotFit()
    {
        assertThrows(IllegalArgumentException.class,
            () -> new FabricRun(Topology.pair(1, 1), PARAMETERS, new PingPong(4, 1, 8)));
        assertThrows(IllegalArgumentException.class,
            () -> run(Topology.pair(1, 1), once(2, (rank, to) -> to.send(rank, 8)), FlowOptions.none()));
        assertThrows(IllegalArgumentException.class,
            () -> run(Topology.pair(1, 1), new PingPong(2, 1, 8), FlowOptions.dynamic(2, 3)));
    }

    /** A bound below nothing, and packets that take no time. */
    @Test
    void shouldRefuseFarPacketsOutOfRange()
    {
        final FabricRun run = new FabricRun(Topology.pair(1, 1), PARAMETERS, new PingPong(2, 4, 2048));
        assertThrows(IllegalArgumentException.class, () -> run.farPackets(-1, 2));
        assertThrows(IllegalArgumentException.class, () -> run.farPackets(0, 0));
    }

    /** Other protocols would pass over the bound without a word. */
    @Test
    void shouldRefuseABoundThatAProtocolDoesNotKnow()
    {
        assertThrows(IllegalArgumentException.class, () -> FlowOptions.fixed(2, 16).most(62));
        final IllegalArgumentException found = assertThrows(IllegalArgumentException.class, () ->
            FlowOptions.dynamic(2, 16).most(62).steal(StealPolicy.IDLE_FIRST));
        assertTrue(found.getMessage().contains("found 62 slots with DYNAMIC and IDLE_FIRST"), found.getMessage());
    }
}
