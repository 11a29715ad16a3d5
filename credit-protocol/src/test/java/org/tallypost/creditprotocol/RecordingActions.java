// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import java.util.ArrayList;
import java.util.List;

/** Writes down what a ledger decides; answers revocations as it is told to. */
class RecordingActions implements LedgerActions
{
    /** In order: {@code grant 2: 5}, {@code revoke 1}. */
    final List<String> decisions = new ArrayList<>();
    /** What {@link #revoke} answers. */
    int taken = REQUESTED;

    /** Decisions since the last call. */
    String take()
    {
        final String all = String.join(", ", decisions);
        decisions.clear();
        return all;
    }

    @Override
    public void grant(final int sender, final int credits)
    {
        decisions.add("grant " + sender + ": " + credits);
    }

    @Override
    public int revoke(final int victim, final int keep)
    {
        decisions.add("revoke " + victim + " keep " + keep);
        return taken;
    }
}
