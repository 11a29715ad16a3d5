// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.io.File;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * A rank that runs until it is told to end. Its loop is an agent of Agrona with a thread of its own. At Ctrl-C and SIGTERM it
 * ends in order: the agent, the rank, the node. So the others hear at once that it is gone, and its files go. Arguments:
 * DIRECTORY RANK.
 */
public final class LongRunning implements Agent
{
    private static final int RANKS = 2;

    private final Endpoint endpoint;
    private final MessageListener counting = (source, tag, buffer, offset, length) -> count();
    private long received;

    private LongRunning(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
    }

    /**
     * Runs as one rank.
     *
     * @param arguments directory of the node, and rank.
     */
    public static void main(final String[] arguments)
    {
        final Node node = Node.launch(new NodeContext()
            .directory(new File(arguments[0])).groupName("long-running").rankCount(RANKS).deleteOnClose(true));
        final Endpoint endpoint = node.open(Integer.parseInt(arguments[1]));
        final AgentRunner runner = new AgentRunner(
            endpoint.newIdleStrategy(), Throwable::printStackTrace, null, new LongRunning(endpoint));
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
        {
            // it returns when the agent has ended: nothing is polled any more
            runner.close();
            node.close();
            System.out.println("closed");
        }));
        AgentRunner.startOnThread(runner);
        System.out.println("running");
    }

    private void count()
    {
        received++;
    }

    @Override
    public int doWork()
    {
        final int work = endpoint.poll(counting, 10);
        if (work < 0)
        {
            throw new AgentTerminationException(Endpoint.errorString(work));
        }
        return work;
    }

    /** On the agent's thread, behind its last turn. */
    @Override
    public void onClose()
    {
        endpoint.close();
        System.out.println("received " + received + " messages");
    }

    @Override
    public String roleName()
    {
        return "rank " + endpoint.rank();
    }
}
