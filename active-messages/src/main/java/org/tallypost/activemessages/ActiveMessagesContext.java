// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.ErrorHandler;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * How active messages are set up. Setters return the context; {@link ActiveMessages#launch} concludes it. The window and the
 * channel have to be the same at all ranks.
 */
public final class ActiveMessagesContext
{
    /** Default of {@link #channel(int)}. */
    public static final int DEFAULT_CHANNEL = 0xD0;
    /** Default of {@link #window(int)}. */
    public static final int DEFAULT_WINDOW = 8;
    private static final long DEFAULT_TIMEOUT_NS = 60_000_000_000L;
    private static final int DEFAULT_POLL_LIMIT = 64;

    private Endpoint endpoint;
    private int rankCount;
    private int channel = DEFAULT_CHANNEL;
    private int window = DEFAULT_WINDOW;
    private int pollLimit = DEFAULT_POLL_LIMIT;
    private long timeoutNs = DEFAULT_TIMEOUT_NS;
    private MessageListener otherMessages;
    private ErrorHandler errorHandler = Throwable::printStackTrace;
    private LoggpKnobs knobs;
    private FailureListener failureListener = (dest, handler, failure) ->
    {
    };

    /** A context with the defaults; {@link #endpoint} and {@link #rankCount} have to be set. */
    public ActiveMessagesContext()
    {
    }

    /**
     * The endpoint that messages go by. Its polls are made by {@link ActiveMessages#doWork()}.
     *
     * @param value endpoint.
     * @return this.
     */
    public ActiveMessagesContext endpoint(final Endpoint value)
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
    public ActiveMessagesContext rankCount(final int value)
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
     * The channel of the endpoint that is used. Default {@link #DEFAULT_CHANNEL}.
     *
     * @param value from 1 to {@link Channel#MAX_ID}.
     * @return this.
     */
    public ActiveMessagesContext channel(final int value)
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
     * Most requests of a rank that may be without answer at one receiver: the credits of a pair, as GAM has them. A receiver has
     * room to store that many answers for each rank. Default {@link #DEFAULT_WINDOW}.
     *
     * @param value from 1 to 64.
     * @return this.
     */
    public ActiveMessagesContext window(final int value)
    {
        window = value;
        return this;
    }

    /**
     * As set by {@link #window(int)}.
     *
     * @return number of requests.
     */
    public int window()
    {
        return window;
    }

    /**
     * Most messages that one poll takes. Default 64.
     *
     * @param value at least 1.
     * @return this.
     */
    public ActiveMessagesContext pollLimit(final int value)
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
     * How long a call that waits for another rank may wait. Default 60 s.
     *
     * @param value in nanoseconds, at least 1.
     * @return this.
     */
    public ActiveMessagesContext timeoutNs(final long value)
    {
        timeoutNs = value;
        return this;
    }

    /**
     * As set by {@link #timeoutNs(long)}.
     *
     * @return nanoseconds.
     */
    public long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * Gets the messages of the endpoint that belong to no channel. By default they are counted as refused.
     *
     * @param value listener.
     * @return this.
     */
    public ActiveMessagesContext otherMessages(final MessageListener value)
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
     * Hears of requests that get no answer. By default they are only counted.
     *
     * @param value listener.
     * @return this.
     */
    public ActiveMessagesContext failureListener(final FailureListener value)
    {
        failureListener = value;
        return this;
    }

    /**
     * As set by {@link #failureListener(FailureListener)}.
     *
     * @return the listener.
     */
    public FailureListener failureListener()
    {
        return failureListener;
    }

    /**
     * Gets what handlers throw. Default: prints the stack trace.
     *
     * @param value handler.
     * @return this.
     */
    public ActiveMessagesContext errorHandler(final ErrorHandler value)
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

    /**
     * Slows the messages of this rank down. All ranks that exchange messages need them, since the receiver holds messages back.
     * Default null: no knobs, and no cost. While a knob is set, calls that wait spin, so that times come out exactly.
     *
     * @param value knobs of the rank of the endpoint; the one that opened them closes them.
     * @return this.
     */
    public ActiveMessagesContext knobs(final LoggpKnobs value)
    {
        knobs = value;
        return this;
    }

    /**
     * As set by {@link #knobs(LoggpKnobs)}.
     *
     * @return the knobs, or null.
     */
    public LoggpKnobs knobs()
    {
        return knobs;
    }

    /** Checks all of it. */
    void conclude()
    {
        isSet("endpoint", endpoint);
        isSet("failureListener", failureListener);
        isSet("errorHandler", errorHandler);
        range("rankCount", rankCount, endpoint.rank() + 1L, Integer.MAX_VALUE);
        range("channel", channel, 1, Channel.MAX_ID);
        range("window", window, 1, MessageDescriptor.MAX_WINDOW);
        range("pollLimit", pollLimit, 1, Integer.MAX_VALUE);
        range("timeoutNs", timeoutNs, 1, Long.MAX_VALUE);
    }

    private static void isSet(final String what, final Object found)
    {
        if (found == null)
        {
            throw new IllegalArgumentException(what + " is missing: found=null; set it in ActiveMessagesContext");
        }
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
        return "ActiveMessagesContext{endpoint=" + endpoint + ", rankCount=" + rankCount + ", channel=" + channel + ", window=" +
            window + ", pollLimit=" + pollLimit + ", timeoutNs=" + timeoutNs + '}';
    }
}
