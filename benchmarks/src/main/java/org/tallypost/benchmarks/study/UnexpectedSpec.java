// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import org.agrona.BitUtil;

/**
 * What is measured of messages that nobody receives.
 *
 * @param node          directory of the node, which all processes share.
 * @param senders       each a process and a rank of its own, from 1 on.
 * @param messages      of all senders together.
 * @param length        of a message in bytes, at least 8.
 * @param window        bytes that each sender may leave at the receiver.
 * @param announcements that each sender may leave at the receiver.
 */
record UnexpectedSpec(File node, int senders, long messages, int length, int window, int announcements)
{
    /** Memory of the receiver comes in parts of so many bytes. */
    static final int PART_LENGTH = 65_536;

    private static final int CELL_LENGTH = 64;
    private static final int WAITING = 64;

    /** How many messages a sender has. */
    long messagesOf(final int sender)
    {
        return messages / senders + (sender <= messages % senders ? 1 : 0);
    }

    /** Sends that a sender has under way: those that are announced, and some that wait. */
    int sends()
    {
        return announcements + WAITING;
    }

    /** From one message to the next in the ring of messages. */
    int stride()
    {
        return BitUtil.align(length, CELL_LENGTH);
    }

    /** The promise: n x (window + 64 x announcements), rounded up to 64 KiB. */
    long formula()
    {
        return BitUtil.align(senders * (window + (long)CELL_LENGTH * announcements), PART_LENGTH);
    }
}
