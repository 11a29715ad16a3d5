// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.BulkResult;

/**
 * What the negative results of operations on regions and loans mean. {@link Endpoint#PEER_GONE} and {@link Endpoint#CLOSED} mean
 * the same here as there. All others are refusals: nothing was done, but with {@link #LINK_DOWN}, and
 * {@link RegionMemory#refusedCount} counts them, but for {@link #BUSY}.
 */
public final class RegionResult
{
    /** The owner is on another node: loans are of one node, and the transport has no bulk stream for regions. */
    public static final long OTHER_NODE = BulkResult.OTHER_NODE;
    /** The key names no rank, no memory, or no entry of one. */
    public static final long UNKNOWN_KEY = BulkResult.UNKNOWN_KEY;
    /** The region was closed, or the loan is over: the key is of a former generation. */
    public static final long STALE = BulkResult.STALE;
    /** The region does not give this right. */
    public static final long NO_RIGHT = BulkResult.NO_RIGHT;
    /** Some of the bytes lie outside of the region, or of what the buffer of a get between nodes is by now. */
    public static final long OUT_OF_BOUNDS = BulkResult.OUT_OF_BOUNDS;
    /** The offset of an atomic operation is no multiple of 8. */
    public static final long MISALIGNED = BulkResult.MISALIGNED;
    /** The table or the file of the owner, or the own queue to other nodes, says what cannot be: open another memory. */
    public static final long DAMAGED = BulkResult.DAMAGED;
    /** The handle is attached to nothing. */
    public static final long NOT_ATTACHED = -40;
    /** The loan is another rank's. */
    public static final long NOT_BORROWER = -41;
    /** The loan was released before. */
    public static final long RELEASED = -42;
    /** The borrower has as many loans as it may have: wait for releases. */
    public static final long TOO_MANY_LOANS = -43;
    /** The memory has no free chunk as long, or the file system no room. */
    public static final long NO_ROOM = -44;
    /** Another handle of the borrower reads the loan, and releases it; or another rank has entered the region. */
    public static final long ALREADY_ATTACHED = -45;
    /**
     * The link to the owner's node was lost, or the process that carries packets between nodes, or the queue to that is damaged:
     * it is not known whether the operation was done, nor which of its bytes have arrived.
     */
    public static final long LINK_DOWN = BulkResult.LINK_DOWN;
    /** Too much is under way to another node, or another operation of this handle that finds something: poll, and try again. */
    public static final long BUSY = BulkResult.BUSY;

    private static final String[] TEXTS = {
        "the owner is on another node: loans are of one node, and regions need AeronTransport.bulkTermLength",
        "the key names no rank, no memory, or no entry of one",
        "the region was closed, or the loan is over",
        "the region does not give this right",
        "some of the bytes lie outside of the region",
        "the offset of an atomic operation is no multiple of 8",
        "the owner's table or file, or the own queue to other nodes, says what cannot be",
        "the handle is attached to nothing",
        "the loan is another rank's",
        "the loan was released before",
        "the borrower has as many loans as it may have: wait for releases",
        "the memory has no free chunk as long, or the file system no room",
        "another handle of the borrower reads the loan, or another rank has entered the region",
        "the link to the owner's node was lost: it is not known whether the operation was done",
        "too much is under way to another node: poll, and try again"};

    private RegionResult()
    {
    }

    /** Number of kinds of refusals. */
    static int count()
    {
        return TEXTS.length;
    }

    /** Index of a kind of refusal; negative if the result is none. */
    static int index(final long result)
    {
        final long index = OTHER_NODE - result;
        return index < 0 || index >= TEXTS.length ? -1 : (int)index;
    }

    /**
     * Says in words what a result means.
     *
     * @param result of an operation on a region or a loan.
     * @return the words.
     */
    public static String text(final long result)
    {
        final int index = index(result);
        return index < 0 ? Endpoint.errorString(result) : TEXTS[index];
    }
}
