// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.openmpi;

import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.tallypost.examples.Pattern;
import org.tallypost.examples.Rounds;

/**
 * Messages between ranks 0 and 1: back and forth (pingpong), or in one direction (stream), a window at a time, and the receiver
 * tells when it has them. With direct buffers. Arguments: pingpong or stream, length, messages, rounds,
 * milliseconds of rounds before them that do not count.
 */
public final class Transfers
{
    private static final int TAG = 1;
    /** Number of the argument. */
    private static final int WARM_UP = 4;
    /** Short rounds: a JVM looks behind each what to compile next. */
    private static final int WARM_UP_PART = 16;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final Request[] requests = new Request[Pattern.WINDOW];
    private int wrong;

    private Transfers(final int length) throws MPIException
    {
        out = MPI.newByteBuffer(length);
        in = MPI.newByteBuffer(length);
    }

    /**
     * Runs as one rank.
     *
     * @param arguments of the program.
     * @throws MPIException if a call fails.
     */
    public static void main(final String[] arguments) throws MPIException
    {
        final String[] words = MPI.Init(arguments);
        final boolean isStream = words.length > 0 && "stream".equals(words[0]);
        final int length = Rounds.argument(words, 1, 8);
        final int messages = Rounds.argument(words, 2, 1_000);
        final int rounds = Rounds.argument(words, 3, 1);
        final Transfers transfers = new Transfers(length);
        if (words.length > WARM_UP)
        {
            transfers.warmUp(isStream, messages, Rounds.argument(words, WARM_UP, 1));
        }
        for (int round = 0; round < rounds; round++)
        {
            final double seconds = transfers.round(isStream, messages, round);
            if (transfers.rank == 0)
            {
                Rounds.print(seconds);
            }
        }
        final int[] all = new int[1];
        MPI.COMM_WORLD.reduce(new int[] { transfers.wrong }, all, 1, MPI.INT, MPI.SUM, 0);
        if (transfers.rank == 0)
        {
            Rounds.finish("transfers", all[0] == 0);
        }
        MPI.Finalize();
    }

    /** The seconds that it took. */
    private double round(final boolean isStream, final int messages, final int round) throws MPIException
    {
        fill(round);
        MPI.COMM_WORLD.barrier();
        final long startNs = System.nanoTime();
        run(isStream, messages);
        MPI.COMM_WORLD.barrier();
        final double seconds = Rounds.seconds(startNs);
        check(isStream, round);
        return seconds;
    }

    /** Until the time is over at rank 0. Pauses let the JVMs compile, which ranks that look for messages keep from the cores. */
    private void warmUp(final boolean isStream, final int messages, final int milliseconds) throws MPIException
    {
        final int part = Math.max(1, messages / WARM_UP_PART / Pattern.WINDOW) * Pattern.WINDOW;
        final int[] isOver = new int[1];
        final long startNs = System.nanoTime();
        while (isOver[0] == 0)
        {
            round(isStream, part, part);
            Rounds.pause();
            isOver[0] = Rounds.isOver(startNs, milliseconds) ? 1 : 0;
            MPI.COMM_WORLD.bcast(isOver, 1, MPI.INT, 0);
        }
    }

    private void fill(final int round)
    {
        for (int i = 0; i < out.capacity(); i++)
        {
            out.put(i, Pattern.at(i, round));
            in.put(i, (byte)0);
        }
    }

    private void check(final boolean isStream, final int round)
    {
        for (int i = 0; i < in.capacity() && rank < 2 && !(isStream && rank == 0); i++)
        {
            wrong += in.get(i) == Pattern.at(i, round) ? 0 : 1;
        }
    }

    private void run(final boolean isStream, final int messages) throws MPIException
    {
        if (rank < 2 && isStream)
        {
            stream(messages);
        }
        else if (rank < 2)
        {
            pingPong(messages);
        }
    }

    private void pingPong(final int messages) throws MPIException
    {
        for (int i = 0; i < messages; i++)
        {
            if (rank == 0)
            {
                MPI.COMM_WORLD.send(out, out.capacity(), MPI.BYTE, 1, TAG);
                MPI.COMM_WORLD.recv(in, in.capacity(), MPI.BYTE, 1, TAG);
            }
            else
            {
                MPI.COMM_WORLD.recv(in, in.capacity(), MPI.BYTE, 0, TAG);
                MPI.COMM_WORLD.send(in, in.capacity(), MPI.BYTE, 0, TAG);
            }
        }
    }

    private void stream(final int messages) throws MPIException
    {
        for (int sent = 0; sent < messages; sent += Pattern.WINDOW)
        {
            for (int i = 0; i < Pattern.WINDOW; i++)
            {
                requests[i] = rank == 0 ? MPI.COMM_WORLD.iSend(out, out.capacity(), MPI.BYTE, 1, TAG) :
                    MPI.COMM_WORLD.iRecv(in, in.capacity(), MPI.BYTE, 0, TAG);
            }
            Request.waitAll(requests);
            if (rank == 0)
            {
                MPI.COMM_WORLD.recv(in, 1, MPI.BYTE, 1, TAG);
            }
            else
            {
                MPI.COMM_WORLD.send(in, 1, MPI.BYTE, 0, TAG);
            }
        }
    }
}
