// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * How many credits each sender may hold in a simulated run.
 */
public enum Rule
{
    /** No flow control, and unlimited buffers: the reference. */
    NONE("none"),
    /** The static protocol. */
    STATIC("static"),
    /** The dynamic protocol as published. */
    DYNAMIC("dynamic"),
    /** The dynamic protocol in which no sender has more than 62 slots for data (section 7.4.1). */
    CAPPED("dynamic, at most 62"),
    /** This project's default. */
    OWN("own"),
    /** This project's other rule, which lends what is spare. */
    LENDING("lending");

    private final String label;

    Rule(final String label)
    {
        this.label = label;
    }

    /**
     * How it is called in reports.
     *
     * @return one word.
     */
    public String label()
    {
        return label;
    }
}
