// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.programs.Checks;

/**
 * What goes on in the background at rank 0, and has trouble. Argument: "drops", rank 1 sends to a window what is no message of
 * one; "gone", rank 1 ends before it has what it has asked for; "freed", a request fails that nobody waits for. For two
 * ranks.
 */
public final class WindowListener
{
    private static final int[] LENGTHS = { 0, 3, 31, 32, 1_000, WindowMessage.MAX_LENGTH, 2 * WindowMessage.MAX_LENGTH };
    private static final int FETCHES = 64;

    private WindowListener()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        final int rank = MPI.COMM_WORLD.getRank();
        // private memory: what is done with it goes by messages
        final IntBuffer part =
            ByteBuffer.allocateDirect(WindowMessage.MAX_DATA).order(ByteOrder.nativeOrder()).asIntBuffer();
        final Win window = new Win(part, part.capacity(), 1, MPI.INFO_NULL, MPI.COMM_WORLD);
        if ("drops".equals(words[0]))
        {
            drop(window, rank, part);
            window.free();
            Checks.complete();
            MPI.Finalize();
            return;
        }
        if (rank == 1 && "gone".equals(words[0]))
        {
            fetchAndEnd(window);
        }
        else if (rank == 1)
        {
            MPI.COMM_WORLD.send(new int[2], 2, MPI.INT, 0, 1);
        }
        else if ("freed".equals(words[0]))
        {
            MPI.COMM_WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 1).free();
        }
        while (true)
        {
            // until rank 0 ends the job
            window.world().turn();
        }
    }

    /** Asks for more than fits between two ranks. */
    private static void fetchAndEnd(final Win window) throws MPIException
    {
        final byte[] bytes = new byte[WindowMessage.lengthOf(1, 0)];
        final WindowMessage message = new WindowMessage(bytes);
        message.head(WindowMessage.UPDATE, true, WindowMessage.NO_CHANGE, Kind.INT, null, 1, WindowMessage.MAX_DATA, 1);
        message.segment(0, 0, WindowMessage.MAX_DATA);
        for (int i = 0; i < FETCHES; i++)
        {
            send(window, bytes);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void send(final Win window, final byte[] bytes) throws MPIException
    {
        // as a call does: a send that waits lets other threads in
        window.world().enter();
        try
        {
            window.world().send(new SendTransfer().items(bytes, 0, 0, bytes.length, MPI.BYTE)
                .to(window.channels(), false, SendTransfer.Mode.STANDARD, 0, Win.REQUEST_TAG));
        }
        finally
        {
            window.world().exit();
        }
    }

    private static void drop(final Win window, final int rank, final IntBuffer part) throws MPIException
    {
        window.fence(0);
        for (final int length : LENGTHS)
        {
            if (rank == 1)
            {
                final byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte)-1);
                send(window, bytes);
            }
        }
        if (rank == 1)
        {
            window.put(MPI.newIntBuffer(1).put(0, 42), 1, MPI.INT, 0, 0, 1, MPI.INT);
        }
        window.fence(MPI.MODE_NOSUCCEED);
        Checks.equal(rank == 0 ? 42 : 0, part.get(0), "what was put behind them");
        Checks.equal(rank == 0 ? (long)LENGTHS.length : 0L, window.target().dropped(), "messages that were dropped");
    }
}
