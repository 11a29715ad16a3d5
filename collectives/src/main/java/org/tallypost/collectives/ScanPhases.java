// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A scan in each node, and a reduction to its leader; a scan of the nodes before each one; and a broadcast of that in each node,
 * which each member puts in front of its own.
 */
final class ScanPhases extends PortionPhases
{
    private final Scan operation;
    private final Scan inner;
    private final Reduce total;
    private final Broadcast before;
    private final LeaderMemory blocks = new LeaderMemory();
    private final LeaderMemory prefix = new LeaderMemory();
    private final LeaderMemory operands = new LeaderMemory();

    ScanPhases(final NodesPath path, final Scan operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newScan(operation.type(), operation.reducer(), operation.isExclusive());
        total = path.inner().newReduce(operation.type(), operation.reducer());
        before = path.inner().newBroadcast();
    }

    @Override
    void require()
    {
        lengthOf(3, operation.in().capacity());
    }

    @Override
    boolean step(final int number)
    {
        final int length = operation.in().capacity();
        final int count = length / operation.unit();
        switch (number)
        {
            case 0:
                // a copy: the scan may write over what the reduction reads
                final UnsafeBuffer copy = operands.of(length);
                copy.putBytes(0, operation.in(), 0, length);
                salted(inner).start(copy, 0, operation.out(), 0, count);
                inside(inner);
                return true;
            case 1:
                salted(total).start(
                    0, operands.buffer(), 0, isLeader() ? blocks.of(3 * length) : NOTHING, 0, count);
                inside(total);
                return true;
            case 2:
                if (isLeader())
                {
                    path().moves().scan(blocks.buffer(), operation, length);
                    between();
                }
                return true;
            case 3:
                if (map().node() > 0)
                {
                    final UnsafeBuffer found = prefix.of(length);
                    if (isLeader())
                    {
                        found.putBytes(0, blocks.buffer(), length, length);
                    }
                    salted(before).start(0, found, 0, length);
                    inside(before);
                }
                return true;
            case 4:
                putInFront(length, count);
                return true;
            default:
                return false;
        }
    }

    private void putInFront(final int length, final int count)
    {
        if (map().node() > 0 && length > 0)
        {
            final UnsafeBuffer found = prefix.buffer();
            if (!operation.isExclusive() || !isLeader())
            {
                operation.reducer().reduce(operation.type(), found, 0, operation.out(), 0, count);
            }
            operation.out().putBytes(0, found, 0, length);
        }
    }
}
