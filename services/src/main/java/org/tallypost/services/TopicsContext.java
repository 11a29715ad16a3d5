// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.ErrorHandler;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.node.Node;

/** How topics are set up. Setters return the context; {@link Topics#launch} concludes it. */
public final class TopicsContext
{
    /** Default of {@link #channel(int)}. */
    public static final int DEFAULT_CHANNEL = 0xC9;
    private static final int DEFAULT_STORED = 1_024;
    private static final int DEFAULT_POLL_LIMIT = 64;
    private static final int DEFAULT_SLEEP_AFTER = 8;

    private Endpoint endpoint;
    private Node node;
    private int channel = DEFAULT_CHANNEL;
    private int maxStored = DEFAULT_STORED;
    private int pollLimit = DEFAULT_POLL_LIMIT;
    private int sleepAfter = DEFAULT_SLEEP_AFTER;
    private MessageListener otherMessages;
    private ErrorHandler errorHandler = Throwable::printStackTrace;

    /** A context with the defaults; {@link #node} and {@link #endpoint} have to be set. */
    public TopicsContext()
    {
    }

    /**
     * The endpoint that messages go by. Its polls are made by {@link Topics#doWork()}.
     *
     * @param value endpoint.
     * @return this.
     */
    public TopicsContext endpoint(final Endpoint value)
    {
        endpoint = value;
        return this;
    }

    /**
     * As set by {@link #endpoint(Endpoint)}.
     *
     * @return the endpoint.
     */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /**
     * The node of the endpoint, where the logs of topics are.
     *
     * @param value node.
     * @return this.
     */
    public TopicsContext node(final Node value)
    {
        node = value;
        return this;
    }

    /**
     * As set by {@link #node(Node)}.
     *
     * @return the node.
     */
    public Node node()
    {
        return node;
    }

    /** Number of ranks in the group. */
    int rankCount()
    {
        return node.context().rankCount();
    }

    /**
     * The channel of the endpoint that is used, the same at all ranks. Default {@link #DEFAULT_CHANNEL}.
     *
     * @param value from 1 to {@link Channel#MAX_ID}.
     * @return this.
     */
    public TopicsContext channel(final int value)
    {
        channel = value;
        return this;
    }

    /**
     * As set by {@link #channel(int)}.
     *
     * @return number of the channel.
     */
    public int channel()
    {
        return channel;
    }

    /**
     * Most messages to other nodes that may wait for credits here: those of several runs. Each is kept with its bytes. Those
     * for one rank take at most as much of it as they leave to others. Default 1,024.
     *
     * @param value at least 1.
     * @return this.
     */
    public TopicsContext maxStored(final int value)
    {
        maxStored = value;
        return this;
    }

    /**
     * As set by {@link #maxStored(int)}.
     *
     * @return number of messages.
     */
    public int maxStored()
    {
        return maxStored;
    }

    /**
     * Most messages that one poll takes, and that one turn takes from a log or sends to a subscriber. Default 64.
     *
     * @param value at least 1.
     * @return this.
     */
    public TopicsContext pollLimit(final int value)
    {
        pollLimit = value;
        return this;
    }

    /**
     * As set by {@link #pollLimit(int)}.
     *
     * @return number of messages.
     */
    public int pollLimit()
    {
        return pollLimit;
    }

    /**
     * Calls of {@link Topics#doWork()} in a row that found nothing to do, after which publishers of this node send a message when
     * they have news: that wakes a thread that parks. 0: never, for threads that spin. Default 8.
     *
     * @param value at least 0.
     * @return this.
     */
    public TopicsContext sleepAfter(final int value)
    {
        sleepAfter = value;
        return this;
    }

    /**
     * As set by {@link #sleepAfter(int)}.
     *
     * @return number of calls.
     */
    public int sleepAfter()
    {
        return sleepAfter;
    }

    /**
     * Gets the messages of the endpoint that belong to no channel. By default they are counted as refused.
     *
     * @param value listener.
     * @return this.
     */
    public TopicsContext otherMessages(final MessageListener value)
    {
        otherMessages = value;
        return this;
    }

    /**
     * As set by {@link #otherMessages(MessageListener)}.
     *
     * @return the listener, or null.
     */
    public MessageListener otherMessages()
    {
        return otherMessages;
    }

    /**
     * Gets what listeners throw, damaged logs, and topics that two ranks publish. Default: prints the stack trace.
     *
     * @param value handler.
     * @return this.
     */
    public TopicsContext errorHandler(final ErrorHandler value)
    {
        errorHandler = value;
        return this;
    }

    /**
     * As set by {@link #errorHandler(ErrorHandler)}.
     *
     * @return the handler.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /** Checks all of it. */
    void conclude()
    {
        if (node == null || endpoint == null || errorHandler == null)
        {
            throw new IllegalArgumentException((node == null ? "node" : endpoint == null ? "endpoint" : "errorHandler") +
                " is missing: found=null; set it in TopicsContext");
        }
        node.requireOwn(endpoint);
        range("sleepAfter", sleepAfter, 0, Integer.MAX_VALUE);
        range("channel", channel, 1, Channel.MAX_ID);
        range("maxStored", maxStored, 1, Integer.MAX_VALUE);
        range("pollLimit", pollLimit, 1, Integer.MAX_VALUE);
    }

    private static void range(final String what, final long found, final long least, final long most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " is out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    @Override
    public String toString()
    {
        return "TopicsContext{endpoint=" + endpoint + ", node=" + node + ", channel=" + channel +
            ", maxStored=" + maxStored + ", pollLimit=" + pollLimit + ", sleepAfter=" + sleepAfter + '}';
    }
}
