// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Locale;

/**
 * What stands at the two ends of a transport.
 */
public enum Scope
{
    /** Threads of one JVM. */
    THREADS,
    /** JVMs of their own, which share mapped files. */
    PROCESSES,
    /** Nodes, each with a JVM and a media driver of its own, that exchange packets over this machine's loopback. */
    NETWORK;

    /**
     * Name on the command line and in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
