// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.Arrays;
import org.tallypost.endpoint.LongSend;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.window.ReceiveWindow;
import org.tallypost.messaging.internal.window.SendWindow;

/**
 * What a messenger keeps of another rank, in both directions. Made when the two first meet. One thread.
 */
final class Pair
{
    /**
     * Most messages of a pair that move their bytes at the same time. Others of the endpoint have the rest of what it admits.
     */
    static final int MAX_MOVING = LongSend.MAX_OPEN / 2;

    /** From here to there. */
    static final class Outgoing
    {
        final SendWindow window = new SendWindow();
        /** How many times in a row the window had no room. */
        int refusals;
        /** Sends that the receiver does not know of. */
        final RequestQueue waiting = new RequestQueue();
        /** Sends that may move their bytes, and have to wait until others are through. */
        final RequestQueue ready = new RequestQueue();
        /** Sends that move their bytes. */
        final RequestQueue moving = new RequestQueue();
        int movingCount;
        /** Sends that the receiver is to forget. */
        final RequestQueue cancels = new RequestQueue();
        /** The receiver knows of this session. */
        boolean isGreeted;
        /** Which goodbyes of that session have come: the answers of either priority are all here. */
        int goodbyes;
        /** Of the receiver, when it was greeted. */
        int incarnation;

        /** Whether the bytes of a further message may go beside those that do. */
        boolean maySendMore()
        {
            return movingCount < MAX_MOVING;
        }
    }

    /** From there to here. */
    static final class Incoming
    {
        final ReceiveWindow window;
        /** Receives that their sender has to hear of. */
        final RequestQueue answers = new RequestQueue();
        /** Receives that copy their message from where it lies at its sender, one after the other. */
        final RequestQueue copying = new RequestQueue();
        /** Receives that wait for a staging area. */
        final RequestQueue unstaged = new RequestQueue();
        /** The pair has its turn when an area is free. */
        boolean isInTurn;
        /** Staging areas that its receives have. */
        int areaCount;
        /** Reads them if the sender is of another node; null until there is one. */
        FarRead far;
        /** First of the entries that their sender has to hear of that they are forgotten. */
        int cancelled = UnexpectedMessages.NONE;
        /** Receives that get the messages of several runs that are coming, by the numbers of these; null for none. */
        final ReceiveRequest[] current = new ReceiveRequest[LongSend.MAX_OPEN];
        /** Of those receives. */
        final long[] currentIds = new long[LongSend.MAX_OPEN];
        /** Cells of messages that {@link Messenger#matchedProbe} has taken since the sender has come. */
        int heldCells;
        /** Grows when the sender is gone, or begins anew. */
        long lives;
        /** Process of the sender, and of which state of its rank that was found; 0 if its memory cannot be read. */
        int pid;
        long pidState;
        /** The same, of a sender with a staging area; null if it is not known. */
        ProcessIdentity process;
        long processState;
        /** The sender has greeted. */
        boolean isKnown;
        /** The last incarnation of the sender that is gone; 0 if another one is open, or none was. */
        int goneIncarnation;

        Incoming(final ReceiveWindow window)
        {
            this.window = window;
        }

        /** Of what is coming nothing is waited for any more. */
        void forgetCurrent()
        {
            Arrays.fill(current, null);
        }

        boolean isWindowDue()
        {
            return isKnown && window.isDue();
        }
    }

    final int rank;
    /** Whether answers pass what waits in the mailbox of the other rank. */
    final boolean takesHigh;
    final Outgoing out = new Outgoing();
    final Incoming in;
    /** The other rank is to look after its staged messages. */
    boolean isLookDue;
    /** In the list of those with work. */
    boolean isListed;
    Pair nextListed;
    /** The next one in the order of turns with the staging areas. */
    Pair nextInTurn;

    Pair(final int rank, final boolean takesHigh, final ReceiveWindow window)
    {
        this.rank = rank;
        this.takesHigh = takesHigh;
        in = new Incoming(window);
    }

    boolean hasWork()
    {
        return !out.waiting.isEmpty() || !out.ready.isEmpty() && out.maySendMore() || !out.cancels.isEmpty() ||
            !in.answers.isEmpty() || !in.copying.isEmpty() || in.cancelled != UnexpectedMessages.NONE || in.isWindowDue() ||
            isLookDue;
    }
}
