// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Locale;

/**
 * Receives that are posted beside those that are measured, and that no message is for: a matching that walks a list of receives
 * has to pass them for each message.
 *
 * @param posted   receives from the same sender, each with a tag of its own.
 * @param wildcard whether a receive from any source is posted, too.
 */
public record Beside(int posted, boolean wildcard)
{
    /** No receive. */
    public static final Beside NOTHING = new Beside(0, false);
    /** So many receives leave room in the tables of all contestants. */
    static final int MAX_POSTED = 50_000;
    /** Tag of the messages that are measured. */
    static final int MESSAGE_TAG = 0;
    /** Tag of the first receive; the wildcard's is behind the last one. */
    static final int FIRST_TAG = 1_000;

    boolean isNothing()
    {
        return posted == 0 && !wildcard;
    }

    /** What a contestant with these receives is called, behind its own name. */
    String suffix()
    {
        return wildcard ? "-wildcard" : "-posted";
    }

    String text()
    {
        return posted == 0 ? "a wildcard" : String.format(Locale.ROOT, "%,d other receives", posted) +
            (wildcard ? " and a wildcard" : "");
    }
}
