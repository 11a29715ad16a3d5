// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.tallypost.endpoint.FragmentListener;

/** A message in several runs of which some have come. Used again and again. */
final class OpenMessage
{
    /** Among those of its source that are under way. */
    int number;
    int tag;
    /** Its length, as its first run says. */
    int total;
    /** Bytes that have come. */
    int filled;
    /** Where it is put together; null if it is handed on run by run. */
    byte[] bytes;
    /** What it is handed on to run by run; null if it is put together. */
    FragmentListener listener;
    /** The next one of the same source, or that is free. */
    OpenMessage next;

    /** Whether a further run is the one that follows. */
    boolean isNext(final int place, final int count, final boolean isLast)
    {
        final int left = total - filled;
        return place == filled && count >= 0 && count <= left && isLast == (count == left);
    }
}
