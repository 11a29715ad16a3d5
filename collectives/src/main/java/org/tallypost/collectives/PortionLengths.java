// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * How long the portions are that the members of a node send to each place, and receive of each; and the pieces of them that go in
 * a round. Places are those of members when the ones of one node stand behind each other.
 */
final class PortionLengths
{
    private static final int MAX_PIECE_LENGTH = 64 * 1024;
    private static final int MIN_PIECE_LENGTH = 64;
    /** What the pieces of all portions of a node have at most, if they are not shorter than the shortest piece. */
    private static final int ROUND_LENGTH = 8 * 1024 * 1024;

    private final NodeMap map;
    private final int places;
    private final int pieceLength;
    /** What this member sends to each place, and then what it receives of each. */
    private final UnsafeBuffer own;
    private final UnsafeBuffer all;

    PortionLengths(final NodeMap map)
    {
        this.map = map;
        places = map.size();
        pieceLength = Math.max(MIN_PIECE_LENGTH,
            (int)Math.min(MAX_PIECE_LENGTH, ROUND_LENGTH / ((long)places * map.mostLocals())));
        own = new UnsafeBuffer(new byte[2 * places * Integer.BYTES]);
        all = new UnsafeBuffer(new byte[map.locals().length * own.capacity()]);
    }

    /** Writes down what this member has. */
    void tell(final AllToAll operation)
    {
        for (int place = 0; place < places; place++)
        {
            final int member = memberAt(place);
            own.putInt(place * Integer.BYTES, operation.sent().length(member));
            own.putInt((places + place) * Integer.BYTES, operation.received().length(member));
        }
    }

    /** What this member has told. */
    UnsafeBuffer own()
    {
        return own;
    }

    /** What all members of the node have told, one after the other. */
    UnsafeBuffer all()
    {
        return all;
    }

    int memberAt(final int place)
    {
        int node = 0;
        while (place >= map.before(node + 1))
        {
            node++;
        }
        return map.member(node, place - map.before(node));
    }

    int sentBy(final int local, final int place)
    {
        return all.getInt(local * own.capacity() + place * Integer.BYTES);
    }

    int receivedBy(final int local, final int place)
    {
        return sentBy(local, places + place);
    }

    private int length(final int local, final int place, final boolean isSent)
    {
        return isSent ? sentBy(local, place) : receivedBy(local, place);
    }

    /** How many rounds the longest portion takes. */
    long rounds(final int longest)
    {
        return ((long)longest + pieceLength - 1) / pieceLength;
    }

    /** Where in a portion the piece of a round begins, if the portion is as long. */
    int begin(final long round)
    {
        return (int)(round * pieceLength);
    }

    /** Length of the piece of a portion in a round. */
    int piece(final int length, final long round)
    {
        return (int)Math.max(0, Math.min(pieceLength, length - round * pieceLength));
    }

    /** Most bytes that a member of the node has in a round. */
    int rowLength(final long round, final boolean isSent)
    {
        int most = 0;
        for (int local = 0; local < map.locals().length; local++)
        {
            int sum = 0;
            for (int place = 0; place < places; place++)
            {
                sum += piece(length(local, place, isSent), round);
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    /** Bytes that the members of the node send to a node in a round, or receive of it. */
    int blockLength(final int node, final long round, final boolean isSent)
    {
        int sum = 0;
        for (int place = map.before(node); place < map.before(node + 1); place++)
        {
            for (int local = 0; local < map.locals().length; local++)
            {
                sum += piece(length(local, place, isSent), round);
            }
        }
        return sum;
    }
}
