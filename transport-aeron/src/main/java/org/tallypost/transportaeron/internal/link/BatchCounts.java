// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/** Batches that were taken of a stream, what was in them, and their bytes with headers. For the agent's thread. */
final class BatchCounts
{
    private long batches;
    private long frames;
    private long bytes;

    void add(final int frameCount, final int length)
    {
        batches++;
        frames += frameCount;
        bytes += length;
    }

    long batches()
    {
        return batches;
    }

    long frames()
    {
        return frames;
    }

    long bytes()
    {
        return bytes;
    }
}
