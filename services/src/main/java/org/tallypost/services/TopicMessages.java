// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/**
 * Bytes of the messages of topics beside BEGIN, ANNOUNCE and WITHDRAW, which are as in {@link MessageDescriptor}; little-endian.
 *
 * <pre>
 *   SUBSCRIBE     0 number of the topic at its publisher   4 String.hashCode of its name   8 number of the subscription
 *   SUBSCRIBED    0 number of the topic   4 length of the log   8 subscription   16 position it begins at   24 publication
 *                 32 sequence number of the first message
 *   UNSUBSCRIBE   0 number of the topic   4 unused   8 subscription
 *   RECORD        0 number of the topic   4 unused   8 subscription   16 bytes of the program
 *   LOST          0 number of the topic   4 unused   8 subscription   16 count
 *   ENDED         0 number of the topic   4 place of the reason in TopicEnd   8 subscription
 *   NEWS          no bytes: a log has news for a subscriber that was about to sleep
 * </pre>
 *
 * RECORD and LOST go to other nodes only; within a node a subscriber reads the log.
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
    static final int SUBSCRIBED_LENGTH = SEQUENCE_OFFSET + Long.BYTES;

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
                return HEAD_LENGTH;
            case LOST:
                return LOST_LENGTH;
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
