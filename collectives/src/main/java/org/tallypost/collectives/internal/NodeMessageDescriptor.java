// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives.internal;

/**
 * Layout of a message by which two nodes of a team speak. All of it is in the order of the machine: nodes of a group have the
 * same one.
 *
 * <pre>
 *  offset      length   field
 *  ----------------------------------------------------------------------------------------------------------
 *       0           4   version, 24 bits, and kind, 8 bits
 *       4           4   view of the team
 *       8           8   team
 *      16           8   session of the receiver; with a hello, and to all nodes, that of the sender; from a vote on that
 *                           of the team
 *      24           8   number of the operation, or of the agreement; with a hello the receiver's session, 0 if it is not known
 *      32           8   what all operations up to this one are, mixed
 *      40           4   number of the piece; of one that waits the agreements that it has voted in; with a failure why;
 *                           of a proposal the round; of data to all nodes their offset
 *      44           4   pieces of the receiver that the sender has consumed; with a failure the member that it is about
 *      48              data; with a hello four doubles: nanoseconds for a message, for a byte of it, to reduce
 *                           a byte; number of an algorithm, from 1, or 0; with a vote, a proposal, and what was agreed
 *                           on: flags, what it is about, a member that differs, why the team has ended, for which
 *                           member, 4 bytes each, and a bit for each living member
 * </pre>
 *
 * <p>Pieces are counted from 0 for each pair of nodes, and both counts may wrap.
 */
public final class NodeMessageDescriptor
{
    /** Version of the layout. */
    public static final int VERSION = 2;
    /** A node is there, and says by which session it wants to be called. */
    public static final int HELLO = 1;
    /** A piece of data, or none: then that it has come to this is all. */
    public static final int DATA = 2;
    /** What was consumed, and nothing else. */
    public static final int CONSUMED = 3;
    /** The sender waits for the receiver in an operation. */
    public static final int WAITING = 4;
    /** The team has ended. */
    public static final int FAILED = 5;
    /** The sender has left the team. */
    public static final int LEFT = 6;

    /** What a member votes. */
    public static final int VOTE = 7;
    /** What a member proposes. */
    public static final int PROPOSAL = 8;
    /** The sender has stored a proposal. */
    public static final int STORED = 9;
    /** What was agreed on. */
    public static final int AGREED = 10;
    /** The sender does not vote any more, since members have called different things. */
    public static final int REFUSED = 11;
    /** A member has left the team. */
    public static final int MEMBER_LEFT = 12;
    /** Multicast of an operation does not get on: the receiver says what has come of it. */
    public static final int ASK = 13;
    /** A piece of data to all nodes. */
    public static final int CAST = 14;
    /** Whether it comes to all nodes is to be found out. */
    public static final int PROBE = 15;

    /** Offset of version and kind. */
    public static final int KIND_OFFSET = 0;
    /** Offset of the view. */
    public static final int VIEW_OFFSET = KIND_OFFSET + Integer.BYTES;
    /** Offset of the team's number. */
    public static final int TEAM_OFFSET = VIEW_OFFSET + Integer.BYTES;
    /** Offset of the session. */
    public static final int SESSION_OFFSET = TEAM_OFFSET + Long.BYTES;
    /** Offset of the operation's number, or of the other session. */
    public static final int OPERATION_OFFSET = SESSION_OFFSET + Long.BYTES;
    /** Offset of what is mixed of all operations. */
    public static final int OPERATIONS_OFFSET = OPERATION_OFFSET + Long.BYTES;
    /** Offset of the piece's number, or of why the team has ended. */
    public static final int PIECE_OFFSET = OPERATIONS_OFFSET + Long.BYTES;
    /** Offset of what was consumed, or of a member. */
    public static final int CONSUMED_OFFSET = PIECE_OFFSET + Integer.BYTES;
    /** Length of what comes before the data. */
    public static final int HEAD_LENGTH = CONSUMED_OFFSET + Integer.BYTES;
    /** Length of the data of a hello. */
    public static final int HELLO_LENGTH = 4 * Double.BYTES;
    /** Most bytes of data: a multiple of the longest element, so that no element is cut. */
    public static final int MAX_DATA_LENGTH = 2_000;
    /** Least that a sender cuts data into: the longest element. */
    public static final int MIN_DATA_LENGTH = 16;

    private static final int KIND_BITS = 8;

    private NodeMessageDescriptor()
    {
    }

    /**
     * The word with version and kind.
     *
     * @param kind of the message.
     * @return the word.
     */
    public static int kindWord(final int kind)
    {
        return VERSION << KIND_BITS | kind;
    }

    /**
     * The kind out of the word.
     *
     * @param word as read.
     * @return the kind; 0 if it is of another version.
     */
    public static int kind(final int word)
    {
        return word >>> KIND_BITS == VERSION ? word & (1 << KIND_BITS) - 1 : 0;
    }
}
