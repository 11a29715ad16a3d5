// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import mpi.programs.Checks;

/**
 * Long messages from direct buffers and from arrays. Argument: the value of {@link WorldMemory#CROSS}, which counts for the first
 * program of a process; one that is none is refused. For two ranks of one node.
 */
public final class LongMessages
{
    private static final int[] LENGTHS = { 3_000, 64 * 1024, 1_000_001 };

    private LongMessages()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        System.setProperty(WorldMemory.CROSS, arguments[0]);
        MPI.Init(arguments);
        final int rank = MPI.COMM_WORLD.getRank();
        final World world = MPI.COMM_WORLD.world();
        final long fromMemoryBefore = world.messenger().counters().sentFromMemory();
        final long fromRegionBefore = world.messenger().counters().sentFromRegion();
        final long copiedBefore = world.messenger().counters().copied();
        for (final int length : LENGTHS)
        {
            direct(rank, length, ByteBuffer.allocateDirect(length));
            direct(rank, length, MPI.newByteBuffer(length));
            final byte[] array = new byte[length];
            array[length - 1] = (byte)(rank == 0 ? 7 : 0);
            transfer(rank, array, length);
            Checks.equal(7, (int)array[length - 1], "last byte of an array");
        }
        final boolean isCross = WorldMemory.isCross();
        Checks.equal(false, isCross && "false".equals(arguments[0]), "memory is read, which was not asked for");
        final long fromMemory = world.messenger().counters().sentFromMemory() - fromMemoryBefore;
        Checks.equal(rank == 0 && isCross ? 1L : 0L, fromMemory, "sent from memory");
        parts(rank);
        // those of mapped buffers, a part, and what is copied
        final long fromRegion = world.messenger().counters().sentFromRegion() - fromRegionBefore;
        Checks.equal(rank == 0 ? LENGTHS.length + 1L + 2L : 0L, fromRegion, "sent from a region");
        final long copied = world.messenger().counters().copied() - copiedBefore;
        Checks.equal(rank == 0 ? 2L : 0L, copied, "copied: of 64 KiB, direct and an array");
        Checks.complete();
        MPI.Finalize();
    }

    /** A part that begins within a buffer, and one that is short, which goes with its bytes. */
    private static void parts(final int rank) throws MPIException
    {
        final ByteBuffer buffer = MPI.newByteBuffer(10_000);
        for (int i = 0; i < buffer.capacity() && rank == 0; i++)
        {
            buffer.put(i, (byte)(i * 31));
        }
        transfer(rank, MPI.slice(buffer, 5_000), 5_000);
        transfer(rank, MPI.slice(buffer, 100), 200);
        Checks.equal((byte)(9_999 * 31), buffer.get(9_999), "last byte of a part");
        Checks.equal((byte)(299 * 31), buffer.get(299), "last byte of a short part");
        Checks.equal((byte)(rank == 0 ? 300 * 31 : 0), buffer.get(300), "byte behind it");
    }

    private static void direct(final int rank, final int length, final ByteBuffer buffer) throws MPIException
    {
        for (int i = 0; i < length && rank == 0; i++)
        {
            buffer.put(i, (byte)(i * 31));
        }
        transfer(rank, buffer, length);
        for (int i = 0; i < length; i++)
        {
            if (buffer.get(i) != (byte)(i * 31))
            {
                throw new AssertionError("byte " + i + " of " + length + ": found=" + buffer.get(i));
            }
        }
    }

    private static void transfer(final int rank, final Object buffer, final int length) throws MPIException
    {
        if (rank == 0)
        {
            MPI.COMM_WORLD.send(buffer, length, MPI.BYTE, 1, 0);
        }
        else
        {
            MPI.COMM_WORLD.recv(buffer, length, MPI.BYTE, 0, 0);
        }
    }
}
