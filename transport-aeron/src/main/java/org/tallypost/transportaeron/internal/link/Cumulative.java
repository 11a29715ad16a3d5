// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * Absolute counts modulo 2^32. What is behind, or the same, changes nothing: a count may be lost, repeated, or come late, and
 * the next one makes up for it. Two counts that are compared are never 2^31 apart, because no mailbox has so many slots.
 */
final class Cumulative
{
    private Cumulative()
    {
    }

    /**
     * By how much a count is ahead of what is known.
     *
     * @param known so far.
     * @param count that came.
     * @return 0 if it is not ahead.
     */
    static int advance(final int known, final int count)
    {
        return Math.max(0, count - known);
    }
}
