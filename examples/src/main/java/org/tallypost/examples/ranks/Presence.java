// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * Presence: each rank prints which other ranks come and go, until it gets a line of input or the end of it. No rank sends
 * anything: to receive is enough. A rank that is opened again has a higher incarnation. Arguments: DIRECTORY RANK.
 */
public final class Presence implements MembershipListener
{
    private static final int RANKS = 3;
    private static final MessageListener NO_MESSAGE = (source, tag, buffer, offset, length) ->
    {
    };

    private Presence()
    {
    }

    /**
     * Runs as one rank.
     *
     * @param arguments directory of the node, and rank.
     */
    public static void main(final String[] arguments)
    {
        final NodeContext context = new NodeContext()
            .directory(new File(arguments[0])).groupName("presence").rankCount(RANKS).deleteOnClose(true);
        try (Node node = Node.launch(context); Endpoint endpoint = node.open(Integer.parseInt(arguments[1])))
        {
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread input = new Thread(() -> awaitInput(endpoint, isOver), "input");
            input.setDaemon(true);
            input.start();
            // it is called by poll() alone, on this thread
            endpoint.addMembershipListener(new Presence());
            final IdleStrategy idle = endpoint.newIdleStrategy();
            while (!isOver.get())
            {
                final int work = endpoint.poll(NO_MESSAGE, 10);
                if (work < 0)
                {
                    throw new IllegalStateException(Endpoint.errorString(work));
                }
                idle.idle(work);
            }
        }
    }

    /** The thread that polls sleeps while nothing comes, so it is woken. */
    private static void awaitInput(final Endpoint endpoint, final AtomicBoolean isOver)
    {
        try
        {
            System.in.read();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            isOver.set(true);
            endpoint.wakeup();
        }
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
        System.out.println("rank " + rank + " is up, incarnation " + incarnation);
    }

    /** It was closed, its process has died, or the link to its node broke. */
    @Override
    public void onGone(final int rank, final int incarnation)
    {
        System.out.println("rank " + rank + " is gone, incarnation " + incarnation);
    }
}
