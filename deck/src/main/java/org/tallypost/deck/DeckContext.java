// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import org.agrona.ErrorHandler;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.MessengerContext;

/** How a deck is set up. Setters return the context; {@link Deck#launch} concludes it. */
public final class DeckContext
{
    private static final int DEFAULT_FIRST_CONTEXT = 240;
    private static final int CONTEXTS = 3;
    private static final int DEFAULT_BUFFERS = 10;
    static final int MAX_BUFFERS = 1_024;
    private static final long DEFAULT_LARGE_BYTES = 1L << 28;
    private static final long DEFAULT_TIMEOUT_NS = 10_000_000_000L;

    private Endpoint endpoint;
    private int rankCount;
    private MessengerContext messenger;
    private int firstContext = DEFAULT_FIRST_CONTEXT;
    private int limit = SizeClass.DEFAULT_LIMIT;
    private int buffersPerClass = DEFAULT_BUFFERS;
    private long maxLargeBytes = DEFAULT_LARGE_BYTES;
    private boolean failWhenExhausted;
    private long timeoutNs = DEFAULT_TIMEOUT_NS;
    private boolean ownThread;
    private ErrorHandler errorHandler = Throwable::printStackTrace;

    /** A context with the defaults; {@link #endpoint} and {@link #rankCount} have to be set. */
    public DeckContext()
    {
    }

    /**
     * The endpoint that messages go by. The deck polls it.
     *
     * @param value endpoint.
     * @return this.
     */
    public DeckContext endpoint(final Endpoint value)
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
     * Number of ranks in the group of the endpoint. Each of them has a deck, as each keeps some of the names.
     *
     * @param value as {@link org.tallypost.endpoint.NodeContext#rankCount()}.
     * @return this.
     */
    public DeckContext rankCount(final int value)
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
     * Settings of the messenger that the deck launches. Default: its defaults. The deck sets endpoint and rank count. It needs
     * {@code maxRequests} of at least 2; with few of them messages wait until a receive has ended.
     *
     * @param value that is not concluded.
     * @return this.
     */
    public DeckContext messenger(final MessengerContext value)
    {
        messenger = value;
        return this;
    }

    /**
     * As set by {@link #messenger(MessengerContext)}.
     *
     * @return the settings, or null.
     */
    public MessengerContext messenger()
    {
        return messenger;
    }

    /**
     * First of three contexts of messages ({@link org.tallypost.messaging.Communicator#context()}), the same at all ranks.
     * Default 448.
     *
     * @param value from 1 to 509.
     * @return this.
     */
    public DeckContext firstContext(final int value)
    {
        firstContext = value;
        return this;
    }

    /**
     * As set by {@link #firstContext(int)}.
     *
     * @return number of a context.
     */
    public int firstContext()
    {
        return firstContext;
    }

    /**
     * Highest {@link SizeClass} that mail boxes of this deck have buffers of. Longer messages to them need a handshake. Default
     * 17: up to 131,064 bytes, and 2.5 MiB for each mail box.
     *
     * @param value from 3 to 20.
     * @return this.
     */
    public DeckContext limit(final int value)
    {
        limit = value;
        return this;
    }

    /**
     * As set by {@link #limit(int)}.
     *
     * @return a size class.
     */
    public int limit()
    {
        return limit;
    }

    /**
     * Buffers of each class that a mail box of this deck has, and so tokens that a process has to post to it. Default 10.
     *
     * @param value from 1 to 1,024.
     * @return this.
     */
    public DeckContext buffersPerClass(final int value)
    {
        buffersPerClass = value;
        return this;
    }

    /**
     * As set by {@link #buffersPerClass(int)}.
     *
     * @return number of buffers.
     */
    public int buffersPerClass()
    {
        return buffersPerClass;
    }

    /**
     * Most memory for large messages in all mail boxes of this deck, each counted with the next power of two. More wait at their
     * senders; a longer message than this is refused. Beside that, one used buffer of each class is kept. Default 256 MiB.
     *
     * @param value in bytes, at least 0.
     * @return this.
     */
    public DeckContext maxLargeBytes(final long value)
    {
        maxLargeBytes = value;
        return this;
    }

    /**
     * As set by {@link #maxLargeBytes(long)}.
     *
     * @return number of bytes.
     */
    public long maxLargeBytes()
    {
        return maxLargeBytes;
    }

    /**
     * What a post does that finds no token: fails as {@link DeckFailure#CLASS_EXHAUSTED} if true, once the owner has confirmed
     * it; waits if false, the default.
     *
     * @param value true to fail.
     * @return this.
     */
    public DeckContext failWhenExhausted(final boolean value)
    {
        failWhenExhausted = value;
        return this;
    }

    /**
     * As set by {@link #failWhenExhausted(boolean)}.
     *
     * @return true if posts fail.
     */
    public boolean failWhenExhausted()
    {
        return failWhenExhausted;
    }

    /**
     * Longest time that a call waits which is given none: create, clone, post. Default 10 s.
     *
     * @param value in nanoseconds, at least 1; {@link Deck#FOREVER} for no limit.
     * @return this.
     */
    public DeckContext timeoutNs(final long value)
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
     * Whether the deck starts a thread that works for it. Then each message passes from that thread to the one that retrieves it.
     * Default false: the thread that has launched the deck works for it, in calls that wait and in {@link Deck#doWork()}.
     *
     * @param value true for a thread.
     * @return this.
     */
    public DeckContext ownThread(final boolean value)
    {
        ownThread = value;
        return this;
    }

    /**
     * As set by {@link #ownThread(boolean)}.
     *
     * @return true for a thread.
     */
    public boolean ownThread()
    {
        return ownThread;
    }

    /**
     * Gets what the deck's own thread throws, and names that two ranks have. Default: prints the stack trace.
     *
     * @param value handler.
     * @return this.
     */
    public DeckContext errorHandler(final ErrorHandler value)
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
                " is missing: found=null; set it in DeckContext");
        }
        if (messenger != null)
        {
            range("messenger.maxRequests", messenger.maxRequests(), ReceiveRoom.LEAST, Integer.MAX_VALUE);
        }
        range("rankCount", rankCount, endpoint.rank() + 1L, 1 << 20);
        range("firstContext", firstContext, 1, 512 - CONTEXTS);
        range("limit", limit, SizeClass.MIN, SizeClass.MAX);
        range("buffersPerClass", buffersPerClass, 1, MAX_BUFFERS);
        range("maxLargeBytes", maxLargeBytes, 0, Long.MAX_VALUE);
        range("timeoutNs", timeoutNs, 1, Long.MAX_VALUE);
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
        return "DeckContext{endpoint=" + endpoint + ", rankCount=" + rankCount + ", firstContext=" + firstContext + ", limit=" +
            limit + ", buffersPerClass=" + buffersPerClass + ", maxLargeBytes=" + maxLargeBytes + ", failWhenExhausted=" +
            failWhenExhausted + ", timeoutNs=" + timeoutNs + ", ownThread=" + ownThread + '}';
    }
}
