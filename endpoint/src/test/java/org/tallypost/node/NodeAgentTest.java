// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.ForwardingEndpoint;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.RankProcess;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** One agent polls the endpoints of a node, and does what the node has no threads for. */
class NodeAgentTest
{
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger received = new AtomicInteger();
    private final MessageListener handler = (source, tag, buffer, offset, length) -> received.incrementAndGet();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16);
    }

    private void send(final Endpoint from, final int dest)
    {
        Fixtures.pollUntil("sent", Fixtures.NOTHING, () -> from.offer(dest, 1, message, 0, 100) >= 0, from);
    }

    @Test
    void shouldPollAllEndpointsInAnAgentRunner()
    {
        try (Node node = Node.launch(context()); Endpoint from = node.open(0); Endpoint first = node.open(1);
            Endpoint second = new ForwardingEndpoint(node.open(2))
            {
            })
        {
            final Agent agent = node.agent(handler, 10, first, second);
            assertEquals("tallypost-agent-1-2", agent.roleName());
            try (AgentRunner runner = new AgentRunner(first.newIdleStrategy(second), errors::add, null, agent))
            {
                AgentRunner.startOnThread(runner);
                for (int i = 0; i < 100; i++)
                {
                    send(from, 1);
                    send(from, 2);
                }
                Watchdog.await("all received", () -> received.get() == 200);
            }
            // the runner has let them go
            first.poll(Fixtures.NOTHING, 1);
            second.poll(Fixtures.NOTHING, 1);
            assertFalse(first.isClosed());
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldBeAPartOfACompositeAgent()
    {
        try (Node node = Node.launch(context()); Endpoint from = node.open(0); Endpoint first = node.open(1);
            Endpoint second = node.open(2))
        {
            final CompositeAgent both = new CompositeAgent(node.agent(handler, 1, first), node.agent(handler, 1, second));
            final AgentInvoker invoker = new AgentInvoker(errors::add, null, both);
            invoker.start();
            send(from, 1);
            send(from, 2);
            Watchdog.await("both received", () -> invoker.invoke() >= 0 && received.get() == 2);
            invoker.close();
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldEndWhenAllItsEndpointsAreClosed() throws Exception
    {
        try (Node node = Node.launch(context()))
        {
            final Endpoint first = node.open(1);
            final Endpoint second = node.open(2);
            final Agent agent = node.agent(handler, 1, first, second);
            first.close();
            assertTrue(agent.doWork() + agent.doWork() >= 0);
            agent.onClose();
            final AgentRunner runner = new AgentRunner(new YieldingIdleStrategy(), errors::add, null, agent);
            AgentRunner.startOnThread(runner);
            second.close();
            Watchdog.await("ended", runner::isClosed);
            assertEquals(1, errors.size());
            assertTrue(errors.get(0) instanceof AgentTerminationException, errors::toString);
        }
    }

    @Test
    void shouldDoTheWorkOfTheTransportThatHasNoThread() throws Exception
    {
        final AtomicInteger cycles = new AtomicInteger();
        final IdleTransport transport = new IdleTransport()
        {
            @Override
            public int doWork()
            {
                return cycles.incrementAndGet() > 0 ? 1 : 0;
            }
        };
        try (Node node = Node.launch(context().transport(transport).transportSettings(new TransportSettings().thread(false)));
            Endpoint endpoint = node.open(0))
        {
            // an agent may be for the transport alone
            assertEquals(1, node.agent(handler, 1).doWork());
            assertTrue(node.agent(handler, 1, endpoint).doWork() >= 1);
            assertEquals(2, cycles.get());
        }
    }

    @Test
    void shouldLookAfterLivenessFourTimesAnInterval()
    {
        final long intervalNs = 1_000;
        final int[] looks = new int[1];
        final NodeAgent agent = new NodeAgent(handler, 1, new Endpoint[0], null, () -> ++looks[0], intervalNs);
        final long startNs = System.nanoTime();
        int last = -3;
        for (int i = 0; i < 100; i++)
        {
            if (agent.doWork(startNs + i * intervalNs / 10) > 0)
            {
                assertTrue(i - last >= 3, "looks in turns " + last + " and " + i);
                last = i;
            }
        }
        assertEquals(34, looks[0]);
    }

    /** Nothing but the agent finds that out: the node has no thread that does. */
    @Test
    void shouldFindOutThatAProcessIsGone()
    {
        final AtomicReference<String> gone = new AtomicReference<>();
        try (Node node = Node.launch(context().livenessThread(false)); Endpoint endpoint = node.open(0))
        {
            final Agent agent = node.agent(handler, 1, endpoint);
            endpoint.addMembershipListener(new MembershipListener()
            {
                @Override
                public void onOpen(final int rank, final int incarnation)
                {
                    gone.set(null);
                }

                @Override
                public void onGone(final int rank, final int incarnation)
                {
                    gone.set(rank + "/" + incarnation);
                }
            });
            try (ForkedJvm child = RankProcess.start(
                directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16, 1, 1))
            {
                Watchdog.await("the other process", () -> doWork(agent) && endpoint.offer(1, 1, message, 0, 100) >= 0);
                child.kill();
                Watchdog.await("gone", () -> doWork(agent) && "1/1".equals(gone.get()));
            }
        }
    }

    private static boolean doWork(final Agent agent)
    {
        try
        {
            return agent.doWork() >= 0;
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldRefuseALimitThatDeliversNothing()
    {
        try (Node node = Node.launch(context()))
        {
            assertThrows(IllegalArgumentException.class, () -> node.agent(handler, 0));
        }
    }
}
