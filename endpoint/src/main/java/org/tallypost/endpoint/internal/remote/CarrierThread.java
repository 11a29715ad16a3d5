// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.internal.send.ThreadHold;
import org.tallypost.endpoint.transport.MessageTrain;

/**
 * The thread that does the transport's work. What it sends itself need not wait in the ring to a node for its next duty cycle: if
 * nothing that it has sent lies there, a message goes where the ring's would go, into the batch in hand, with no claim and no
 * copy in between. Runs of other threads in the ring are passed by.
 *
 * <pre>
 *   other threads   credits ─ run in the ring ─┐
 *   this one        in a duty cycle:           └─ batch
 *                   between two of them:  credits in hand ─ batch
 * </pre>
 *
 * Short messages like the one before are put behind it in place, and counted when anything else comes ({@link
 * MessageTrain}).
 *
 * <p>Of a receiver's credits it takes some at once, up to {@link RemotePeer#MAX_IN_HAND}, and gives back what is left of them
 * in its next duty cycle, before anybody there asks for them.
 *
 * <p><b>Threads.</b> The transport's state is this thread's alone, in a duty cycle as between them. What takes the work over, or
 * ends it, shuts this thread out first ({@link ThreadHold}).
 */
public final class CarrierThread extends ThreadHold
{
    private final Agent agent;
    private final NodeEgress egress;
    private final List<RemotePeer> inHand = new ArrayList<>();
    private final MessageTrain train = new MessageTrain();
    /** In the midst of a duty cycle, where programs are called too, or of a message. Of this thread. */
    private boolean isAtWork;
    /** Whether {@link #send} was left by an Error when the message had been handed on. */
    private boolean isHandedOn;

    CarrierThread(final Thread thread, final Agent agent, final NodeEgress egress)
    {
        super(thread);
        this.agent = agent;
        this.egress = egress;
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
    public int work() throws Exception
    {
        enter();
        isAtWork = true;
        try
        {
            if (isShut())
            {
                return 0;
            }
            giveBack();
            return agent.doWork();
        }
        finally
        {
            out();
        }
    }

    /**
     * Lets the calling thread in until {@link #out}, if it is this one, between two duty cycles. What calls back meanwhile, as a
     * program's buffer may, does not get in.
     *
     * @return whether it is in.
     */
    public boolean tryEnter()
    {
        if (!isHolder() || isAtWork)
        {
            return false;
        }
        enter();
        if (isShut())
        {
            leave();
            return false;
        }
        isAtWork = true;
        return true;
    }

    /** It is out again. */
    public void out()
    {
        isAtWork = false;
        leave();
    }

    /**
     * Puts a message, its credits taken before, into a batch: everything that this thread sent before has left the ring. The
     * batch leaves when it is full, or in a duty cycle, as all that is in hand. For this thread that is in ({@link #tryEnter}).
     *
     * @param source  of the message, a rank of this node.
     * @param word    of the run, as it would be in the ring.
     * @param from    that holds the message; the range was checked.
     * @param offset  of the message.
     * @param length  of the message, at most that of a run.
     * @param isBound whether it is part of a batch that has begun to go.
     * @return false if it has to go by the ring: nothing happened; never, if it is bound.
     */
    public boolean send(
        final int source, final long word, final DirectBuffer from, final int offset, final int length, final boolean isBound)
    {
        if (train.takes(source, word, length))
        {
            train.put(from, offset);
            return true;
        }
        endTrain();
        if (!egress.send(source, word, from, offset, length, isBound))
        {
            return false;
        }
        if (MessageTrain.isFor(length))
        {
            isHandedOn = true;
            train.of(source, word, length);
            if (!egress.beginTrain(train))
            {
                train.end();
            }
            isHandedOn = false;
        }
        return true;
    }

    /**
     * As {@link #send(int, long, DirectBuffer, int, int, boolean)}: a message of two parts, not bound.
     *
     * @param source     of the message, a rank of this node.
     * @param word       of the run, as it would be in the ring.
     * @param head       that holds the first part; the range was checked.
     * @param headOffset of the first part.
     * @param headLength of the first part.
     * @param body       that holds the second part; the range was checked.
     * @param bodyOffset of the second part.
     * @param bodyLength of the second part, both together at most that of a run.
     * @return false if it has to go by the ring: nothing happened.
     */
    boolean send(
        final int source, final long word, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        endTrain();
        return egress.send(source, word, head, headOffset, headLength, body, bodyOffset, bodyLength);
    }

    /**
     * Whether an Error has ended the last {@link #send} after its message was handed on: then its credits are spent. Told once.
     * For this thread that is in.
     */
    boolean endHandedOn()
    {
        final boolean wasHandedOn = isHandedOn;
        isHandedOn = false;
        return egress.endHandedOn() || wasHandedOn;
    }

    /** Has the transport count what was put behind its last message, before it does anything else. As {@link #giveBack}. */
    void endTrain()
    {
        egress.endTrain(train);
    }

    /** Notes a receiver with credits that this thread has in hand until its next duty cycle. For this thread that is in. */
    void hasInHand(final RemotePeer peer)
    {
        inHand.add(peer);
    }

    /**
     * Ends what was begun: a train is counted, all credits in hand are put where they were. For this thread that is in, or the
     * one that has shut it out.
     */
    void giveBack()
    {
        endTrain();
        for (int i = inHand.size() - 1; i >= 0; i--)
        {
            // first: what an Error keeps in hand is noted still
            inHand.get(i).forget();
            inHand.remove(i);
        }
    }
}
