// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.agrona.DirectBuffer;

/** A frame of a bulk stream, taken apart, or to be written: {@link BulkDescriptor}. Used again; for one thread. */
public final class BulkFrame
{
    public int type;
    public boolean isLast;
    public int length;
    public long number;
    public long owner;
    public long entry;
    public long at;
    public long first;
    public long second;
    /** That holds the bytes, if there are any. */
    public DirectBuffer bytes;
    /** Of the bytes. */
    public int offset;

    /** All that an answer has. */
    public BulkFrame answer(final int answerType, final long operation)
    {
        type = answerType;
        isLast = false;
        number = operation;
        length = 0;
        owner = 0;
        entry = 0;
        at = 0;
        first = 0;
        second = 0;
        return this;
    }
}
