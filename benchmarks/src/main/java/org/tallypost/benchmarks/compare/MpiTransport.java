// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import mpi.MPI;
import mpi.MPIException;
import org.agrona.IoUtil;
import org.tallypost.transportaeron.launch.LaunchSetting;

/**
 * What programs for MPI call. A process is one rank of one job for all cells, and each cell has a communicator. The mailbox has
 * the size that all programs for MPI get.
 */
final class MpiTransport implements Transport
{
    private final LinkSpec spec;

    MpiTransport(final LinkSpec spec, final File directory, final int process)
    {
        this.spec = spec;
        final File place = new File(directory.getParentFile(), "mpi");
        IoUtil.ensureDirectoryExists(place, "mpi");
        set(LaunchSetting.GROUP, "compare");
        set(LaunchSetting.RANKS, Integer.toString(spec.parties()));
        set(LaunchSetting.RANK, Integer.toString(process));
        set(LaunchSetting.DIRECTORY, place.getPath());
    }

    private static void set(final LaunchSetting setting, final String value)
    {
        System.setProperty(setting.property(), value);
    }

    /** All ranks open their links in the same order. */
    @Override
    public Link open(final int party)
    {
        try
        {
            if (!MPI.isInitialized())
            {
                MPI.Init(new String[0]);
            }
            return new MpiLink(MPI.COMM_WORLD.dup(), spec, party);
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** The facade's own affair. */
    @Override
    public long bufferBytes()
    {
        return 0;
    }

    @Override
    public void close()
    {
        // the rank ends with its process
    }
}
