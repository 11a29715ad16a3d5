// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A message that waits for credits, with its bytes. It is used again, and its memory grows with what it holds. One thread. */
final class StoredMessage
{
    final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    int tag;
    int length;
    StoredMessage next;
    private byte[] memory = new byte[0];

    void set(
        final int itsTag, final DirectBuffer head, final int headLength, final DirectBuffer body, final int offset,
        final int count)
    {
        tag = itsTag;
        length = headLength + count;
        if (memory.length < length)
        {
            memory = new byte[Math.max(length, 2 * memory.length)];
            bytes.wrap(memory);
        }
        bytes.putBytes(0, head, 0, headLength);
        bytes.putBytes(headLength, body, offset, count);
    }

    /** Gives up memory that few messages need. */
    void trim(final int most)
    {
        if (memory.length > most)
        {
            memory = new byte[0];
            bytes.wrap(memory);
        }
    }
}
