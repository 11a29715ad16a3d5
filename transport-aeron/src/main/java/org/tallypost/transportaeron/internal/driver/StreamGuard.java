// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import java.nio.ByteBuffer;
import org.agrona.collections.LongHashSet;
import org.tallypost.transportaeron.internal.handshake.GroupSecret;

/**
 * Lets streams to an embedded driver before the driver makes anything of them. For each stream that a SETUP frame of 40 bytes
 * announces a driver makes files, maps them, and looks after them for 10 s.
 *
 * <p>Half of the Aeron session of a node's stream is random, and the other half is the beginning of an HMAC-SHA-256 over that and
 * both nodes and the kind of the stream, with the group's secret. So the number of a stream tells whether its sender knows the
 * secret. That is no proof, as the numbers can be read on the way: the handshake follows. Of others {@value #MAX_VISITORS}
 * at a time are let in, each for the time of admission: a node with another secret is to be told of.
 *
 * <pre>
 *   31                            16 15                             0
 *  +--------------------------------+--------------------------------+
 *  |             random             |  tag: HMAC(stream, to, random) |
 *  +--------------------------------+--------------------------------+
 * </pre>
 *
 * For the driver's thread; the time is told.
 */
final class StreamGuard
{
    /** In tags of streams that go to all nodes. */
    static final int TO_ALL = -1;
    /** Streams without a tag that are let in at a time. */
    static final int MAX_VISITORS = 8;

    private static final int ROLE_SESSION = 'S';
    private static final int MAX_KNOWN = 4096;
    private static final int MISSING = 0;

    private final GroupSecret secret;
    private final int streamBase;
    private final int nodeCount;
    private final int ownNode;
    /** In the tags of streams that come here: this node, or all. */
    private final int receiver;
    private final long visitNs;
    private final LongHashSet known = new LongHashSet(MISSING);
    private final long[] visitors = new long[MAX_VISITORS];
    private final long[] visitedNs = new long[MAX_VISITORS];
    private final boolean[] isVisited = new boolean[MAX_VISITORS];
    private long last;
    private boolean hasLast;
    private volatile long refusedCount;

    /**
     * A guard.
     *
     * @param secret     of the group.
     * @param streamBase number of the stream of node 0.
     * @param nodeCount  of the group.
     * @param ownNode    that receives.
     * @param visitNs    for how long a stream without a tag is let in.
     */
    StreamGuard(
        final GroupSecret secret, final int streamBase, final int nodeCount, final int ownNode, final long visitNs)
    {
        this(secret, streamBase, nodeCount, ownNode, ownNode, visitNs);
    }

    /** The same for streams to a receiver, which may be all nodes. */
    StreamGuard(
        final GroupSecret secret, final int streamBase, final int nodeCount, final int ownNode, final int receiver,
        final long visitNs)
    {
        this.receiver = receiver;
        this.secret = secret;
        this.streamBase = streamBase;
        this.nodeCount = nodeCount;
        this.ownNode = ownNode;
        this.visitNs = visitNs;
    }

    /**
     * The session of a stream.
     *
     * @param secret of the group.
     * @param from   stream of messages of the node that sends, counted from that of node 0; of its bulk stream more by all nodes,
     *               of its stream of messages of high priority more by all nodes again.
     * @param to     node that receives.
     * @param random of which 16 bits count.
     * @return the session, with its tag.
     */
    static int session(final GroupSecret secret, final int from, final int to, final int random)
    {
        final byte[] said = ByteBuffer.allocate(2 * Integer.BYTES + Short.BYTES).putInt(from).putInt(to).putShort((short)random)
            .array();
        return random << Short.SIZE | ByteBuffer.wrap(secret.prove(ROLE_SESSION, said)).getShort() & 0xFFFF;
    }

    /**
     * Whether a datagram of a stream is handed on to the driver.
     *
     * @param stream  number of the stream.
     * @param session Aeron session.
     * @param nowNs   the time.
     * @return false if it is dropped.
     */
    boolean admits(final int stream, final int session, final long nowNs)
    {
        final long key = (long)stream << Integer.SIZE | session & 0xFFFF_FFFFL;
        if (hasLast && key == last || known.contains(key))
        {
            last = key;
            hasLast = true;
            return true;
        }
        final int from = stream - streamBase;
        if (from < 0 || from >= AeronSettings.STREAMS * nodeCount || from % nodeCount == ownNode)
        {
            // nobody has subscribed to it: the driver makes nothing of it
            return true;
        }
        if (session == session(secret, from, receiver, session >>> Short.SIZE))
        {
            if (known.size() >= MAX_KNOWN)
            {
                known.clear();
            }
            known.add(key);
            return true;
        }
        return visits(key, nowNs);
    }

    private boolean visits(final long key, final long nowNs)
    {
        int free = -1;
        for (int i = 0; i < MAX_VISITORS; i++)
        {
            if (isVisited[i] && nowNs - visitedNs[i] > visitNs)
            {
                isVisited[i] = false;
            }
            if (isVisited[i] && visitors[i] == key)
            {
                return true;
            }
            free = isVisited[i] ? free : i;
        }
        if (free < 0)
        {
            // one writer
            refusedCount = refusedCount + 1;
            return false;
        }
        visitors[free] = key;
        visitedNs[free] = nowNs;
        isVisited[free] = true;
        return true;
    }

    /** Datagrams that were dropped; any thread. */
    long refusedCount()
    {
        return refusedCount;
    }
}
