// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.fabric.FlowOptions;

/**
 * Protocols that are compared, all with two credit slots, which are the sources' choice, and the same slots in all.
 */
public enum Contender
{
    /** Fixed quotas. */
    STATIC("static"),
    /** The dynamic protocol as published. */
    PUBLISHED("published dynamic"),
    /** The published protocol that takes slots from resting senders only. */
    IDLE_FIRST("idle first"),
    /** This project's own. */
    LENDING("lending"),
    /** The same with credits in memory that both sides map. */
    LENDING_DIRECT("lending, direct grants");

    static final int CREDIT_SLOTS = 2;

    private final String label;

    Contender(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }

    FlowOptions options(final int slots)
    {
        final FlowOptions dynamic = FlowOptions.dynamic(CREDIT_SLOTS, slots);
        return switch (this)
        {
            case STATIC -> FlowOptions.fixed(CREDIT_SLOTS, slots);
            case PUBLISHED -> dynamic;
            case IDLE_FIRST -> dynamic.steal(StealPolicy.IDLE_FIRST);
            case LENDING -> dynamic.steal(StealPolicy.LENDING);
            case LENDING_DIRECT -> dynamic.steal(StealPolicy.LENDING).directly();
        };
    }
}
