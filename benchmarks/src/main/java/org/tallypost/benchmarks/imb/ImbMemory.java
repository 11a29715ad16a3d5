// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.Locale;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Team;

/**
 * Where a rank has what it sends.
 */
enum ImbMemory
{
    /** In memory of its process, off the heap: what a program of MPI has if it asks for nothing else. */
    PRIVATE,
    /** In memory that the team has allocated, where other members can read it. */
    TEAM;

    private static final int ALIGNMENT = 4096;

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Memory of some length, at the begin of a page. All members of the team call it together. */
    UnsafeBuffer allocate(final Team team, final int length)
    {
        return this == TEAM ? team.allocate(length).buffer() : local(length);
    }

    /** Memory of this process alone. */
    static UnsafeBuffer local(final int length)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, ALIGNMENT));
    }
}
