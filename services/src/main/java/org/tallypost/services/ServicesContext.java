// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.ErrorHandler;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/** How services are set up. Setters return the context; {@link Services#launch} concludes it. */
public final class ServicesContext
{
    /** Default of {@link #channel(int)}. */
    public static final int DEFAULT_CHANNEL = 0xC8;
    private static final int DEFAULT_REQUESTS = 1_024;
    private static final int DEFAULT_STORED = 1_024;
    private static final int DEFAULT_POLL_LIMIT = 64;

    private Endpoint endpoint;
    private int rankCount;
    private int channel = DEFAULT_CHANNEL;
    private int maxRequests = DEFAULT_REQUESTS;
    private int maxStored = DEFAULT_STORED;
    private int pollLimit = DEFAULT_POLL_LIMIT;
    private MessageListener otherMessages;
    private ErrorHandler errorHandler = Throwable::printStackTrace;

    /** A context with the defaults; {@link #endpoint} and {@link #rankCount} have to be set. */
    public ServicesContext()
    {
    }

    /**
     * The endpoint that messages go by. Its polls are made by {@link Services#doWork()}.
     *
     * @param value endpoint.
     * @return this.
     */
    public ServicesContext endpoint(final Endpoint value)
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
     * Number of ranks in the group of the endpoint.
     *
     * @param value as {@link org.tallypost.endpoint.NodeContext#rankCount()}.
     * @return this.
     */
    public ServicesContext rankCount(final int value)
    {
        rankCount = value;
        return this;
    }

    /**
     * As set by {@link #rankCount(int)}.
     *
     * @return number of ranks.
     */
    public int rankCount()
    {
        return rankCount;
    }

    /**
     * The channel of the endpoint that is used, the same at all ranks. Default {@link #DEFAULT_CHANNEL}.
     *
     * @param value from 1 to {@link Channel#MAX_ID}.
     * @return this.
     */
    public ServicesContext channel(final int value)
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
     * Most requests of this rank that may be without answer. Default 1,024.
     *
     * @param value from 1 to 2^20.
     * @return this.
     */
    public ServicesContext maxRequests(final int value)
    {
        maxRequests = value;
        return this;
    }

    /**
     * As set by {@link #maxRequests(int)}.
     *
     * @return number of requests.
     */
    public int maxRequests()
    {
        return maxRequests;
    }

    /**
     * Most messages that may wait for credits here: answers, and requests of several runs. Each is kept with its bytes. Those
     * for one rank take at most as much of it as they leave to others. Default 1,024.
     *
     * @param value at least 1.
     * @return this.
     */
    public ServicesContext maxStored(final int value)
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
     * Most messages that one poll takes. Default 64.
     *
     * @param value at least 1.
     * @return this.
     */
    public ServicesContext pollLimit(final int value)
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
     * Gets the messages of the endpoint that belong to no channel. By default they are counted as refused.
     *
     * @param value listener.
     * @return this.
     */
    public ServicesContext otherMessages(final MessageListener value)
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
     * Gets what listeners throw, and names that two ranks serve. Default: prints the stack trace.
     *
     * @param value handler.
     * @return this.
     */
    public ServicesContext errorHandler(final ErrorHandler value)
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
        if (endpoint == null || errorHandler == null)
        {
            throw new IllegalArgumentException((endpoint == null ? "endpoint" : "errorHandler") +
                " is missing: found=null; set it in ServicesContext");
        }
        range("rankCount", rankCount, endpoint.rank() + 1L, Integer.MAX_VALUE);
        range("channel", channel, 1, Channel.MAX_ID);
        range("maxRequests", maxRequests, 1, MessageDescriptor.MAX_REQUESTS);
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
        return "ServicesContext{endpoint=" + endpoint + ", rankCount=" + rankCount + ", channel=" + channel + ", maxRequests=" +
            maxRequests + ", maxStored=" + maxStored + ", pollLimit=" + pollLimit + '}';
    }
}
