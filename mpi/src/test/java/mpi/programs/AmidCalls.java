// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.Request;
import mpi.Win;

/** The last rank aborts while the others wait: for messages, operations of all ranks, requests, and parts of a window. */
public final class AmidCalls
{
    private AmidCalls()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        final int rank = MPI.COMM_WORLD.getRank();
        final int size = MPI.COMM_WORLD.getSize();
        final int next = (rank + 1) % size;
        final Win window = new Win(MPI.newByteBuffer(Long.BYTES), Long.BYTES, 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        window.fence(0);
        if (rank == size - 1)
        {
            MPI.COMM_WORLD.abort(7);
        }
        final ByteBuffer item = MPI.newByteBuffer(Integer.BYTES);
        switch (rank % 5)
        {
            case 0:
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, next, 0);
                break;
            case 1:
                MPI.COMM_WORLD.barrier();
                break;
            case 2:
                MPI.COMM_WORLD.iRecv(item, 1, MPI.INT, next, 0).waitFor();
                break;
            case 3:
                window.fence(0);
                break;
            default:
                final Request request = MPI.COMM_WORLD.iRecv(item, 1, MPI.INT, next, 0);
                while (!request.test())
                {
                    Thread.onSpinWait();
                }
        }
    }
}
