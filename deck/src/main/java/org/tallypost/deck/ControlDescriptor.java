// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/**
 * Messages between decks that are for no mail box. All values are little-endian integers.
 *
 * <pre>
 *   0 kind | 4 incarnation of the sender | 8 request | 12 box | 16 value
 *   20 limit | 24 buffers | 28 incarnation of the owner | 32 name
 * </pre>
 */
final class ControlDescriptor
{
    static final int KIND_OFFSET = 0;
    static final int INCARNATION_OFFSET = 4;
    static final int REQUEST_OFFSET = 8;
    static final int BOX_OFFSET = 12;
    static final int VALUE_OFFSET = 16;
    static final int LIMIT_OFFSET = 20;
    static final int BUFFERS_OFFSET = 24;
    static final int OWNER_OFFSET = 28;
    static final int NAME_OFFSET = 32;
    /** Longest name in bytes. */
    static final int MAX_NAME_LENGTH = 128;
    static final int MAX_LENGTH = NAME_OFFSET + MAX_NAME_LENGTH;

    /** To the home of a name: a box has it. Request 0: no answer. */
    static final int CREATE = 1;
    /** Answer: value is 0, or 1 more than the rank that has the name. */
    static final int CREATED = 2;
    /** To the home: where is it? */
    static final int CLONE = 3;
    /** Answer: value is the rank, {@link #BUSY} if too many wait. */
    static final int CLONED = 4;
    /** To the home: the request is over. */
    static final int WITHDRAW = 5;
    /** To the home: the name is free. */
    static final int REMOVE = 6;
    /** From an owner: value is the class in the low byte, and a number of tokens. */
    static final int TOKENS = 7;
    /** To an owner: tokens of a class are wanted. */
    static final int WANT = 8;
    /** To an owner: a large message of a length is to come; the source calls it CTR1_MSG. */
    static final int ANNOUNCE = 9;
    /** Answer: value is the tag for its data, or one of the negative numbers; the source calls it CTR2_MSG. */
    static final int READY = 10;
    /** To an owner: the data for a tag will not come. */
    static final int CANCEL = 11;
    /** From an owner: there is no such box. */
    static final int NO_BOX = 12;

    static final int BUSY = -1;
    static final int TOO_LONG = -2;
    static final int CLOSED = -3;

    private ControlDescriptor()
    {
    }
}
