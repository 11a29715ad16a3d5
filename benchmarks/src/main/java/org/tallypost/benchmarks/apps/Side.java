// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

/**
 * What a program runs on.
 */
enum Side
{
    TALLYPOST("Tallypost, mpiJava"),
    TALLYPOST_OPENMPI("Tallypost, Open MPI's dialect"),
    MPJ("MPJ Express, multicore"),
    OPENMPI("Open MPI, C");

    private final String title;

    Side(final String title)
    {
        this.title = title;
    }

    String title()
    {
        return title;
    }
}
