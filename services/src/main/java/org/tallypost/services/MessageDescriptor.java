// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/**
 * Bytes of the messages of services, little-endian. The tag of the channel is the kind.
 *
 * <pre>
 *   BEGIN       no bytes: the services of the sender are new, whatever was told and asked before is over
 *   ANNOUNCE    0 number of the service at its rank   4 name, 1 to 100 bytes of ASCII
 *   WITHDRAW    0 number of the service
 *   REQUEST     0 correlation    8 number of the service   12 String.hashCode of its name   16 bytes of the program
 *   ANSWER      0 correlation    8 bytes of the program
 *   REFUSED     0 correlation    8 place of the reason in RequestFailure
 * </pre>
 *
 * A correlation is the index of a pending request at its client in the low 20 bits, and above it a number that is new each time.
 */
final class MessageDescriptor
{
    static final int ANNOUNCE = 1;
    static final int WITHDRAW = 2;
    static final int REQUEST = 3;
    static final int ANSWER = 4;
    static final int REFUSED = 5;
    static final int BEGIN = 6;

    static final int NUMBER_OFFSET = 0;
    static final int NAME_OFFSET = NUMBER_OFFSET + Integer.BYTES;
    static final int MAX_NAME_LENGTH = 100;
    static final int CORRELATION_OFFSET = 0;
    static final int SERVICE_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    static final int REASON_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    static final int NAME_HASH_OFFSET = SERVICE_OFFSET + Integer.BYTES;
    static final int REQUEST_LENGTH = NAME_HASH_OFFSET + Integer.BYTES;
    static final int ANSWER_LENGTH = CORRELATION_OFFSET + Long.BYTES;
    static final int REFUSED_LENGTH = REASON_OFFSET + Integer.BYTES;

    static final int INDEX_BITS = 20;
    static final int MAX_REQUESTS = 1 << INDEX_BITS;
    /** Services of one rank. */
    static final int MAX_SERVICES = 64;

    private MessageDescriptor()
    {
    }

    static int index(final long correlation)
    {
        return (int)correlation & MAX_REQUESTS - 1;
    }

    /** Least length of a message of a kind. */
    static int leastLength(final int kind)
    {
        switch (kind)
        {
            case BEGIN:
                return 0;
            case ANNOUNCE:
                return NAME_OFFSET + 1;
            case WITHDRAW:
                return NAME_OFFSET;
            case REQUEST:
                return REQUEST_LENGTH;
            case ANSWER:
                return ANSWER_LENGTH;
            case REFUSED:
                return REFUSED_LENGTH;
            default:
                return Integer.MAX_VALUE;
        }
    }
}
