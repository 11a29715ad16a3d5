// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.StringJoiner;
import org.tallypost.endpoint.internal.layout.CounterWords;

/**
 * The counters of an endpoint, readable by any thread and any process while it runs. Each value is current or a little
 * old; two values read one after the other need not belong together.
 */
public final class EndpointCounters
{
    /** What a counter counts. */
    public enum Unit
    {
        /** Messages. */
        MESSAGES,
        /** Bytes. */
        BYTES,
        /** Slots of a mailbox. */
        SLOTS,
        /** Credits. */
        CREDITS,
        /** Packets. */
        PACKETS,
        /** Express lanes. */
        LANES,
        /** Calls of poll. */
        POLLS,
        /** Nanoseconds. */
        NANOSECONDS,
        /** How many times something happened. */
        EVENTS,
        /** Whether something is so: 0 or 1. */
        FLAG
    }

    /** How a counter changes. */
    public enum Kind
    {
        /** It grows while the rank is open, and begins at 0 when the rank is opened again. */
        COUNTER,
        /** It is what there is now, or the most that there was. */
        GAUGE
    }

    /** Is shown one counter after the other. */
    @FunctionalInterface
    public interface Visitor
    {
        /**
         * A counter.
         *
         * @param name  of the getter that has the same value, without its "are" if it has one: it keeps its meaning.
         * @param unit  of the value.
         * @param kind  of the counter.
         * @param value now.
         */
        void onCounter(String name, Unit unit, Kind kind, long value);
    }

    private static final EndpointCounter[] ALL = EndpointCounter.values();

    private final CounterWords words;
    /** Of the high ring; null if there is none. */
    private final CounterWords highWords;
    private final long mailboxBytes;

    /**
     * Reads the counters of a rank.
     *
     * @param words        where they are.
     * @param mailboxBytes length of its mailbox file.
     */
    public EndpointCounters(final CounterWords words, final long mailboxBytes)
    {
        this(words, null, mailboxBytes);
    }

    /**
     * Reads the counters of a rank with a high ring.
     *
     * @param words        where they are.
     * @param highWords    where those of the high ring are; null if there is none.
     * @param mailboxBytes length of its mailbox file, and of that of its high ring.
     */
    public EndpointCounters(final CounterWords words, final CounterWords highWords, final long mailboxBytes)
    {
        this.words = words;
        this.highWords = highWords;
        this.mailboxBytes = mailboxBytes;
    }

    private long get(final EndpointCounter counter)
    {
        if (counter.isHigh)
        {
            return highWords == null ? 0 : counter.value(highWords);
        }
        return counter == EndpointCounter.MAILBOX_BYTES ? mailboxBytes : counter.value(words);
    }

    /**
     * Shows all counters, always in the same order. Allocates nothing.
     *
     * @param visitor that is shown each once. What it throws ends the call.
     */
    public void forEach(final Visitor visitor)
    {
        for (final EndpointCounter counter : ALL)
        {
            visitor.onCounter(counter.label, counter.unit, counter.kind, get(counter));
        }
    }

    /**
     * Messages sent.
     *
     * @return their number.
     */
    public long sent()
    {
        return get(EndpointCounter.SENT);
    }

    /**
     * Payload sent.
     *
     * @return in bytes.
     */
    public long bytesSent()
    {
        return get(EndpointCounter.BYTES_SENT);
    }

    /**
     * Messages received.
     *
     * @return their number.
     */
    public long received()
    {
        return get(EndpointCounter.RECEIVED);
    }

    /**
     * Payload received.
     *
     * @return in bytes.
     */
    public long bytesReceived()
    {
        return get(EndpointCounter.BYTES_RECEIVED);
    }

    /**
     * Messages that did not go at the first attempt because there were too few credits.
     *
     * @return their number.
     */
    public long stalls()
    {
        return get(EndpointCounter.STALLS);
    }

    /**
     * Time between the eighth refusal of such messages and their departure: shorter stalls are counted, not timed.
     *
     * @return in nanoseconds, summed up.
     */
    public long stallTimeNs()
    {
        return get(EndpointCounter.STALL_TIME);
    }

    /**
     * Empty packets sent to make a receiver return credits that wait below its threshold.
     *
     * @return their number.
     */
    public long nudges()
    {
        return get(EndpointCounter.NUDGES);
    }

    /**
     * Returns of credits to senders: credit packets, or additions to the shared word with {@link CreditReturn#DIRECT}.
     *
     * @return their number.
     */
    public long creditPackets()
    {
        return get(EndpointCounter.CREDIT_PACKETS);
    }

    /**
     * Credits moved from one sender's quota to another's.
     *
     * @return their number.
     */
    public long creditsStolen()
    {
        return get(EndpointCounter.CREDITS_STOLEN);
    }

    /**
     * Credits taken back out of the shared words of senders that did not use them.
     *
     * @return their number.
     */
    public long creditsRevoked()
    {
        return get(EndpointCounter.CREDITS_REVOKED);
    }

    /**
     * Compulsory requests decided: packets sent, or direct revocations.
     *
     * @return their number.
     */
    public long requests()
    {
        return get(EndpointCounter.REQUESTS);
    }

    /**
     * Compulsory responses retrieved.
     *
     * @return their number.
     */
    public long responses()
    {
        return get(EndpointCounter.RESPONSES);
    }

    /**
     * Most slots of the ring seen unread at a time. It is sampled: the true peak may be higher. Express lanes are not counted.
     *
     * @return in slots.
     */
    public long highWaterSlots()
    {
        return get(EndpointCounter.HIGH_WATER);
    }

    /**
     * Packets refused: malformed, without credit, or from a source that is gone.
     *
     * @return their number.
     */
    public long refused()
    {
        return get(EndpointCounter.REFUSED);
    }

    /**
     * Slots skipped because their claimant died or because they were damaged.
     *
     * @return their number.
     */
    public long skippedSlots()
    {
        return get(EndpointCounter.SKIPPED);
    }

    /**
     * Credits that an audit found missing after memory was damaged, and put right.
     *
     * @return their number.
     */
    public long repairedCredits()
    {
        return get(EndpointCounter.REPAIRED);
    }

    /**
     * Express lanes that this endpoint has granted, a little old.
     *
     * @return their number.
     */
    public long lanes()
    {
        return get(EndpointCounter.LANES);
    }

    /**
     * Of the lanes, those in which this side writes into what it has read, because trials found that faster than leaving lines in
     * both caches (docs/design/lanes.md).
     *
     * @return their number.
     */
    public long owningLanes()
    {
        return get(EndpointCounter.OWNING_LANES);
    }

    /**
     * Of the lanes, those in which this side stays behind a flow for a moment: trials found that faster (docs/design/lanes.md).
     *
     * @return their number.
     */
    public long trailingLanes()
    {
        return get(EndpointCounter.TRAILING_LANES);
    }

    /**
     * Whether a poll that finds nothing waits for an answer for a moment, because trials found that faster
     * ({@link IdleSettings#maxLooks}).
     *
     * @return true if so; true also before the first trial.
     */
    public boolean arePollsWaiting()
    {
        return get(EndpointCounter.POLLS_WAITING) != 0;
    }

    /**
     * Polls, counted now and then.
     *
     * @return their number, rounded down.
     */
    public long polls()
    {
        return get(EndpointCounter.POLLS);
    }

    /**
     * Operations on memory of ranks of other nodes that this rank has asked for. A longer put or get is several.
     *
     * @return their number.
     */
    public long bulkOperations()
    {
        return get(EndpointCounter.BULK_OPERATIONS);
    }

    /**
     * Bytes that puts have written into memory of ranks of other nodes, and gets have read there.
     *
     * @return in bytes; those of operations that are over and have not failed.
     */
    public long bulkBytes()
    {
        return get(EndpointCounter.BULK_BYTES);
    }

    /**
     * Operations on memory of ranks of other nodes that were refused there, or lost with the link.
     *
     * @return their number.
     */
    public long bulkRefused()
    {
        return get(EndpointCounter.BULK_REFUSED);
    }

    /**
     * Operations on memory of ranks of other nodes that are under way, as far as the rank has polled.
     *
     * @return their number now.
     */
    public long bulkPending()
    {
        return get(EndpointCounter.BULK_PENDING);
    }

    /**
     * Messages sent with high priority. They are not among {@link #sent}.
     *
     * @return their number.
     */
    public long highSent()
    {
        return get(EndpointCounter.HIGH_SENT);
    }

    /**
     * Messages received with high priority. They are not among {@link #received}.
     *
     * @return their number.
     */
    public long highReceived()
    {
        return get(EndpointCounter.HIGH_RECEIVED);
    }

    /**
     * Messages of high priority that did not go at the first attempt because there were too few credits.
     *
     * @return their number.
     */
    public long highStalls()
    {
        return get(EndpointCounter.HIGH_STALLS);
    }

    /**
     * Packets of the high ring that were refused: malformed, without credit, or from a source that is gone.
     *
     * @return their number.
     */
    public long highRefused()
    {
        return get(EndpointCounter.HIGH_REFUSED);
    }

    /**
     * Slots of the high ring that were skipped because their claimant died or because they were damaged.
     *
     * @return their number.
     */
    public long highSkippedSlots()
    {
        return get(EndpointCounter.HIGH_SKIPPED);
    }

    /**
     * Length of the mailbox file: ring, spare slots and the lines of its pairs. With priorities, and that of the high ring.
     *
     * @return in bytes.
     */
    public long mailboxBytes()
    {
        return get(EndpointCounter.MAILBOX_BYTES);
    }

    @Override
    public String toString()
    {
        final StringJoiner text = new StringJoiner(", ", "EndpointCounters{", "}");
        forEach((name, unit, kind, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
