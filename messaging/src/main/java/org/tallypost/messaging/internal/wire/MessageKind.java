// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.wire;

/**
 * What a message between messengers is. The number of its channel says so, counted from the first channel of the messengers, and
 * 24 bits of the tag remain: context and tag of a compact message, else 0.
 */
public final class MessageKind
{
    /** Channels that messengers take. */
    public static final int COUNT = 16;

    /** A short message; context and tag are in the message's tag. */
    public static final int EAGER = 0;
    /** A short message with a larger context or tag, behind a head. */
    public static final int EAGER_EXTENDED = 1;
    /** A short message that is answered by DONE when it is matched, behind a head. */
    public static final int EAGER_SYNC = 2;
    /** The announcement of a message (request to send). */
    public static final int RTS = 3;
    /** The answer to an announcement that is matched (clear to send). */
    public static final int CTS = 4;
    /** Bytes of an announced message. */
    public static final int DATA = 5;
    /** A message that asked for it is matched. */
    public static final int DONE = 6;
    /** Asks to forget a message that is not matched. */
    public static final int CANCEL = 7;
    /** A message is forgotten. */
    public static final int CANCELLED = 8;
    /** How far a sender may go. */
    public static final int WINDOW = 9;
    /** The first message of a sender. */
    public static final int HELLO = 10;
    /** The announcement of a message that lies in a region of its sender. */
    public static final int RTS_REGION = 11;
    /** The announcement of a message that its sender lends. */
    public static final int RTS_LOAN = 12;
    /** The announcement of a message that lies in private memory of its sender, which the receiver may read. */
    public static final int RTS_MEMORY = 13;
    /** Bytes were put into a staging area on this node, or copied out of one: a thread that sleeps looks. */
    public static final int LOOK = 14;
    /** The messenger is closed. */
    public static final int GOODBYE = 15;

    /** Bits of the tag of a compact message. */
    public static final int COMPACT_TAG_BITS = 16;
    /** Highest tag of a compact message. */
    public static final int MAX_COMPACT_TAG = (1 << COMPACT_TAG_BITS) - 1;
    /** Highest context of a compact message. */
    public static final int MAX_COMPACT_CONTEXT = 255;

    private MessageKind()
    {
    }

    /** Whether context and tag fit into the tag of a message. */
    public static boolean isCompact(final int context, final int tag)
    {
        return context <= MAX_COMPACT_CONTEXT && tag <= MAX_COMPACT_TAG;
    }

    /** The tag within a channel. */
    public static int compact(final int context, final int tag)
    {
        return context << COMPACT_TAG_BITS | tag;
    }

    /** Context of a compact message. */
    public static int context(final int compact)
    {
        return compact >>> COMPACT_TAG_BITS;
    }

    /** Tag of a compact message. */
    public static int tag(final int compact)
    {
        return compact & MAX_COMPACT_TAG;
    }
}
