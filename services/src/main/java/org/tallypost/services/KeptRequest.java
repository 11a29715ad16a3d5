// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** A request that its server has kept, to answer it later, once. For one thread, the one that polls. */
public final class KeptRequest
{
    final int source;
    final long correlation;
    /** How many of the client's incarnations were gone when it came. */
    final int incarnation;
    boolean isOver;

    KeptRequest(final int source, final long correlation, final int incarnation)
    {
        this.source = source;
        this.correlation = correlation;
        this.incarnation = incarnation;
    }

    /**
     * Rank of the client.
     *
     * @return the rank.
     */
    public int source()
    {
        return source;
    }
}
