// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.BitSet;
import org.tallypost.messaging.Communicator;

/** Names of this rank's ports: ranks of the same job connect to them. A name says which rank it is, and which port. */
final class Ports
{
    private static final String PREFIX = "tallypost-port-";
    /** Above the tags that belong to tags of programs. */
    private static final int FIRST_TAG = 1 << 18;

    private final int rank;
    private final int size;
    private final BitSet open = new BitSet();

    Ports(final int rank, final int size)
    {
        this.rank = rank;
        this.size = size;
    }

    synchronized String open()
    {
        final int number = open.nextClearBit(0);
        open.set(number);
        return PREFIX + rank + "-" + number;
    }

    synchronized void close(final String name) throws MPIException
    {
        if (rankOf(name) != rank || !open.get(number(name, 1)))
        {
            throw new MPIException(MPI.ERR_PORT, "the port is not open at this rank: found=" + name);
        }
        open.clear(number(name, 1));
    }

    /** Of the rank that has opened it. */
    int rankOf(final String name) throws MPIException
    {
        final int found = number(name, 0);
        if (found >= size)
        {
            throw new MPIException(MPI.ERR_PORT, "the port is of another job: found=" + name + ", expected a rank below " + size);
        }
        return found;
    }

    /** By which its messages go. */
    int tagOf(final String name) throws MPIException
    {
        return FIRST_TAG + (number(name, 1) & Communicator.MAX_TAG >> 8);
    }

    private static int number(final String name, final int place) throws MPIException
    {
        final String trimmed = name.trim();
        try
        {
            if (trimmed.startsWith(PREFIX))
            {
                return Integer.parseUnsignedInt(trimmed.substring(PREFIX.length()).split("-")[place]);
            }
        }
        catch (final NumberFormatException | ArrayIndexOutOfBoundsException ex)
        {
            throw new MPIException(MPI.ERR_PORT, ex);
        }
        throw new MPIException(MPI.ERR_PORT, "no such port: found=" + name + ", expected a name that openPort has returned");
    }
}
