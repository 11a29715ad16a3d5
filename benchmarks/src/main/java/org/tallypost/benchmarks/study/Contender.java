// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.tallypost.benchmarks.compare.TransportKind;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;

/**
 * A transport with the flow control that it is studied with.
 */
public enum Contender
{
    /** Tallypost's endpoint, credits that move to the senders that use them. */
    TALLYPOST_DYNAMIC("tallypost-dynamic", TransportKind.TALLYPOST_ENDPOINT, Flow.DYNAMIC),
    /** Tallypost's endpoint, the same credits for every sender. */
    TALLYPOST_STATIC("tallypost-static", TransportKind.TALLYPOST_ENDPOINT, Flow.STATIC),
    /** Tallypost's endpoint without credits. */
    TALLYPOST_NONE("tallypost-none", TransportKind.TALLYPOST_ENDPOINT, Flow.NONE),
    /** Agrona's ring buffer for many producers. */
    AGRONA_MANY_TO_ONE("agrona-many-to-one", TransportKind.AGRONA_MANY_TO_ONE, Flow.NONE),
    /** Aeron over shared memory, one log for all senders. */
    AERON_IPC("aeron-ipc", TransportKind.AERON_IPC, Flow.NONE);

    /** Terms of an Aeron log. */
    static final int TERMS = 3;
    /** The shortest term that Aeron allows, in bytes. */
    static final int MIN_TERM_LENGTH = 64 * 1024;
    private static final int SLOT_LENGTH = 64;
    private static final int MIN_SHARE = 2;
    private static final int AGRONA_LARGEST_PART = 8;

    private final String label;
    private final TransportKind kind;
    private final Flow flow;

    Contender(final String label, final TransportKind kind, final Flow flow)
    {
        this.label = label;
        this.kind = kind;
        this.flow = flow;
    }

    String label()
    {
        return label;
    }

    TransportKind kind()
    {
        return kind;
    }

    Flow flow()
    {
        return flow;
    }

    /** Slots for each sender in a mailbox of so many bytes: the receiver's own rank has a share like any other. 0 for peers. */
    int slotsPerSender(final int bytes, final int senders)
    {
        return kind == TransportKind.TALLYPOST_ENDPOINT ? bytes / SLOT_LENGTH / (senders + 1) : 0;
    }

    /** Length of Aeron's terms if all three together are to take at most so many bytes, but never shorter than it allows. */
    static int termLength(final int bytes)
    {
        return Math.max(MIN_TERM_LENGTH, Integer.highestOneBit(bytes / TERMS));
    }

    /** Why a buffer of so many bytes cannot be, or null if it can. */
    String whyNot(final int bytes, final int senders, final int length)
    {
        switch (kind)
        {
            case TALLYPOST_ENDPOINT:
                final int share = slotsPerSender(bytes, senders);
                final int least = Math.max(MIN_SHARE, Endpoint.slots(length) + 1);
                return share >= least ? null : senders + " senders and the receiver itself need " + least +
                    " slots each, " + (senders + 1) * least * SLOT_LENGTH + " bytes";
            case AGRONA_MANY_TO_ONE:
                return length <= bytes / AGRONA_LARGEST_PART ? null :
                    "a message may take an eighth of the buffer, " + bytes / AGRONA_LARGEST_PART + " bytes";
            default:
                return bytes >= TERMS * MIN_TERM_LENGTH ? null :
                    "three terms of at least " + MIN_TERM_LENGTH + " bytes are " + TERMS * MIN_TERM_LENGTH + " bytes";
        }
    }
}
