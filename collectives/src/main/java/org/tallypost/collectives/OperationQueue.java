// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** The operations of one member that were started and are not done, in the order of their start. */
final class OperationQueue
{
    private Operation head;
    private Operation tail;

    /** The one under way; null if there is none. */
    Operation head()
    {
        return head;
    }

    void add(final Operation operation)
    {
        if (head == null)
        {
            head = operation;
        }
        else
        {
            tail.next(operation);
        }
        tail = operation;
    }

    Operation removeHead()
    {
        final Operation removed = head;
        head = removed.next();
        removed.next(null);
        return removed;
    }
}
