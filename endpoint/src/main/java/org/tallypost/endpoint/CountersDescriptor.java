// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Layout of an endpoint's counters in the group file. Three pairs of cache lines with one kind of writer each.
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
 * </pre>
 */
final class CountersDescriptor
{
    static final int LENGTH = 384;

    static final int RECEIVED_OFFSET = 0;
    static final int BYTES_RECEIVED_OFFSET = 8;
    static final int CREDIT_PACKETS_OFFSET = 16;
    static final int CREDITS_STOLEN_OFFSET = 24;
    static final int REQUESTS_OFFSET = 32;
    static final int RESPONSES_OFFSET = 40;
    static final int HIGH_WATER_OFFSET = 48;
    static final int REFUSED_OFFSET = 56;
    static final int SKIPPED_OFFSET = 64;
    static final int POLLS_OFFSET = 72;
    static final int REVOKED_OFFSET = 80;
    static final int REPAIRED_OFFSET = 88;
    static final int LANES_OFFSET = 96;
    static final int OWNING_LANES_OFFSET = 104;
    static final int TRAILING_LANES_OFFSET = 112;
    static final int WAITING_POLLS_OFFSET = 120;

    static final int SENT_OFFSET = 128;
    static final int BYTES_SENT_OFFSET = 136;
    static final int STALLS_OFFSET = 144;
    static final int STALL_TIME_OFFSET = 152;
    static final int NUDGES_OFFSET = 160;
    static final int SENT_BY_LANES_OFFSET = 168;

    static final int SENT_SHARED_OFFSET = 256;
    static final int BYTES_SENT_SHARED_OFFSET = 264;

    /** In the word of what was sent by lanes: messages below, messages and bytes together above. */
    static final int LANE_BYTES_SHIFT = 44;
    private static final long LANE_MESSAGES_MASK = (1L << LANE_BYTES_SHIFT) - 1;

    private CountersDescriptor()
    {
    }

    static long laneMessages(final long word)
    {
        return word & LANE_MESSAGES_MASK;
    }

    static long laneBytes(final long word)
    {
        return (word >>> LANE_BYTES_SHIFT) - laneMessages(word);
    }
}
