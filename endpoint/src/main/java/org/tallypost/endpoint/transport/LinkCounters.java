// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The counters of one link in shared memory. The thread of the transport's agent writes them, and any thread of any process reads
 * them: each by itself, so that two may be of different moments.
 */
public final class LinkCounters
{
    private final UnsafeBuffer buffer;
    private final int base;

    /**
     * Counters in a buffer.
     *
     * @param buffer of the node's file.
     * @param base   offset of the link's counters, a multiple of 8.
     */
    public LinkCounters(final UnsafeBuffer buffer, final int base)
    {
        this.buffer = buffer;
        this.base = base;
    }

    /**
     * Reads a counter (acquire).
     *
     * @param counter to read.
     * @return its value.
     */
    public long get(final LinkCounter counter)
    {
        return buffer.getLongAcquire(base + counter.offset());
    }

    /**
     * Sets a counter (release). For the agent's thread.
     *
     * @param counter to set.
     * @param value   of it.
     */
    public void set(final LinkCounter counter, final long value)
    {
        buffer.putLongRelease(base + counter.offset(), value);
    }
}
