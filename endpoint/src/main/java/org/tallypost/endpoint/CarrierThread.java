// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;

/**
 * The thread that does the transport's work. What it sends itself need not wait in the ring to a node for its next duty cycle: if
 * nothing lies there, a message goes where the ring's would go, into the batch in hand, with no claim and no copy in between.
 *
 * <pre>
 *   other threads   credits ─ run in the ring ─┐
 *   this one        in a duty cycle:           └─ batch
 *                   between two of them:  credits ─ batch
 * </pre>
 *
 * <p><b>Threads.</b> The transport's state is this thread's alone, in a duty cycle as between them. Who takes the work over, or
 * ends it, shuts this thread out first ({@link ThreadHold}).
 */
final class CarrierThread extends ThreadHold
{
    private final Agent agent;
    private final TransportPort port;
    /** In the midst of a duty cycle, where programs are called too. Of this thread. */
    private boolean isAtWork;

    CarrierThread(final Thread thread, final Agent agent, final TransportPort port)
    {
        super(thread);
        this.agent = agent;
        this.port = port;
    }

    /** Whether the calling thread is this one, in the midst of a duty cycle. */
    boolean isAtWork()
    {
        return isAtWork && isHolder();
    }

    /**
     * One duty cycle. For this thread.
     *
     * @return work done, 0 if this thread was shut out.
     * @throws Exception that the agent has thrown.
     */
    int work() throws Exception
    {
        enter();
        isAtWork = true;
        try
        {
            return isShut() ? 0 : agent.doWork();
        }
        finally
        {
            isAtWork = false;
            leave();
        }
    }

    /**
     * Puts a message whose credits were taken into a batch, if the calling thread is this one and everything sent before has left
     * the ring. The batch leaves when it is full, or in the next duty cycle.
     *
     * @param source of the message, a rank of this node.
     * @param word   of the run, as it would be in the ring.
     * @param from   that holds the message; the range was checked.
     * @param offset of the message.
     * @param length of the message, at most that of a run.
     * @return false if it has to go by the ring: nothing happened.
     */
    boolean send(final int source, final long word, final DirectBuffer from, final int offset, final int length)
    {
        if (!isHolder() || isAtWork)
        {
            return false;
        }
        enter();
        try
        {
            return !isShut() && port.send(source, word, from, offset, length);
        }
        finally
        {
            leave();
        }
    }
}
