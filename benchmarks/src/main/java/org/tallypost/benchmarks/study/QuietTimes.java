// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When the quiet sender's message was sent, and how many of them have arrived. There is one at a time.
 */
final class QuietTimes
{
    private static final int SENT = 16;
    private static final int ARRIVED = 48;
    private static final int LENGTH = 64;

    private final AtomicLongArray words = new AtomicLongArray(LENGTH);

    /** By the quiet sender, before it sends. */
    void sentNs(final long nowNs)
    {
        words.setRelease(SENT, nowNs);
    }

    /** By the receiver that has the message. */
    long sentNs()
    {
        return words.getAcquire(SENT);
    }

    /** By the receiver. */
    void arrived(final long count)
    {
        words.setRelease(ARRIVED, count);
    }

    /** By the quiet sender. */
    long arrived()
    {
        return words.getAcquire(ARRIVED);
    }
}
