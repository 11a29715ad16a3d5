// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.tallypost.endpoint.LongSend;

/** What is under way between this rank and another one. Made when the first message goes or comes. One thread. */
final class Peer
{
    final int rank;
    /** Whether short answers pass what waits in the mailbox of the other rank. */
    final boolean takesHigh;
    /** Requests of this rank to the other one. */
    final Window window;
    /** Requests of the other one that were not answered: bits of its slots. */
    long openSlots;
    final StoredReplies replies;
    /** Requests of the other one beyond the window: their ids, until they are answered. */
    long refusedSlots;
    final int[] refusedIds = new int[MessageDescriptor.MAX_WINDOW];
    final LongMessage longRequest = new LongMessage();
    final LongMessage longReply = new LongMessage();
    /** Sends stored answers that are longer than a run. Null until there was one. */
    LongSend replySend;
    /** In the list of those with stored answers. */
    boolean isListed;
    Peer nextListed;

    Peer(final int rank, final boolean takesHigh, final int windowLength)
    {
        this.rank = rank;
        this.takesHigh = takesHigh;
        window = new Window(windowLength);
        replies = new StoredReplies(windowLength);
    }

    boolean hasAnswers()
    {
        return !replies.isEmpty() || refusedSlots != 0;
    }

    /** The other rank is gone: what it asked for needs no answer. */
    void forgetRequests()
    {
        openSlots = 0;
        refusedSlots = 0;
        replies.clear();
        longRequest.clear();
        longReply.clear();
        if (replySend != null && replySend.isActive())
        {
            replySend.abort();
        }
    }
}
