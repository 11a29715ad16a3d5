// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.Multicast;

/**
 * A broadcast between nodes by multicast. The leader of one node sends its data to all others at once. Each says by a message how
 * many of them have come to it, in order: all; or fewer, when some are missing, or when it is asked. The sender asks if the
 * multicast does not get on: not all are connected, or many looks have found nothing new. The rest is sent to that node by
 * messages. So the sender knows at the end that all nodes have all data.
 *
 * <p>No clock, no waiting: each method does what can be done now.
 */
final class NodesMulticast
{
    /** Looks at all nodes, each after some idling, until a sender asks. */
    static final int MOST_LOOKS = 1_024;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Multicast multicast;
    private final NodesPath path;
    private final MulticastSending sending;
    private final MulticastReceiving receiving;
    private boolean isProbeSent;

    /** Of a leader that has met the others. It asks after so many looks. */
    NodesMulticast(final Multicast multicast, final NodesPath path, final int mostLooks)
    {
        this.multicast = multicast;
        this.path = path;
        sending = new MulticastSending(multicast, path, mostLooks);
        receiving = new MulticastReceiving(multicast, path);
    }

    /** Sends to all nodes that this one is there. Whether all have been heard. */
    boolean probe()
    {
        if (!isProbeSent)
        {
            isProbeSent = multicast.offer(path.links().head(PROBE, 0, 0, 0), HEAD_LENGTH, NOTHING, 0, 0) == 0;
        }
        multicast.work();
        boolean isAll = isProbeSent;
        for (int i = 0; i < path.count(); i++)
        {
            isAll &= i == path.map().node() || receiving.hears(i);
        }
        return isAll;
    }

    /** An operation begins. */
    void begin(final long operation, final long operations, final UnsafeBuffer data)
    {
        sending.begin(operation, operations, data);
        receiving.begin(operation, operations, data);
    }

    /** At the node that has the data. */
    MulticastSending sending()
    {
        return sending;
    }

    /** At the others. */
    MulticastReceiving receiving()
    {
        return receiving;
    }

    /** Grows whenever something was done. */
    long position()
    {
        return sending.position() + receiving.position();
    }

    void close()
    {
        multicast.close();
    }
}
