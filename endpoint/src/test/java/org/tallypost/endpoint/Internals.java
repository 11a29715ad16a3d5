// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/** What is behind the API, for tests that look there. */
final class Internals
{
    private Internals()
    {
    }

    static LocalNode local(final Node node)
    {
        return node.local();
    }

    static LocalEndpoint local(final Endpoint endpoint)
    {
        return (LocalEndpoint)endpoint;
    }
}
