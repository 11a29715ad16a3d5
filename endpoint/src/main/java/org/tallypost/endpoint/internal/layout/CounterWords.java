// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The counters of one rank in the group file ({@link CountersDescriptor}). One thread writes each, but for the shared ones, and
 * any thread reads them.
 */
public final class CounterWords
{
    private final UnsafeBuffer buffer;
    private final int base;

    /**
     * Counters in a buffer.
     *
     * @param buffer of the group file.
     * @param base   offset of the rank's counters.
     */
    public CounterWords(final UnsafeBuffer buffer, final int base)
    {
        this.buffer = buffer;
        this.base = base;
    }

    /** Reads a counter (acquire). */
    public long get(final int offset)
    {
        return buffer.getLongAcquire(base + offset);
    }

    /** Sets a counter (release), for the one thread that writes it. */
    public void set(final int offset, final long value)
    {
        buffer.putLongRelease(base + offset, value);
    }

    /** A counter by itself, for the one thread that writes it with every message. */
    public UnsafeBuffer word(final int offset)
    {
        return new UnsafeBuffer(buffer, base + offset, Long.BYTES);
    }

    /** Adds to a counter that several threads write. */
    public void add(final int offset, final long value)
    {
        buffer.getAndAddLong(base + offset, value);
    }

    /** Adds without a lock prefix: for the one thread that writes this counter. */
    public void addPlain(final int offset, final long value)
    {
        buffer.putLongRelease(base + offset, buffer.getLong(base + offset) + value);
    }
}
