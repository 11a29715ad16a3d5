// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** Another node of a team: by which session it is met, what is owed to it. */
final class NodePeer
{
    private final int rank;
    private final SendingWindow sending = new SendingWindow();
    private final ReceivingWindow receiving = new ReceivingWindow();
    private final NodeLiveness liveness = new NodeLiveness();
    private final NodeWaits waits = new NodeWaits();
    private long session;
    private long echoed;
    private boolean isMet;
    private boolean isHelloOwed = true;
    private boolean isFailureOwed;
    private boolean isFarewellSent;
    private long askedOperation = -1;

    NodePeer(final int rank)
    {
        this.rank = rank;
    }

    /** Rank of the member that speaks for the node. */
    int rank()
    {
        return rank;
    }

    /** What is under way to it. */
    SendingWindow sending()
    {
        return sending;
    }

    /** What has come from it. */
    ReceivingWindow receiving()
    {
        return receiving;
    }

    /** Whether it is there still. */
    NodeLiveness liveness()
    {
        return liveness;
    }

    /** How the node wants to be called; 0 before its hello. */
    long session()
    {
        return session;
    }

    /** It has said hello, and knows this node's session or not. */
    void meet(final long theirs, final int theirIncarnation, final boolean knowsThis)
    {
        liveness.meet(theirIncarnation, theirs != session);
        if (theirs != session)
        {
            session = theirs;
            sending.reset();
            receiving.reset();
            waits.forget();
            askedOperation = -1;
        }
        isMet = knowsThis;
        isHelloOwed |= !knowsThis || echoed != theirs;
    }

    /** Whether both know the session of the other, or will when they look. */
    boolean isMet()
    {
        return isMet && !isHelloOwed;
    }

    boolean isHelloOwed()
    {
        return isHelloOwed;
    }

    void helloSent()
    {
        isHelloOwed = false;
        echoed = session;
    }

    /** Whether something is owed to the other node that could not be sent when it was tried. */
    boolean isOwed()
    {
        return isHelloOwed || isFailureOwed || receiving.isConsumedOwed();
    }

    boolean isFailureOwed()
    {
        return isFailureOwed;
    }

    void failureOwed(final boolean isOwed)
    {
        isFailureOwed = isOwed;
    }

    /** It was told that this node has left. */
    void farewellSent()
    {
        isFarewellSent = true;
    }

    boolean isFarewellSent()
    {
        return isFarewellSent;
    }

    /** It waits for this node in an operation. */
    void waits(final long operation, final long operations, final int votes)
    {
        waits.heard(operation, operations, votes);
    }

    /** The last operation in which it has said that it waits; -1 for none. */
    long waitingOperation()
    {
        return waits.operation();
    }

    /** All operations up to that one, as it has them. */
    long waitingOperations()
    {
        return waits.operations();
    }

    /** How many agreements it had voted in before it came to that one. */
    int waitingVotes()
    {
        return waits.votes();
    }

    /** Whether it was told that this node waits for it in an operation. */
    boolean isTold(final long operation)
    {
        return waits.isTold(operation);
    }

    void told(final long operation)
    {
        waits.told(operation);
    }

    /** That this node waits for it in an operation could not be sent. */
    void untold(final long operation)
    {
        waits.untold(operation);
    }

    /** Whether it should have been told that this node waits for it in an operation, and could not be. */
    boolean isUntold(final long operation)
    {
        return waits.isUntold(operation);
    }

    /** It wants to know what has come of an operation's multicast. */
    void asks(final long operation)
    {
        askedOperation = operation;
    }

    /** Whether it wants to know that. */
    boolean isAsking(final long operation)
    {
        return askedOperation == operation;
    }

    @Override
    public String toString()
    {
        return "node of rank " + rank + ", " + sending + ", " + receiving;
    }
}
