// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/** The ranks of a node meet by its shared files, and wake one another by messages of no bytes. */
final class NodeMeeting implements Meeting
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Node node;
    private final Endpoint endpoint;
    private final int tag;

    NodeMeeting(final Node node, final Endpoint endpoint, final Channel channel)
    {
        this.node = node;
        this.endpoint = endpoint;
        tag = channel.tag(0);
    }

    @Override
    public int rank()
    {
        return endpoint.rank();
    }

    @Override
    public int incarnation()
    {
        return endpoint.epoch();
    }

    @Override
    public long rankState(final int rank)
    {
        return endpoint.rankState(rank);
    }

    @Override
    public void wake(final int rank)
    {
        // what cannot be sent now is made up for by the sleeper, which looks again after some milliseconds
        endpoint.offer(rank, tag, NOTHING, 0, 0);
    }

    @Override
    public long send(
        final int rank, final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset,
        final int length)
    {
        return endpoint.offer(rank, tag, head, 0, headLength, data, offset, length);
    }

    @Override
    public Place create(final String name, final long length)
    {
        return new NodePlace(node.createShared(name, length));
    }

    @Override
    public Place tryAttach(final String name)
    {
        final SharedFile found = node.tryAttachShared(name);
        return found == null ? null : new NodePlace(found);
    }

    @Override
    public long process()
    {
        return LocalMemory.PROCESS;
    }

    @Override
    public MemoryTable.Files memories(final String team)
    {
        return new MemoryTable.Files()
        {
            @Override
            public SharedFile create(final String suffix, final long length)
            {
                return node.createShared(team + "-" + suffix, length);
            }

            @Override
            public SharedFile tryAttach(final String suffix)
            {
                return node.tryAttachShared(team + "-" + suffix);
            }
        };
    }

    /** A shared file of the node. */
    private static final class NodePlace implements Place
    {
        private final SharedFile file;

        private NodePlace(final SharedFile file)
        {
            this.file = file;
        }

        @Override
        public String path()
        {
            return file.file().getPath();
        }

        @Override
        public AtomicBuffer buffer()
        {
            return file.buffer();
        }

        @Override
        public void close()
        {
            file.close();
        }
    }
}
