// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;

/** A request as its server sees it. Valid until the listener returns; what is to be answered later is kept. */
public final class ServedRequest
{
    private final Server server;
    private int source;
    private long correlation;
    private boolean isOpen;

    ServedRequest(final Server server)
    {
        this.server = server;
    }

    void open(final int fromRank, final long itsCorrelation)
    {
        source = fromRank;
        correlation = itsCorrelation;
        isOpen = true;
    }

    /** True if it was neither answered nor kept. */
    boolean close()
    {
        final boolean wasOpen = isOpen;
        isOpen = false;
        return wasOpen;
    }

    /**
     * Rank of the client.
     *
     * @return the rank.
     */
    public int source()
    {
        return source;
    }

    /**
     * Answers. The answer waits for credits, if it has to, without holding anything up.
     *
     * @param buffer that holds the answer; it may be used again when this returns.
     * @param offset of the answer in bytes.
     * @param length of the answer in bytes, at most {@link Services#MAX_LENGTH}.
     * @return true if it is on its way; false if {@link ServicesContext#maxStored(int)} messages wait already: the request is
     *         open still, and may be kept.
     * @throws IllegalStateException     if the request was answered or kept, or its listener has returned.
     * @throws IndexOutOfBoundsException if the answer lies outside its buffer.
     * @throws IllegalArgumentException  if it is too long.
     */
    public boolean answer(final DirectBuffer buffer, final int offset, final int length)
    {
        check();
        isOpen = !server.answer(source, correlation, buffer, offset, length);
        return !isOpen;
    }

    /**
     * Keeps the request, to be answered later.
     *
     * @return what {@link Services#answer} takes.
     * @throws IllegalStateException as {@link #answer}.
     */
    public KeptRequest keep()
    {
        check();
        isOpen = false;
        return new KeptRequest(source, correlation, server.incarnation(source));
    }

    private void check()
    {
        if (!isOpen)
        {
            throw new IllegalStateException("a request is answered or kept once, before its listener returns: this one of rank " +
                source + " was, or its listener has returned");
        }
    }
}
