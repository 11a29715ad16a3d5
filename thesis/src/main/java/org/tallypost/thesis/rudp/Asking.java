// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.rudp;

/**
 * What makes a receiver say which packets it misses. The source has both ways, and found the first one better at 100 Mb/s, the
 * second one at 10 Mb/s.
 */
public enum Asking
{
    /** The sender asks each receiver behind the packets of a round. */
    LAST,
    /** A receiver speaks by itself when no packet has come for a while, or when a burst is complete. */
    TIMER
}
