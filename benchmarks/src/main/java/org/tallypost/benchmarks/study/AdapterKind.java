// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.util.concurrent.TimeoutException;

/** An adapter, and what it is held against: what programs with it use within a process. */
enum AdapterKind
{
    AGRONA("ManyToOneRingBuffer", AdapterRuns::agrona, AdapterRuns::manyToOne),
    FLOW("SubmissionPublisher", AdapterRuns::flow, AdapterRuns::submission),
    BLOCKING("ArrayBlockingQueue", AdapterRuns::blocking, AdapterRuns::arrayQueue),
    RSOCKET("local transport", RsocketRuns::endpoints, RsocketRuns::local);

    final String reference;
    final Run own;
    final Run other;

    /** One turn. */
    @FunctionalInterface
    interface Run
    {
        /** Returns messages a second. */
        double measure(Arrivals arrivals, File directory, int timeoutS) throws InterruptedException, TimeoutException;
    }

    AdapterKind(final String reference, final Run own, final Run other)
    {
        this.reference = reference;
        this.own = own;
        this.other = other;
    }
}
