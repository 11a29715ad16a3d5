// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/**
 * Bytes of the messages of topics beside BEGIN, ANNOUNCE and WITHDRAW, which are as in {@link MessageDescriptor}; little-endian.
 *
 * <pre>
 *   SUBSCRIBE     0 number of the topic at its publisher   4 String.hashCode of its name   8 number of the subscription
 *   SUBSCRIBED    0 number of the topic   4 length of the log   8 subscription   16 position it begins at   24 publication
 *                 32 number of the message at that position   40 number of the first message it gets   48 rank that has the
 *                 log, -1 if messages come by RECORD   52 1 if what a subscriber reads may be written over. May come again: the
 *                 log is another one from now on
 *   UNSUBSCRIBE   0 number of the topic   4 unused   8 subscription
 *   RECORD        0 number of the topic   4 unused   8 subscription   16 bytes of the program
 *   LOST          0 number of the topic   4 unused   8 subscription   16 count
 *   ENDED         0 number of the topic   4 place of the reason in TopicEnd   8 subscription
 *   NEWS          no bytes: a log has news for a subscriber that was about to sleep
 *   MEMBER        0 number of the topic   4 rank of the relay's node   8 subscription of the relay   16 position from which that
 *                 rank reads the relay's log, -1 if it reads no more
 *   ASK           0 number of the topic   4 1 for one answer now, 0 for news at once until the end   8 subscription of the relay:
 *                 it is to tell what all have read
 *   READ          0 number of the topic   4 rank that has read least   8 subscription of the relay   16 position up to which all
 *                 have read, -1 if the relay has no room for a log
 * </pre>
 *
 * RECORD and LOST go to other nodes only; within a node a subscriber reads the log. A relay is the subscriber of another node
 * that gets each message for all of its node: it is told that it has the log itself, and writes there what comes by RECORD.
 */
final class TopicMessages
{
    static final int SUBSCRIBE = 16;
    static final int SUBSCRIBED = 17;
    static final int UNSUBSCRIBE = 18;
    static final int RECORD = 19;
    static final int LOST = 20;
    static final int ENDED = 21;
    static final int NEWS = 22;
    static final int MEMBER = 23;
    static final int ASK = 24;
    static final int READ = 25;

    static final int NUMBER_OFFSET = 0;
    static final int NAME_HASH_OFFSET = 4;
    static final int LOG_LENGTH_OFFSET = 4;
    static final int END_OFFSET = 4;
    static final int SUBSCRIPTION_OFFSET = 8;
    static final int HEAD_LENGTH = SUBSCRIPTION_OFFSET + Long.BYTES;
    static final int POSITION_OFFSET = HEAD_LENGTH;
    static final int COUNT_OFFSET = HEAD_LENGTH;
    static final int LOST_LENGTH = COUNT_OFFSET + Long.BYTES;
    static final int PUBLICATION_OFFSET = POSITION_OFFSET + Long.BYTES;
    static final int SEQUENCE_OFFSET = PUBLICATION_OFFSET + Long.BYTES;
    static final int FIRST_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    static final int LOG_RANK_OFFSET = FIRST_OFFSET + Long.BYTES;
    static final int OVERRUN_OFFSET = LOG_RANK_OFFSET + Integer.BYTES;
    static final int SUBSCRIBED_LENGTH = OVERRUN_OFFSET + Integer.BYTES;
    static final int RANK_OFFSET = 4;
    static final int MEMBER_LENGTH = POSITION_OFFSET + Long.BYTES;

    private TopicMessages()
    {
    }

    /** Least length of a message of a kind. */
    static int leastLength(final int kind)
    {
        switch (kind)
        {
            case SUBSCRIBE:
            case UNSUBSCRIBE:
            case RECORD:
            case ENDED:
            case ASK:
                return HEAD_LENGTH;
            case LOST:
                return LOST_LENGTH;
            case MEMBER:
            case READ:
                return MEMBER_LENGTH;
            case SUBSCRIBED:
                return SUBSCRIBED_LENGTH;
            case NEWS:
                return 0;
            case MessageDescriptor.BEGIN:
            case MessageDescriptor.ANNOUNCE:
            case MessageDescriptor.WITHDRAW:
                return MessageDescriptor.leastLength(kind);
            default:
                return Integer.MAX_VALUE;
        }
    }
}
