// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import org.tallypost.endpoint.internal.receive.Inbox;
import org.tallypost.mailbox.Mailbox;

/** What the simulation has to see of the side of an endpoint for messages of high priority. */
public final class SimulatedHighSide
{
    private SimulatedHighSide()
    {
    }

    /**
     * What receives with high priority.
     *
     * @param endpoint in a group with priorities.
     * @return the inbox.
     */
    public static Inbox inbox(final LocalEndpoint endpoint)
    {
        return endpoint.high.inbox;
    }

    /**
     * Where messages of high priority arrive.
     *
     * @param endpoint in a group with priorities.
     * @return the high ring.
     */
    public static Mailbox mailbox(final LocalEndpoint endpoint)
    {
        return endpoint.high.mailbox;
    }
}
