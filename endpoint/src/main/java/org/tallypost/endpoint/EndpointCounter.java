// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BULK_BYTES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BULK_OPERATIONS_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BULK_PENDING_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BULK_REFUSED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BYTES_RECEIVED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BYTES_SENT_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BYTES_SENT_SHARED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.CREDITS_STOLEN_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.CREDIT_PACKETS_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.HIGH_WATER_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.LANES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.NUDGES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.OWNING_LANES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.POLLS_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.RECEIVED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.REFUSED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.REPAIRED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.REQUESTS_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.RESPONSES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.REVOKED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.SENT_BY_LANES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.SENT_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.SENT_SHARED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.SKIPPED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.STALLS_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.STALL_TIME_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.TRAILING_LANES_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.WAITING_POLLS_OFFSET;

import java.util.function.LongUnaryOperator;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;

/**
 * The table of an endpoint's counters: the name of each, its unit and kind, and the words that it is the sum of. What each means
 * says the getter of its name in {@link EndpointCounters}.
 */
enum EndpointCounter
{
    SENT("sent", Unit.MESSAGES, Kind.COUNTER, CountersDescriptor::laneMessages, SENT_OFFSET, SENT_SHARED_OFFSET),
    BYTES_SENT("bytesSent", Unit.BYTES, Kind.COUNTER, CountersDescriptor::laneBytes, BYTES_SENT_OFFSET, BYTES_SENT_SHARED_OFFSET),
    RECEIVED("received", Unit.MESSAGES, Kind.COUNTER, RECEIVED_OFFSET),
    BYTES_RECEIVED("bytesReceived", Unit.BYTES, Kind.COUNTER, BYTES_RECEIVED_OFFSET),
    STALLS("stalls", Unit.MESSAGES, Kind.COUNTER, STALLS_OFFSET),
    STALL_TIME("stallTimeNs", Unit.NANOSECONDS, Kind.COUNTER, STALL_TIME_OFFSET),
    NUDGES("nudges", Unit.PACKETS, Kind.COUNTER, NUDGES_OFFSET),
    CREDIT_PACKETS("creditPackets", Unit.EVENTS, Kind.COUNTER, CREDIT_PACKETS_OFFSET),
    CREDITS_STOLEN("creditsStolen", Unit.CREDITS, Kind.COUNTER, CREDITS_STOLEN_OFFSET),
    CREDITS_REVOKED("creditsRevoked", Unit.CREDITS, Kind.COUNTER, REVOKED_OFFSET),
    REQUESTS("requests", Unit.EVENTS, Kind.COUNTER, REQUESTS_OFFSET),
    RESPONSES("responses", Unit.EVENTS, Kind.COUNTER, RESPONSES_OFFSET),
    HIGH_WATER("highWaterSlots", Unit.SLOTS, Kind.GAUGE, HIGH_WATER_OFFSET),
    REFUSED("refused", Unit.PACKETS, Kind.COUNTER, REFUSED_OFFSET),
    SKIPPED("skippedSlots", Unit.SLOTS, Kind.COUNTER, SKIPPED_OFFSET),
    REPAIRED("repairedCredits", Unit.CREDITS, Kind.COUNTER, REPAIRED_OFFSET),
    LANES("lanes", Unit.LANES, Kind.GAUGE, LANES_OFFSET),
    OWNING_LANES("owningLanes", Unit.LANES, Kind.GAUGE, OWNING_LANES_OFFSET),
    TRAILING_LANES("trailingLanes", Unit.LANES, Kind.GAUGE, TRAILING_LANES_OFFSET),
    POLLS_WAITING("pollsWaiting", Unit.FLAG, Kind.GAUGE, WAITING_POLLS_OFFSET),
    POLLS("polls", Unit.POLLS, Kind.COUNTER, POLLS_OFFSET),
    BULK_OPERATIONS("bulkOperations", Unit.EVENTS, Kind.COUNTER, BULK_OPERATIONS_OFFSET),
    BULK_BYTES("bulkBytes", Unit.BYTES, Kind.COUNTER, BULK_BYTES_OFFSET),
    BULK_REFUSED("bulkRefused", Unit.EVENTS, Kind.COUNTER, BULK_REFUSED_OFFSET),
    BULK_PENDING("bulkPending", Unit.EVENTS, Kind.GAUGE, BULK_PENDING_OFFSET),
    HIGH_SENT("highSent", Unit.MESSAGES, Kind.COUNTER, SENT),
    HIGH_RECEIVED("highReceived", Unit.MESSAGES, Kind.COUNTER, RECEIVED),
    HIGH_STALLS("highStalls", Unit.MESSAGES, Kind.COUNTER, STALLS),
    HIGH_REFUSED("highRefused", Unit.PACKETS, Kind.COUNTER, REFUSED),
    HIGH_SKIPPED("highSkippedSlots", Unit.SLOTS, Kind.COUNTER, SKIPPED),
    /** Known to each process that has mapped the mailbox, and in no word. */
    MAILBOX_BYTES("mailboxBytes", Unit.BYTES, Kind.GAUGE);

    final String label;
    final Unit unit;
    final Kind kind;
    /** What of the word of messages sent by lanes belongs to it; null if nothing. */
    final LongUnaryOperator lanePart;
    final int[] offsets;
    /** Whether it is of the high ring, where the words are those of a rank a second time. */
    final boolean isHigh;

    EndpointCounter(final String label, final Unit unit, final Kind kind, final EndpointCounter ofHighRing)
    {
        this(label, unit, kind, ofHighRing.lanePart, true, ofHighRing.offsets);
    }

    EndpointCounter(final String label, final Unit unit, final Kind kind, final int... offsets)
    {
        this(label, unit, kind, null, false, offsets);
    }

    EndpointCounter(
        final String label, final Unit unit, final Kind kind, final LongUnaryOperator lanePart, final int... offsets)
    {
        this(label, unit, kind, lanePart, false, offsets);
    }

    EndpointCounter(
        final String label, final Unit unit, final Kind kind, final LongUnaryOperator lanePart, final boolean isHigh,
        final int... offsets)
    {
        this.isHigh = isHigh;
        this.label = label;
        this.unit = unit;
        this.kind = kind;
        this.lanePart = lanePart;
        this.offsets = offsets;
    }

    long value(final CounterWords words)
    {
        long value = lanePart == null ? 0 : lanePart.applyAsLong(words.get(SENT_BY_LANES_OFFSET));
        for (final int offset : offsets)
        {
            value += words.get(offset);
        }
        return value;
    }
}
