// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.List;

/**
 * The end of a run with messengers: every send and every receive that is matched has ended, no message is left unexpected, each
 * rank gets a message from each, and the books of credits balance.
 */
final class MatchedSettlement extends Settlement
{
    MatchedSettlement(final World world)
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
                ((MatchedParty)party).rest();
            }
        }
        super.work(process);
    }

    @Override
    String unsettled()
    {
        for (final Party party : world.books.parties())
        {
            final String found = party.isOpen() ? ((MatchedParty)party).unsettled() : null;
            if (found != null)
            {
                return found;
            }
        }
        final String imbalance = imbalance();
        if (imbalance != null)
        {
            return imbalance;
        }
        for (final Party party : world.books.parties())
        {
            if (party.isOpen())
            {
                world.run(party.process, ((MatchedParty)party)::check);
            }
        }
        return null;
    }
}
