// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.concurrent.atomic.AtomicReference;

/** What other threads hand over to the thread of a deck: operations that begin, and buffers that were cleared. */
final class HandOver
{
    private final AtomicReference<Operation> operations = new AtomicReference<>();
    private final AtomicReference<PooledBuffer> buffers = new AtomicReference<>();

    /** Any thread. */
    void add(final Operation operation)
    {
        do
        {
            operation.next = operations.get();
        }
        while (!operations.compareAndSet(operation.next, operation));
    }

    /** Any thread. */
    void add(final PooledBuffer buffer)
    {
        do
        {
            buffer.next = buffers.get();
        }
        while (!buffers.compareAndSet(buffer.next, buffer));
    }

    /** All operations, the first one that was added first; null if there is none. */
    Operation takeOperations()
    {
        if (operations.get() == null)
        {
            return null;
        }
        Operation turned = null;
        for (Operation each = operations.getAndSet(null); each != null;)
        {
            final Operation next = each.next;
            each.next = turned;
            turned = each;
            each = next;
        }
        return turned;
    }

    /** All buffers, in any order; null if there is none. */
    PooledBuffer takeBuffers()
    {
        return buffers.get() == null ? null : buffers.getAndSet(null);
    }
}
