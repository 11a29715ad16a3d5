// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

/**
 * What a step is for.
 */
public enum Phase
{
    /** Every byte of every message is compared; not measured. */
    VERIFIED,
    /** As measured, but before measuring. */
    WARMUP,
    /** Measured from the first process's start to the last one's end. */
    TIMED,
    /** Every round trip has a time stamp of its own and goes into the histogram. */
    STAMPED
}
