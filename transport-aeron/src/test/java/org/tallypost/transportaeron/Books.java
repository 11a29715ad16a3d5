// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.nio.MappedByteBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.TransportEvent;

/** What was sent, received and told for each pair, in a file that all processes of a test share and that outlives them. */
final class Books implements AutoCloseable
{
    /** Messages that were accepted. */
    static final int SENT = 0;
    static final int RECEIVED = 1;
    /** Number of the last message received. */
    static final int LAST = 2;
    /** Messages told as not known to be received. */
    static final int TOLD = 3;
    /** When a sender was told first that the receiver is gone, ns; 0 before. */
    static final int GONE_NS = 4;
    /** Messages that were not as sent, came twice, or behind later ones. */
    static final int WRONG = 5;
    /** How often a rank was started. */
    static final int STARTS = 6;
    /** How often a sender was told that the receiver is gone, after it was there. */
    static final int GONE = 7;
    /** How often a rank was closed to be opened again. */
    static final int REOPENED = 8;
    /** Messages of high priority that were received; {@link #RECEIVED} has them too. */
    static final int HIGH_RECEIVED = 9;
    /** Number of the last one of these. */
    static final int HIGH_LAST = 10;
    private static final int FIELDS = 11;
    private static final int STOP = 0;
    private static final int CARRIER = 1;
    private static final int REFUSALS = 8;
    private static final int EVENTS = 16;
    private static final int KINDS = 8;
    private static final int HEADER = 64;

    private final int ranks;
    private final MappedByteBuffer mapping;
    private final UnsafeBuffer buffer;

    Books(final File file, final int ranks, final boolean isNew)
    {
        this.ranks = ranks;
        final long length = (HEADER + (long)FIELDS * ranks * ranks) * Long.BYTES;
        mapping = isNew ? IoUtil.mapNewFile(file, length) : IoUtil.mapExistingFile(file, "books");
        buffer = new UnsafeBuffer(mapping);
    }

    private int offset(final int field, final int local, final int peer)
    {
        return (HEADER + (field * ranks + local) * ranks + peer) * Long.BYTES;
    }

    long get(final int field, final int local, final int peer)
    {
        return buffer.getLongVolatile(offset(field, local, peer));
    }

    void add(final int field, final int local, final int peer, final long value)
    {
        buffer.getAndAddLong(offset(field, local, peer), value);
    }

    void set(final int field, final int local, final int peer, final long value)
    {
        buffer.putLongVolatile(offset(field, local, peer), value);
    }

    void stop(final boolean isStopped)
    {
        buffer.putLongVolatile(STOP * Long.BYTES, isStopped ? 1 : 0);
    }

    boolean isStopped()
    {
        return buffer.getLongVolatile(STOP * Long.BYTES) != 0;
    }

    /** The process that carries the packets of a node: its pid. */
    void carrier(final int node, final long pid)
    {
        buffer.putLongVolatile((CARRIER + node) * Long.BYTES, pid);
    }

    long carrier(final int node)
    {
        return buffer.getLongVolatile((CARRIER + node) * Long.BYTES);
    }

    /** A process was told that there is no room for a file. */
    void countRefusal()
    {
        buffer.getAndAddLong(REFUSALS * Long.BYTES, 1);
    }

    long refusals()
    {
        return buffer.getLongVolatile(REFUSALS * Long.BYTES);
    }

    /** A process of a node was told something about a link. */
    void count(final int node, final TransportEvent.Kind kind)
    {
        buffer.getAndAddLong((EVENTS + node * KINDS + kind.ordinal()) * Long.BYTES, 1);
    }

    long counted(final int node, final TransportEvent.Kind kind)
    {
        return buffer.getLongVolatile((EVENTS + node * KINDS + kind.ordinal()) * Long.BYTES);
    }

    String pair(final int source, final int dest)
    {
        return source + "->" + dest + ": sent=" + get(SENT, source, dest) + ", received=" + get(RECEIVED, dest, source) +
            ", told=" + get(TOLD, source, dest);
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("books");
        for (int source = 0; source < ranks; source++)
        {
            for (int dest = 0; dest < ranks; dest++)
            {
                text.append(source == dest ? "" : "; " + pair(source, dest));
            }
        }
        return text.toString();
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapping);
    }
}
