// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.agrona.DirectBuffer;

/**
 * Takes messages of two parts, one behind the other.
 */
@FunctionalInterface
public interface BulkSink
{
    /**
     * A message is ready. All of it is taken, or nothing. Both buffers are used again when this returns.
     *
     * @param head       that holds the first part.
     * @param headLength of it in bytes; it begins at 0.
     * @param body       that holds the second part; null if there is none.
     * @param bodyOffset in bytes.
     * @param bodyLength in bytes, 0 if there is none.
     * @return 0 or more if it was taken; else it is offered again later.
     */
    long offer(DirectBuffer head, int headLength, DirectBuffer body, int bodyOffset, int bodyLength);
}
