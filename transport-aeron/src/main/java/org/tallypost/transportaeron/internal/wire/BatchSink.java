// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.agrona.DirectBuffer;

/**
 * Takes whole batches.
 */
@FunctionalInterface
public interface BatchSink
{
    /**
     * A batch is ready. All of it is taken, or nothing.
     *
     * @param buffer that holds it; it is used again when this returns.
     * @param offset in bytes.
     * @param length in bytes.
     * @return 0 or more if it was taken; else it is offered again later.
     */
    long offer(DirectBuffer buffer, int offset, int length);
}
