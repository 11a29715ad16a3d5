// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.window.ReceiveWindow;
import org.tallypost.messaging.internal.window.SendWindow;

/**
 * What a messenger keeps of another rank, in both directions. Made when the two first meet. One thread.
 */
final class Pair
{
    /** From here to there. */
    static final class Outgoing
    {
        final SendWindow window = new SendWindow();
        /** Sends that the receiver does not know of. */
        final RequestQueue waiting = new RequestQueue();
        /** Sends whose bytes go, or are about to go. */
        final RequestQueue moving = new RequestQueue();
        /** Sends that the receiver is to forget. */
        final RequestQueue cancels = new RequestQueue();
        /** That is under way for the first of the moving ones; null if none is. */
        DataSend data;
        /** The receiver knows of this session. */
        boolean isGreeted;
        /** Of the receiver, when it was greeted. */
        int incarnation;
    }

    /** From there to here. */
    static final class Incoming
    {
        final ReceiveWindow window;
        /** Receives that their sender has to hear of. */
        final RequestQueue answers = new RequestQueue();
        /** First of the entries that their sender has to hear of that they are forgotten. */
        int cancelled = UnexpectedMessages.NONE;
        /** Receive that gets the message of several runs that is coming; null for none. */
        ReceiveRequest current;
        /** Of that receive. */
        long currentId;
        /** Number of that message, which tells it apart from others of its sender. */
        int currentNumber;
        /** Cells of messages that {@link Messenger#matchedProbe} has taken since the sender has come. */
        int heldCells;
        /** Grows when the sender is gone, or begins anew. */
        long lives;
        /** The sender has greeted. */
        boolean isKnown;
        /** The last incarnation of the sender that is gone; 0 if another one is open, or none was. */
        int goneIncarnation;

        Incoming(final ReceiveWindow window)
        {
            this.window = window;
        }

        boolean isWindowDue()
        {
            return isKnown && window.isDue();
        }
    }

    final int rank;
    final Outgoing out = new Outgoing();
    final Incoming in;
    /** In the list of those with work. */
    boolean isListed;
    Pair nextListed;

    Pair(final int rank, final ReceiveWindow window)
    {
        this.rank = rank;
        in = new Incoming(window);
    }

    boolean hasWork()
    {
        return !out.waiting.isEmpty() || !out.moving.isEmpty() || !out.cancels.isEmpty() || !in.answers.isEmpty() ||
            in.cancelled != UnexpectedMessages.NONE || in.isWindowDue();
    }
}
