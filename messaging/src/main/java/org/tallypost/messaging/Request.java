// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.tallypost.messaging.internal.checks.Checks;

/**
 * A send or a receive that a program has started, or is about to start. It belongs to the program, which uses it again as often
 * as it likes; nothing is allocated for a message. For the thread of the messenger.
 *
 * <pre>
 *   send     IDLE -&gt; QUEUED -&gt; ANNOUNCED -&gt; MOVING -&gt; DONE       a short one goes from IDLE or QUEUED to DONE
 *   receive  IDLE -&gt; POSTED -&gt; ANSWERING -&gt; MOVING -&gt; DONE       a short one goes from IDLE or POSTED to DONE
 * </pre>
 */
public abstract class Request
{
    RequestState state = RequestState.IDLE;
    RequestResult result = RequestResult.NONE;
    Communicator communicator;
    /** Rank in the endpoint's group, or {@link Communicator#ANY_SOURCE}. */
    int peer;
    int tag;
    int offset;
    int length;
    /** In the table of its kind; 0 if it is not there. */
    long id;
    private RequestListener listener;
    /** That it is linked into, null if none. */
    RequestQueue queue;
    Request previous;
    Request next;

    Request()
    {
    }

    /**
     * Where the request is.
     *
     * @return the state.
     */
    public final RequestState state()
    {
        return state;
    }

    /**
     * Whether the request was started and has not ended.
     *
     * @return true if so.
     */
    public final boolean isActive()
    {
        return state != RequestState.DONE && state != RequestState.IDLE;
    }

    /**
     * Whether the request has ended.
     *
     * @return true if so.
     */
    public final boolean isDone()
    {
        return state == RequestState.DONE;
    }

    /**
     * How the request has ended.
     *
     * @return the result; {@link RequestResult#NONE} as long as it has not.
     */
    public final RequestResult result()
    {
        return result;
    }

    /**
     * Makes a listener hear each time that this request is done.
     *
     * @param value listener, null for none.
     * @return this.
     * @throws IllegalStateException if the request is active, or its listener has still to hear that it is done.
     */
    public final Request listener(final RequestListener value)
    {
        checkFree();
        listener = value;
        return this;
    }

    /**
     * As set by {@link #listener(RequestListener)}.
     *
     * @return the listener, null if there is none.
     */
    public final RequestListener listener()
    {
        return listener;
    }

    final void checkFree()
    {
        if (isActive())
        {
            throw new IllegalStateException("the request is in use: found=" + this + ", expected=IDLE or DONE; wait for it");
        }
        if (queue != null)
        {
            throw new IllegalStateException("the listener of the request has not heard yet that it is done: found=" + this +
                "; call doWork()");
        }
    }

    final void checkPrepared()
    {
        checkFree();
        if (communicator == null)
        {
            throw new IllegalStateException("the request was not prepared: found=" + this + "; call prepare() first");
        }
    }

    final int context()
    {
        return communicator.context();
    }

    static void check(final Communicator communicator, final int rank, final int tag, final int leastTag)
    {
        communicator.check();
        communicator.endpointRank(rank);
        if (tag < leastTag)
        {
            throw new IllegalArgumentException("no such tag: found=" + tag + ", expected=" + leastTag + " to " +
                Communicator.MAX_TAG);
        }
    }

    static void checkRange(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("no such length: found=" + length + ", expected=0 or more");
        }
        Checks.within(buffer, offset, length);
    }

    /** It has ended, and is in no table and no queue. */
    final void onDone(final RequestResult how)
    {
        state = RequestState.DONE;
        result = how;
        communicator.activeCount--;
    }

    final void fill(
        final Communicator ofRanks, final int endpointRank, final int messageTag, final int bufferOffset, final int byteCount)
    {
        communicator = ofRanks;
        peer = endpointRank;
        tag = messageTag;
        offset = bufferOffset;
        length = byteCount;
        state = RequestState.IDLE;
        result = RequestResult.NONE;
    }

    /** Where it is, and what it is for. */
    @Override
    public final String toString()
    {
        return getClass().getSimpleName() + "{" + state + ", result=" + result + ", peer=" + peer + ", tag=" + tag + ", length=" +
            length + "}";
    }
}
