// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.flight;

import org.tallypost.endpoint.MembershipListener;

/** Records which ranks an endpoint sees come and go. For the polling thread. */
public final class RecordedRanks implements MembershipListener
{
    private final int endpoint;

    public RecordedRanks(final int endpoint)
    {
        this.endpoint = endpoint;
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
        FlightEvents.rank(endpoint, rank, incarnation, true);
    }

    @Override
    public void onGone(final int rank, final int incarnation)
    {
        FlightEvents.rank(endpoint, rank, incarnation, false);
    }
}
