// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.AlgorithmBetweenNodes;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;
import org.tallypost.endpoint.transport.Multicast;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Broadcasts by Aeron multicast between nodes. */
@Tag("once")
class MulticastOfNodesTest extends TeamsOfNodesRig
{
    /** Of what is sent to all nodes at once some is lost, and repaired. */
    @Test
    void shouldBroadcastByMulticast() throws Exception
    {
        final NodeAddress group = freeGroup();
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MulticastOfNodesTest: -Dtallypost.seed=" + seed);
        groups = (node) -> group;
        faults = (node) -> new NetworkFaults(seed + node).loss(0.02);
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        launch(0, 2, 1, 2);
        attach();
        for (final Collectives each : collectives)
        {
            assertTrue(each.world().hasMulticast(), () -> "errors=" + errors);
        }
        for (final long result : inEach("operations", (rank) -> () -> operations(rank, seed, 25)))
        {
            assertEquals(25, result, Team.errorString(result));
        }
        closeCollectives();
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** What a leader has sent to be heard is lost: it sends it again for the other one, although it has heard that already. */
    @Test
    void shouldSendAgainWhatIsLostOfTheTrial() throws Exception
    {
        final NodeAddress group = freeGroup();
        groups = (node) -> group;
        transports = (transport) -> transport.node() == 0 ? transport : within(transport, LateMulticast::new);
        launch(0, 1, 1);
        attach();
        for (final Collectives each : collectives)
        {
            assertTrue(each.world().hasMulticast(), () -> "errors=" + errors);
        }
        closeCollectives();
    }

    /** A transport with another multicast. */
    private static Transport within(final Transport transport, final UnaryOperator<Multicast> made)
    {
        return (Transport)Proxy.newProxyInstance(
            Transport.class.getClassLoader(), new Class<?>[]{Transport.class}, (proxy, method, arguments) ->
            {
                final Object result = method.invoke(transport, arguments);
                return result instanceof Multicast ? made.apply((Multicast)result) : result;
            });
    }

    /** Node 1 hears nothing of what the others send to all: everything goes by messages. */
    @Test
    void shouldDoWithoutMulticastIfANodeHearsNothing() throws Exception
    {
        final NodeAddress[] free = {freeGroup(), freeGroup()};
        groups = (node) -> free[node % 2];
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST).multicastProbeNs(50_000_000);
        launch(0, 1, 1, 1);
        attach();
        for (final Collectives each : collectives)
        {
            assertFalse(each.world().hasMulticast());
        }
        for (final long result : inEach("operations", (rank) -> () -> operations(rank, 1, 10)))
        {
            assertEquals(10, result, Team.errorString(result));
        }
        closeCollectives();
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** A node goes in the midst of broadcasts by multicast: those of the others end. */
    @Test
    void shouldEndBroadcastsWhenANodeIsClosed() throws Exception
    {
        final NodeAddress group = freeGroup();
        groups = (node) -> group;
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        launch(0, 1, 1, 1);
        attach();
        for (final long result : inEach("broadcasts with a node that is closed", (rank) -> () ->
        {
            final UnsafeBuffer data = new UnsafeBuffer(new byte[1 << 20]);
            long found = calls(rank).broadcast(0, data, 0, data.capacity());
            if (rank == 2)
            {
                endpoints[2].close();
                collectives[2].close();
                return Team.MEMBER_GONE;
            }
            while (found >= 0)
            {
                found = calls(rank).broadcast(0, data, 0, data.capacity());
            }
            assertEquals(2, collectives[rank].world().goneMember());
            return found;
        }))
        {
            assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
        }
        endpoints[2] = null;
        closeCollectives();
    }

    /**
     * Once all is warm, a rank allocates nothing for broadcasts by multicast, but for what Aeron's driver allocates, which
     * works on its thread: that is printed.
     */
    @Test
    void shouldAllocateNothingByMulticast() throws Exception
    {
        final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final NodeAddress group = freeGroup();
        final AtomicReferenceArray<CountedMulticast> counted = new AtomicReferenceArray<>(3);
        groups = (node) -> group;
        transports = (transport) -> within(transport, (multicast) ->
        {
            counted.set(transport.node(), new CountedMulticast(multicast));
            return counted.get(transport.node());
        });
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        launch(0, 1, 1, 1);
        attach();
        assertTrue(collectives[0].world().hasMulticast());
        final int uses = 50;
        final UnsafeBuffer[] buffers = new UnsafeBuffer[endpoints.length];
        Arrays.setAll(buffers, (rank) -> new UnsafeBuffer(new byte[15_000]));
        final AtomicLong within = new AtomicLong();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 12 && least >= 8 * uses; round++)
        {
            within.set(0);
            least = inEach("broadcasts", (rank) -> () ->
            {
                final TeamCalls calls = calls(rank);
                final long inside = counted.get(rank).allocated();
                final long before = bean.getThreadAllocatedBytes(Thread.currentThread().getId());
                for (int i = 0; i < uses; i++)
                {
                    calls.broadcast(i % 3, buffers[rank], 0, buffers[rank].capacity());
                }
                assertTrue(calls.barrier() >= 0);
                final long all = bean.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
                within.addAndGet(counted.get(rank).allocated() - inside);
                return all - counted.get(rank).allocated() + inside;
            }).stream().mapToLong((each) -> each).max().getAsLong();
        }
        final long most = least;
        System.out.println("MulticastOfNodesTest: bytes allocated in " + uses + " broadcasts of a rank: at most " + most +
            ", and within the driver " + within.get() / 3);
        // less than any object for each operation: what a round takes itself
        assertTrue(most < 8 * uses, () -> "allocated " + most + " bytes in " + uses + " broadcasts of a rank");
    }
}
