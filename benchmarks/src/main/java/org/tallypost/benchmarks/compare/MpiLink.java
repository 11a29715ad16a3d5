// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages as a program for MPI has them: sends that wait, and persistent receives that are tested and started again, as many as
 * {@link MatchedLink} has posted.
 */
final class MpiLink implements Link
{
    private final Intracomm comm;
    private final int destination;
    private final Prequest[] receives;
    private final UnsafeBuffer rooms;
    private final int stride;
    private final int length;
    private int nextReceive;

    MpiLink(final Intracomm comm, final LinkSpec spec, final int party) throws MPIException
    {
        this.comm = comm;
        destination = party == 0 ? 1 : 0;
        receives = new Prequest[MatchedLink.receiveCount(spec, party)];
        stride = MatchedLink.stride(spec);
        length = spec.length();
        final ByteBuffer memory = BufferUtil.allocateDirectAligned(Math.max(1, receives.length) * stride, 128);
        rooms = new UnsafeBuffer(memory);
        for (int i = 0; i < receives.length; i++)
        {
            receives[i] = comm.recvInit(MPI.slice(memory, i * stride), spec.length(), MPI.BYTE, destination, 0);
            receives[i].start();
        }
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int bytesToSend)
    {
        final ByteBuffer bytes = buffer.byteBuffer();
        try
        {
            comm.Send(bytes == null ? buffer.byteArray() : bytes, buffer.wrapAdjustment() + offset, bytesToSend, MPI.BYTE,
                destination, 0);
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
        return true;
    }

    @Override
    public int poll(final Inlet inlet, final int limit)
    {
        int count = 0;
        try
        {
            while (count < limit && receives[nextReceive].test())
            {
                inlet.onMessage(rooms, nextReceive * stride, length);
                receives[nextReceive].start();
                nextReceive = nextReceive + 1 == receives.length ? 0 : nextReceive + 1;
                count++;
            }
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
        return count;
    }
}
