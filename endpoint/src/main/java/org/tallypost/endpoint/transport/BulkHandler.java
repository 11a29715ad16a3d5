// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

/** What a transport does with the operations of the ranks of its node, on its own thread, within {@link BulkPort#poll}. */
public interface BulkHandler
{
    /**
     * Takes an operation, or some of it.
     *
     * @param operation that is the next one of its queue; the same object until it is done.
     * @return whether it needs nothing more from the operation; if not, it is handed the same one at the next poll.
     */
    boolean onOperation(BulkOperation operation);

    /**
     * A queue is gone: no operation of it comes any more, also not the rest of one that was begun.
     *
     * @param queue number of it.
     */
    void onQueueGone(int queue);
}
