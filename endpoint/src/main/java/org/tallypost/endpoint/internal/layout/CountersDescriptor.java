// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.tallypost.endpoint.internal.send.LaneCounts;

/**
 * Layout of an endpoint's counters in the group file. Four pairs of cache lines with one kind of writer each.
 *
 * <pre>
 *  offset   field                    written by
 *  ----------------------------------------------------------------------------------
 *       0   messages received        the polling thread
 *       8   bytes received           the polling thread
 *      16   credit packets or grants the polling thread
 *      24   credits stolen           the polling thread
 *      32   compulsory requests      the polling thread
 *      40   compulsory responses     the polling thread
 *      48   high water, slots        the polling thread, sampled
 *      56   refused packets          the polling thread
 *      64   skipped slots            the polling thread
 *      72   polls                    the polling thread, now and then
 *      80   credits revoked          the polling thread
 *      88   repaired credits         the polling thread
 *      96   lanes granted            the polling thread, now and then
 *     104   of these, owning lines   the polling thread, now and then
 *     112   of these, staying behind the polling thread, now and then
 *     120   whether polls wait       the polling thread, now and then
 *     128   messages sent            the first sending thread
 *     136   bytes sent               the first sending thread
 *     144   sends delayed (stalls)   any sending thread, atomic
 *     152   time of stalls, ns       any sending thread, atomic
 *     160   nudges                   any sending thread, atomic
 *     168   by lanes, not yet added  the first sending thread: see {@link LaneCounts}
 *     256   messages sent            further sending threads, atomic
 *     264   bytes sent               further sending threads, atomic
 *     384   bulk operations          the thread of the bulk queue
 *     392   bulk bytes               the thread of the bulk queue
 *     400   refused bulk operations  the thread of the bulk queue
 *     408   those under way          the thread of the bulk queue
 * </pre>
 */
public final class CountersDescriptor
{
    public static final int LENGTH = 512;

    public static final int RECEIVED_OFFSET = 0;
    public static final int BYTES_RECEIVED_OFFSET = 8;
    public static final int CREDIT_PACKETS_OFFSET = 16;
    public static final int CREDITS_STOLEN_OFFSET = 24;
    public static final int REQUESTS_OFFSET = 32;
    public static final int RESPONSES_OFFSET = 40;
    public static final int HIGH_WATER_OFFSET = 48;
    public static final int REFUSED_OFFSET = 56;
    public static final int SKIPPED_OFFSET = 64;
    public static final int POLLS_OFFSET = 72;
    public static final int REVOKED_OFFSET = 80;
    public static final int REPAIRED_OFFSET = 88;
    public static final int LANES_OFFSET = 96;
    public static final int OWNING_LANES_OFFSET = 104;
    public static final int TRAILING_LANES_OFFSET = 112;
    public static final int WAITING_POLLS_OFFSET = 120;

    public static final int SENT_OFFSET = 128;
    public static final int BYTES_SENT_OFFSET = 136;
    public static final int STALLS_OFFSET = 144;
    public static final int STALL_TIME_OFFSET = 152;
    public static final int NUDGES_OFFSET = 160;
    public static final int SENT_BY_LANES_OFFSET = 168;

    public static final int SENT_SHARED_OFFSET = 256;
    public static final int BYTES_SENT_SHARED_OFFSET = 264;

    public static final int BULK_OPERATIONS_OFFSET = 384;
    public static final int BULK_BYTES_OFFSET = 392;
    public static final int BULK_REFUSED_OFFSET = 400;
    public static final int BULK_PENDING_OFFSET = 408;

    /** In the word of what was sent by lanes: messages below, messages and bytes together above. */
    public static final int LANE_BYTES_SHIFT = 44;
    private static final long LANE_MESSAGES_MASK = (1L << LANE_BYTES_SHIFT) - 1;

    private CountersDescriptor()
    {
    }

    public static long laneMessages(final long word)
    {
        return word & LANE_MESSAGES_MASK;
    }

    public static long laneBytes(final long word)
    {
        return (word >>> LANE_BYTES_SHIFT) - laneMessages(word);
    }
}
