// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.internal.local.LocalEndpoint;
import org.tallypost.endpoint.internal.local.LocalNode;

/** What is behind the API, for tests that look there. */
public final class Internals
{
    private Internals()
    {
    }

    public static LocalNode local(final Node node)
    {
        return node.local();
    }

    public static LocalEndpoint local(final Endpoint endpoint)
    {
        return (LocalEndpoint)endpoint;
    }
}
