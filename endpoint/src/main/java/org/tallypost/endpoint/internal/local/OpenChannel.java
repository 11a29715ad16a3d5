// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import org.tallypost.endpoint.Channel;

/** A channel of an endpoint of this process. */
final class OpenChannel implements Channel
{
    private final LocalEndpoint endpoint;
    private final int id;
    private boolean isOpen = true;

    OpenChannel(final LocalEndpoint endpoint, final int id)
    {
        this.endpoint = endpoint;
        this.id = id;
    }

    @Override
    public int id()
    {
        return id;
    }

    @Override
    public void close()
    {
        if (isOpen)
        {
            endpoint.closed(this);
            isOpen = false;
        }
    }

    @Override
    public void leave()
    {
        if (!isOpen)
        {
            throw new IllegalStateException("the channel has ended: " + this);
        }
        endpoint.left(this);
        isOpen = false;
    }

    @Override
    public String toString()
    {
        return "Channel{id=" + id + ", " + endpoint + (isOpen ? "}" : ", closed}");
    }
}
