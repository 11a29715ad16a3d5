// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** A broadcast in the root's node, if the root is not its leader; then between the nodes; then in the nodes. */
final class BroadcastPhases extends Phases
{
    private final Broadcast operation;
    private final Broadcast inner;

    BroadcastPhases(final NodesPath path, final Broadcast operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newBroadcast();
    }

    @Override
    boolean step(final int number)
    {
        final boolean isFromHere = isBehindLeader(operation.root());
        if (number == 0 && isFromHere || number == 2 && !isFromHere)
        {
            salted(inner).start(isFromHere ? map().localOf(operation.root()) : 0, operation.data(), 0,
                operation.data().capacity());
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().broadcast(operation.data(), map().nodeOf(operation.root()));
            between();
        }
        return number < 3;
    }
}
