// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.internal.checks.Checks;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.RegionMemory;

/** Where long messages are read and written: the part of {@link MessengerContext} that is about memory. */
final class MemorySettings
{
    RegionMemory regionMemory;
    boolean crossMemory;
    int stagingLength = 1 << 21;
    int copyRoom;

    /** Refuses what cannot be for a messenger of an endpoint. */
    void check(final Endpoint endpoint)
    {
        Checks.range("stagingLength", stagingLength, stagingLength == 0 ? 0 : MessengerContext.MIN_STAGING_LENGTH,
            RegionMemory.MAX_LENGTH);
        Checks.range("copyRoom", copyRoom, 0, RegionMemory.MAX_LENGTH);
        if (regionMemory != null && regionMemory.endpoint().undecorated() != endpoint.undecorated())
        {
            throw new IllegalArgumentException("regionMemory is another endpoint's: found=" + regionMemory.endpoint() +
                ", expected=" + endpoint);
        }
        if (crossMemory && CrossMemory.whyNot() != null)
        {
            throw new IllegalArgumentException("crossMemory cannot be had here: " + CrossMemory.whyNot());
        }
    }

    /** What is set, as a part of the context's text. */
    @Override
    public String toString()
    {
        return ", regionMemory=" + regionMemory + ", crossMemory=" + crossMemory + ", stagingLength=" + stagingLength +
            ", copyRoom=" + copyRoom;
    }
}
