// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

/**
 * A way of a message from one rank to another of the same node.
 */
enum BulkWay
{
    /** With its bytes in runs of the mailbox, at once. */
    EAGER("eager runs"),
    /** Out of a region of the sender: the receiver copies it once. */
    REGION("region"),
    /** Announced, then by the mailbox from buffer to buffer. */
    PRIVATE("private"),
    /** Written and read in memory that is lent. */
    LOAN("loan"),
    /** Announced, then copied once by the kernel. */
    CROSS("process_vm_readv"),
    /** No message: a copy into memory of the receiver, and a word that says so. */
    RAW("raw copy");

    private final String label;

    BulkWay(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }

    /** Whether the message lies in region memory. */
    boolean isInRegionMemory()
    {
        return this == REGION || this == LOAN;
    }
}
