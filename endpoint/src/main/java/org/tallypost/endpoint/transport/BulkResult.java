// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

/**
 * What the negative results of operations on memory of ranks of other nodes mean. All but {@link #LINK_DOWN} and {@link #BUSY}
 * say that nothing was done.
 */
public final class BulkResult
{
    /** The owner is on another node, and the transport has no bulk stream. */
    public static final long OTHER_NODE = -33;
    /** The key names no rank, no memory, or no entry of one. */
    public static final long UNKNOWN_KEY = -34;
    /** The region was closed, or the key is of a former generation. */
    public static final long STALE = -35;
    /** The region does not give this right. */
    public static final long NO_RIGHT = -36;
    /** Some of the bytes lie outside of the region. */
    public static final long OUT_OF_BOUNDS = -37;
    /** The offset of an operation on a word is no multiple of 8. */
    public static final long MISALIGNED = -38;
    /** A table, a file or a message says what cannot be. */
    public static final long DAMAGED = -39;
    /** The link was lost, or there is none: whether the operation was done, and which of its bytes have arrived, is not known. */
    public static final long LINK_DOWN = -46;
    /** As many operations are under way as may be: poll, and try again. */
    public static final long BUSY = -47;

    private BulkResult()
    {
    }

    /**
     * Whether a node that was asked may answer so.
     *
     * @param result from a network.
     * @return false if it is none of the refusals.
     */
    public static boolean isRefusal(final long result)
    {
        return result <= UNKNOWN_KEY && result >= DAMAGED;
    }
}
