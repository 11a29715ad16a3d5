// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.List;
import org.tallypost.endpoint.Priority;

/** All that one incarnation of a rank has sent to one rank with one priority. */
final class Post
{
    final Party sender;
    final int dest;
    final Priority priority;
    final List<Letter> letters = new ArrayList<>();
    /** How often the sender was told that a receiver is gone. */
    int segment;

    Post(final Party sender, final int dest, final Priority priority)
    {
        this.priority = priority;
        this.sender = sender;
        this.dest = dest;
    }

    Letter write(final int thread, final int length)
    {
        final Letter letter = new Letter(this, letters.size(), thread, length);
        letters.add(letter);
        return letter;
    }
}
