// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;

/** Counts what a rank does with memory of other nodes. When its endpoint is closed the words may be another incarnation's. */
final class BulkCounts
{
    private final Endpoint endpoint;
    private final CounterWords words;

    BulkCounts(final Node node, final Endpoint endpoint)
    {
        this.endpoint = endpoint;
        words = node.local().runtime().group().counters(endpoint.rank());
    }

    /** Whether the endpoint is closed. */
    boolean isOver()
    {
        return endpoint.isClosed();
    }

    void onAsked(final int underWay)
    {
        words.addPlain(CountersDescriptor.BULK_OPERATIONS_OFFSET, 1);
        pending(underWay);
    }

    void onDone(final long result, final int length, final int underWay)
    {
        if (!isOver())
        {
            words.addPlain(result < 0 ? CountersDescriptor.BULK_REFUSED_OFFSET : CountersDescriptor.BULK_BYTES_OFFSET,
                result < 0 ? 1 : length);
            pending(underWay);
        }
    }

    void pending(final int count)
    {
        if (!isOver())
        {
            words.set(CountersDescriptor.BULK_PENDING_OFFSET, count);
        }
    }
}
