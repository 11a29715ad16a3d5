// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.Locale;

import org.tallypost.endpoint.Endpoint;

/**
 * How the bytes of a message come from its sender to its receiver.
 */
public enum MessagePath
{
    /**
     * In runs of slots, as long as credits and {@link Endpoint#MAX_RUN_LENGTH} let them be.
     */
    RUNS,

    /**
     * In packets of one slot each, as the thesis's cards send them: the 56 bytes of a slot's payload hold the word of the
     * message and {@value Sizing#PACKET_LENGTH} bytes of it.
     */
    PACKETS,

    /**
     * Within a node by one copy out of the sender's region, of which a message of one slot tells; between nodes as
     * {@link #RUNS}.
     */
    REGIONS;

    /**
     * The name on the command line and in reports.
     *
     * @return the name in lower case.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
