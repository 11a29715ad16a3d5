// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.tallypost.endpoint.Endpoint;

/** What a poll has returned. */
public final class Polled
{
    private Polled()
    {
    }

    /**
     * Work of a poll, if the endpoint is open.
     *
     * @param result of the poll.
     * @return the result, 0 or more.
     * @throws IllegalStateException if the endpoint is closed: other processes have taken this one for dead.
     */
    public static int work(final int result)
    {
        if (result < 0)
        {
            throw new IllegalStateException("an endpoint was closed in the midst of a run: " + Endpoint.errorString(result));
        }
        return result;
    }
}
