// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A request that is started as often as the program likes. */
public final class Prequest extends Request
{
    Prequest(final World world, final Transfer transfer)
    {
        super(world, transfer, true);
    }

    public void start() throws MPIException
    {
        begin();
    }

    public static void startAll(final Prequest[] requests) throws MPIException
    {
        for (final Prequest request : requests)
        {
            request.begin();
        }
    }

    public void Start() throws MPIException
    {
        begin();
    }

    public static void Startall(final Prequest[] requests) throws MPIException
    {
        startAll(requests);
    }
}
