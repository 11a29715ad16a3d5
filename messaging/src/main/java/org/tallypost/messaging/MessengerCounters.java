// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.StringJoiner;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.EndpointCounters.Visitor;

/**
 * What a messenger has counted since it was launched. Written by its thread; any thread may read, and sees values that were right
 * a moment ago.
 */
public final class MessengerCounters
{
    /** A counter. */
    enum Counter
    {
        SENT_EAGER("sentEager", Unit.MESSAGES, Kind.COUNTER),
        SENT_ANNOUNCED("sentAnnounced", Unit.MESSAGES, Kind.COUNTER),
        SENT_FROM_REGION("sentFromRegion", Unit.MESSAGES, Kind.COUNTER),
        COPIED("copied", Unit.MESSAGES, Kind.COUNTER),
        COPIES_REFUSED("copiesRefused", Unit.MESSAGES, Kind.COUNTER),
        SENT_AS_LOAN("sentAsLoan", Unit.MESSAGES, Kind.COUNTER),
        SENT_FROM_MEMORY("sentFromMemory", Unit.MESSAGES, Kind.COUNTER),
        SENT_BY_BULK("sentByBulk", Unit.MESSAGES, Kind.COUNTER),
        SENT_TO_SELF("sentToSelf", Unit.MESSAGES, Kind.COUNTER),
        SENT_BYTES("sentBytes", Unit.BYTES, Kind.COUNTER),
        MATCHED_AT_ARRIVAL("matchedAtArrival", Unit.MESSAGES, Kind.COUNTER),
        MATCHED_LATER("matchedLater", Unit.MESSAGES, Kind.COUNTER),
        READ_BY_BULK("readByBulk", Unit.MESSAGES, Kind.COUNTER),
        STAGED("staged", Unit.MESSAGES, Kind.COUNTER),
        RECEIVED_BYTES("receivedBytes", Unit.BYTES, Kind.COUNTER),
        TRUNCATED("truncated", Unit.MESSAGES, Kind.COUNTER),
        CANCELLED("cancelled", Unit.EVENTS, Kind.COUNTER),
        WINDOWS_TOLD("windowsTold", Unit.EVENTS, Kind.COUNTER),
        ANSWERED_HIGH("answeredHigh", Unit.MESSAGES, Kind.COUNTER),
        REFUSED("refused", Unit.MESSAGES, Kind.COUNTER),
        PLACES_REFUSED("placesRefused", Unit.MESSAGES, Kind.COUNTER),
        OUTDATED("outdated", Unit.MESSAGES, Kind.COUNTER),
        DROPPED("dropped", Unit.MESSAGES, Kind.COUNTER),
        UNEXPECTED("unexpected", Unit.MESSAGES, Kind.GAUGE),
        UNEXPECTED_BYTES("unexpectedBytes", Unit.BYTES, Kind.GAUGE),
        ALLOCATED_BYTES("allocatedBytes", Unit.BYTES, Kind.GAUGE);

        private final String label;
        private final Unit unit;
        private final Kind kind;

        Counter(final String label, final Unit unit, final Kind kind)
        {
            this.label = label;
            this.unit = unit;
            this.kind = kind;
        }
    }

    private static final Counter[] ALL = Counter.values();

    private final long[] values = new long[ALL.length];

    MessengerCounters()
    {
    }

    void add(final Counter counter, final long value)
    {
        values[counter.ordinal()] += value;
    }

    void set(final Counter counter, final long value)
    {
        values[counter.ordinal()] = value;
    }

    long get(final Counter counter)
    {
        return values[counter.ordinal()];
    }

    /**
     * Shows all counters, always in the same order. Allocates nothing.
     *
     * @param visitor that is shown each once.
     */
    public void forEach(final Visitor visitor)
    {
        for (final Counter counter : ALL)
        {
            visitor.onCounter(counter.label, counter.unit, counter.kind, get(counter));
        }
    }

    /**
     * Messages that went with their bytes at once.
     *
     * @return their number.
     */
    public long sentEager()
    {
        return get(Counter.SENT_EAGER);
    }

    /**
     * Messages that were announced.
     *
     * @return their number.
     */
    public long sentAnnounced()
    {
        return get(Counter.SENT_ANNOUNCED);
    }

    /**
     * Messages that were announced with their place in a region of this rank. They count as announced, too.
     *
     * @return their number.
     */
    public long sentFromRegion()
    {
        return get(Counter.SENT_FROM_REGION);
    }

    /**
     * Messages of private memory that were copied into a region of this rank first. They count as sent from a region, too.
     *
     * @return their number.
     */
    public long copied()
    {
        return get(Counter.COPIED);
    }

    /**
     * Messages that found no room for a copy, or too many copies of others, and went another way, or waited for room.
     *
     * @return their number.
     */
    public long copiesRefused()
    {
        return get(Counter.COPIES_REFUSED);
    }

    /**
     * Messages that were lent. They count as announced, too.
     *
     * @return their number.
     */
    public long sentAsLoan()
    {
        return get(Counter.SENT_AS_LOAN);
    }

    /**
     * Messages that were put into a staging area of a receiver. They count as announced, too.
     *
     * @return their number.
     */
    public long sentByBulk()
    {
        return get(Counter.SENT_BY_BULK);
    }

    /**
     * Messages that were announced with their address in this process. They count as announced, too.
     *
     * @return their number.
     */
    public long sentFromMemory()
    {
        return get(Counter.SENT_FROM_MEMORY);
    }

    /**
     * Messages to the own rank.
     *
     * @return their number.
     */
    public long sentToSelf()
    {
        return get(Counter.SENT_TO_SELF);
    }

    /**
     * Bytes of messages that have gone.
     *
     * @return in bytes.
     */
    public long sentBytes()
    {
        return get(Counter.SENT_BYTES);
    }

    /**
     * Messages for which there was a receive when they came.
     *
     * @return their number.
     */
    public long matchedAtArrival()
    {
        return get(Counter.MATCHED_AT_ARRIVAL);
    }

    /**
     * Messages that were unexpected, and found by a receive.
     *
     * @return their number.
     */
    public long matchedLater()
    {
        return get(Counter.MATCHED_LATER);
    }

    /**
     * Messages that a sender has put into a staging area of this rank.
     *
     * @return their number.
     */
    public long staged()
    {
        return get(Counter.STAGED);
    }

    /**
     * Messages that were read out of a region of another node.
     *
     * @return their number.
     */
    public long readByBulk()
    {
        return get(Counter.READ_BY_BULK);
    }

    /**
     * Bytes of messages that receives have got.
     *
     * @return in bytes.
     */
    public long receivedBytes()
    {
        return get(Counter.RECEIVED_BYTES);
    }

    /**
     * Messages that were longer than the buffer of their receive.
     *
     * @return their number.
     */
    public long truncated()
    {
        return get(Counter.TRUNCATED);
    }

    /**
     * Requests that were cancelled.
     *
     * @return their number.
     */
    public long cancelled()
    {
        return get(Counter.CANCELLED);
    }

    /**
     * How many times senders were told how far they may go.
     *
     * @return the number.
     */
    public long windowsTold()
    {
        return get(Counter.WINDOWS_TOLD);
    }

    /**
     * Answers that went with high priority: that a message is matched or forgotten, and how far a sender may go.
     *
     * @return their number.
     */
    public long answeredHigh()
    {
        return get(Counter.ANSWERED_HIGH);
    }

    /**
     * Messages that no messenger sends in this situation: of an unknown kind, with ids that name nothing, beyond a window, from a
     * rank outside of its communicator.
     *
     * @return their number.
     */
    public long refused()
    {
        return get(Counter.REFUSED);
    }

    /**
     * Messages that were announced with a place that could not be read: no region memory here, a key that is stale, forged or
     * another rank's, bytes outside of the region. Their senders were asked to send the bytes.
     *
     * @return their number.
     */
    public long placesRefused()
    {
        return get(Counter.PLACES_REFUSED);
    }

    /**
     * Limits and goodbyes of a session that is over, or never was.
     *
     * @return their number.
     */
    public long outdated()
    {
        return get(Counter.OUTDATED);
    }

    /**
     * Unexpected messages that were given up, since their sender is gone, has begun anew, or their context was freed.
     *
     * @return their number.
     */
    public long dropped()
    {
        return get(Counter.DROPPED);
    }

    /**
     * Messages that wait for a receive now, those that were announced included.
     *
     * @return their number.
     */
    public long unexpected()
    {
        return get(Counter.UNEXPECTED);
    }

    /**
     * Memory that unexpected messages take now.
     *
     * @return in bytes.
     */
    public long unexpectedBytes()
    {
        return get(Counter.UNEXPECTED_BYTES);
    }

    /**
     * Memory that was allocated for unexpected messages: the most that they have taken, rounded up to 65,536 bytes.
     *
     * @return in bytes.
     */
    public long allocatedBytes()
    {
        return get(Counter.ALLOCATED_BYTES);
    }

    @Override
    public String toString()
    {
        final StringJoiner text = new StringJoiner(", ", "MessengerCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
