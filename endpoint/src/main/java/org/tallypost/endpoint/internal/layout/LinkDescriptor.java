// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

/**
 * Layout of the counters of a link to another node, in the 'remote' file ({@link RemoteDescriptor}). The transport's agent
 * writes all of them some times a second, and when the link comes up or goes down. They go on when another process takes the
 * agent's place.
 *
 * <pre>
 *  offset   field
 *  ----------------------------------------------------------------------------------
 *       0   whether the link is up
 *       8   times it came up
 *      16   time it is as it is, ns
 *      24   time up, ns
 *      32   time down, ns
 *      40   messages sent
 *      48   messages received
 *      56   frames sent
 *      64   frames received
 *      72   batches sent
 *      80   batches received
 *      88   bytes sent
 *      96   bytes received
 *     104   bulk bytes sent
 *     112   bulk bytes received
 *     120   stalls
 *     128   time of stalls, ns
 *     136   repairs asked of the other node
 *     144   repairs that the other node asked for
 *     152   dropped
 *     160   frames sent by the high stream
 *     168   frames received by the high stream
 *     176   batches sent by the high stream
 *     184   batches received by the high stream
 * </pre>
 */
public final class LinkDescriptor
{
    public static final int LENGTH = 256;

    public static final int UP_OFFSET = 0;
    public static final int UPS_OFFSET = 8;
    public static final int STATE_TIME_OFFSET = 16;
    public static final int UP_TIME_OFFSET = 24;
    public static final int DOWN_TIME_OFFSET = 32;
    public static final int MESSAGES_SENT_OFFSET = 40;
    public static final int MESSAGES_RECEIVED_OFFSET = 48;
    public static final int FRAMES_SENT_OFFSET = 56;
    public static final int FRAMES_RECEIVED_OFFSET = 64;
    public static final int BATCHES_SENT_OFFSET = 72;
    public static final int BATCHES_RECEIVED_OFFSET = 80;
    public static final int BYTES_SENT_OFFSET = 88;
    public static final int BYTES_RECEIVED_OFFSET = 96;
    public static final int BULK_BYTES_SENT_OFFSET = 104;
    public static final int BULK_BYTES_RECEIVED_OFFSET = 112;
    public static final int STALLS_OFFSET = 120;
    public static final int STALL_TIME_OFFSET = 128;
    public static final int REPAIRS_ASKED_OFFSET = 136;
    public static final int REPAIRS_GIVEN_OFFSET = 144;
    public static final int DROPPED_OFFSET = 152;
    public static final int HIGH_FRAMES_SENT_OFFSET = 160;
    public static final int HIGH_FRAMES_RECEIVED_OFFSET = 168;
    public static final int HIGH_BATCHES_SENT_OFFSET = 176;
    public static final int HIGH_BATCHES_RECEIVED_OFFSET = 184;

    private LinkDescriptor()
    {
    }
}
