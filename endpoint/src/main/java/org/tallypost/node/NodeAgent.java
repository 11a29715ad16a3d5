// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * Polls endpoints, and does what the node has no threads for. As an outermost loop it reads the clock, if it has to look after
 * liveness.
 */
final class NodeAgent implements Agent
{
    private static final int CHECKS_PER_INTERVAL = 4;

    private final MessageListener handler;
    private final int limit;
    private final Endpoint[] endpoints;
    /** Null if there is no transport, or a thread does its work. */
    private final IntSupplier transport;
    /** Null if a thread looks after it. */
    private final IntSupplier liveness;
    private final long checkIntervalNs;
    private long nextCheckNs;

    NodeAgent(
        final MessageListener handler,
        final int limit,
        final Endpoint[] endpoints,
        final IntSupplier transport,
        final IntSupplier liveness,
        final long livenessIntervalNs)
    {
        this.handler = handler;
        this.limit = limit;
        this.endpoints = endpoints.clone();
        this.transport = transport;
        this.liveness = liveness;
        checkIntervalNs = livenessIntervalNs / CHECKS_PER_INTERVAL;
        nextCheckNs = System.nanoTime();
    }

    @Override
    public int doWork()
    {
        return doWork(liveness != null ? System.nanoTime() : 0);
    }

    /** One duty cycle. What nobody has a thread for goes first: a handler that throws does not keep it from being done. */
    int doWork(final long nowNs)
    {
        int work = transport != null ? transport.getAsInt() : 0;
        if (liveness != null && nowNs - nextCheckNs >= 0)
        {
            nextCheckNs = nowNs + checkIntervalNs;
            work += liveness.getAsInt();
        }
        return work + poll();
    }

    private int poll()
    {
        int work = 0;
        int closed = 0;
        for (final Endpoint endpoint : endpoints)
        {
            final int polled = endpoint.poll(handler, limit);
            if (polled == Endpoint.CLOSED)
            {
                closed++;
            }
            else
            {
                work += polled;
            }
        }
        if (closed > 0 && closed == endpoints.length)
        {
            throw new AgentTerminationException("all endpoints are closed: " + Arrays.toString(endpoints));
        }
        return work;
    }

    /** Another thread may poll the endpoints now. */
    @Override
    public void onClose()
    {
        for (final Endpoint endpoint : endpoints)
        {
            endpoint.releasePoller();
        }
    }

    @Override
    public String roleName()
    {
        return Arrays.stream(endpoints).map((endpoint) -> Integer.toString(endpoint.rank()))
            .collect(Collectors.joining("-", "tallypost-agent-", ""));
    }
}
