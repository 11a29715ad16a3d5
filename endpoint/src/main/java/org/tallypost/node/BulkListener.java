// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

/** Hears what has come of operations of a {@link BulkQueue}, within {@link BulkQueue#poll}. Must not throw. */
public interface BulkListener
{
    /**
     * An operation is over. The bytes of a get are in their buffer.
     *
     * @param result 0 or more as the operation says, one of {@link org.tallypost.endpoint.transport.BulkResult}, or
     *               {@link org.tallypost.endpoint.Endpoint#PEER_GONE}.
     * @param value  that a word had before, or that was asked for; 0 for operations that find none.
     */
    void onDone(long result, long value);
}
