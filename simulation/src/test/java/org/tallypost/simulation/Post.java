// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.List;

/** All that one incarnation of a rank has sent to one rank. */
final class Post
{
    final Party sender;
    final int dest;
    final List<Letter> letters = new ArrayList<>();
    /** How often the sender was told that a receiver is gone. */
    int segment;

    Post(final Party sender, final int dest)
    {
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
