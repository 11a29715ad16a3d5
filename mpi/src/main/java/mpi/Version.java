// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Version of the MPI standard. */
public final class Version
{
    private final int version;
    private final int subVersion;

    Version(final int version, final int subVersion)
    {
        this.version = version;
        this.subVersion = subVersion;
    }

    public int getVersion()
    {
        return version;
    }

    public int getSubVersion()
    {
        return subVersion;
    }
}
