// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An operation of a rank of this node on memory of a rank of another node, as the transport is handed it. It was copied out of
 * shared memory and checked against it; what it says of the other node's memory is for that node to check. For the transport's
 * thread.
 */
public final class BulkOperation
{
    /** Writes bytes; then adds 1 to a counter, if {@link #first} is its offset and not negative. */
    public static final int PUT = 1;
    /** Reads bytes. */
    public static final int GET = 2;
    /** Adds {@link #first} to a word. */
    public static final int ADD = 3;
    /** Sets a word to {@link #first}. */
    public static final int SET = 4;
    /** Sets a word to {@link #second} if it is {@link #first}. */
    public static final int COMPARE = 5;
    /** Reads a word with acquire semantics. */
    public static final int LOAD = 6;
    /** Writes {@link #first} into a word with release semantics. */
    public static final int STORE = 7;
    /** Asks for length and rights of a region. */
    public static final int LOOK_UP = 8;

    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    /** One of the kinds. */
    public int kind;
    /** Queue that it came by: a number that no other queue of this process had. */
    public int queue;
    /** Number of the operation in its queue. */
    public long number;
    /** Rank (32 bits) and epoch (32) of the memory's owner, not checked. */
    public long owner;
    /** Entry (32 bits) and generation (32) of the region, not checked. */
    public long entry;
    /** Offset in the region in bytes, not checked. */
    public long at;
    /** As the kind says. */
    public long first;
    /** As the kind says. */
    public long second;
    /** Bytes to be written or read. */
    public int length;
    /** Bytes of a put that were sent. The transport's own. */
    public int progress;
    /** Link that it was begun on; 0 if it was not begun. The transport's own. */
    public long link;
    /** Its number on that link. The transport's own. */
    public long linkNumber;

    /** An operation of no kind. */
    public BulkOperation()
    {
    }

    /**
     * Bytes of a put: memory that may change meanwhile.
     *
     * @return the buffer, to be wrapped by the port alone.
     */
    public DirectBuffer bytes()
    {
        return bytes;
    }

    /**
     * Says where the bytes of a put are. For the port.
     *
     * @param buffer    that holds them.
     * @param offset    of them.
     * @param available of them.
     */
    public void wrap(final DirectBuffer buffer, final int offset, final int available)
    {
        bytes.wrap(buffer, offset, available);
    }

    /**
     * Rank that the memory belongs to.
     *
     * @return the rank, not checked.
     */
    public int rank()
    {
        return (int)(owner >>> Integer.SIZE);
    }

    /**
     * Whether a kind is one of these.
     *
     * @param kind from shared memory or a network.
     * @return false if it is not.
     */
    public static boolean isKind(final int kind)
    {
        return kind >= PUT && kind <= LOOK_UP;
    }
}
