// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Which operations a member of a team of several nodes has begun, in their order: nodes that call differing ones are found out.
 * The last ones are remembered, to be compared with those of nodes that come to them later.
 */
final class OperationOrder
{
    private static final int HISTORY = 64;

    private final long[] history = new long[HISTORY];
    private long operations;
    private long sequence;

    /** An operation begins behind those that are done. */
    void begin(final Operation operation)
    {
        operations = OperationIdentity.mix(operations ^ operation.plan().passed());
        history[(int)sequence & HISTORY - 1] = operations;
    }

    /** The operation under way is done. Returns its number. */
    long finish()
    {
        return sequence++;
    }

    /** Number of the operation under way, or of the next one. */
    long sequence()
    {
        return sequence;
    }

    /** All operations up to the one under way, as one number. */
    long operations()
    {
        return operations;
    }

    /** What all operations up to the one under way are, mixed, and the phase: so that differing members of a node meet. */
    long salt(final int phase)
    {
        return OperationIdentity.mix(operations ^ phase + 1);
    }

    /** Whether a node waits in another operation than this member is in, or was, under the same number. */
    boolean isOther(final NodeLinks links, final int node, final boolean isUnderWay)
    {
        final NodePeer peer = links.peer(node);
        final long number = peer.waitingOperation();
        final boolean isKnown = isUnderWay ? number <= sequence : number < sequence;
        return number >= 0 && isKnown && number > sequence - HISTORY &&
            peer.waitingOperations() != history[(int)number & HISTORY - 1];
    }

    /** Whether a node waits in the operation that this member begins next. */
    boolean isNext(final NodeLinks links, final int node)
    {
        return links.peer(node).waitingOperation() == sequence;
    }
}
