// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

/** The pieces that were sent to another node: at most {@link #LENGTH} of them are not consumed. Only counts; for one thread. */
final class SendingWindow
{
    /** Pieces that may be under way or not consumed, of each pair of nodes and direction. */
    static final int LENGTH = 32;

    private int sent;
    private int taken;
    private int pieceLength = MAX_DATA_LENGTH;

    /** The other node is another one: none has been sent to it. */
    void reset()
    {
        sent = 0;
        taken = 0;
    }

    /** Whether one more piece may be sent. */
    boolean hasRoom()
    {
        return sent - taken < LENGTH;
    }

    /** Number of the next piece. */
    int sent()
    {
        return sent;
    }

    /** One more piece is under way. */
    void advance()
    {
        sent++;
    }

    /** How many data may go in a piece, in bytes. */
    int pieceLength()
    {
        return pieceLength;
    }

    /** The group does not take messages as long. Whether there is a shorter length to try. */
    boolean shorten()
    {
        final boolean isPossible = pieceLength > MIN_DATA_LENGTH;
        pieceLength = Math.max(MIN_DATA_LENGTH, pieceLength / 2 & -MIN_DATA_LENGTH);
        return isPossible;
    }

    /** The other node has consumed so many pieces. Whether that can be. */
    boolean take(final int pieceCount)
    {
        final boolean isPossible = pieceCount - taken >= 0 && sent - pieceCount >= 0;
        taken = isPossible ? pieceCount : taken;
        return isPossible;
    }

    @Override
    public String toString()
    {
        return "sent=" + sent + ", taken=" + taken;
    }
}
