// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import java.net.SocketAddress;

/** The other end of a connection: a rank of the group. */
public final class RankAddress extends SocketAddress
{
    private static final long serialVersionUID = 1;

    /** Number of the rank. */
    private final int rank;

    RankAddress(final int rank)
    {
        this.rank = rank;
    }

    /**
     * Number of the rank.
     *
     * @return from 0 to the rank count, exclusive.
     */
    public int rank()
    {
        return rank;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof RankAddress && ((RankAddress)other).rank == rank;
    }

    @Override
    public int hashCode()
    {
        return rank;
    }

    @Override
    public String toString()
    {
        return "rank " + rank;
    }
}
