// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.List;

/**
 * The end of a run with regions: each party is sure of its part of each region, and what is there is what was written.
 */
final class BulkSettlement extends Settlement
{
    BulkSettlement(final World world)
    {
        super(world);
    }

    @Override
    void work(final SimulatedProcess process)
    {
        for (final Party party : List.copyOf(process.parties()))
        {
            if (party.isOpen() && !party.isPolling())
            {
                ((BulkParty)party).ask();
            }
        }
        super.work(process);
    }

    @Override
    String unsettled()
    {
        for (final Party party : world.books.parties())
        {
            final String found = party.isOpen() ? ((BulkParty)party).unsettled() : null;
            if (found != null)
            {
                return found;
            }
        }
        final String found = super.unsettled();
        if (found == null)
        {
            for (final Party party : world.books.parties())
            {
                if (party.isOpen())
                {
                    ((BulkParty)party).check();
                }
            }
        }
        return found;
    }
}
