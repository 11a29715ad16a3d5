// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.internal.layout.CountersDescriptor.BYTES_SENT_SHARED_OFFSET;
import static org.tallypost.endpoint.internal.layout.CountersDescriptor.SENT_SHARED_OFFSET;

import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;


/**
 * The counters of an endpoint, readable by any thread and any process while it runs. Each value is current or a little
 * old; two values read one after the other need not belong together.
 */
public final class EndpointCounters
{
    private final CounterWords words;
    private final long mailboxBytes;

    /**
     * Reads the counters of a rank.
     *
     * @param words        where they are.
     * @param mailboxBytes length of its mailbox file.
     */
    public EndpointCounters(final CounterWords words, final long mailboxBytes)
    {
        this.words = words;
        this.mailboxBytes = mailboxBytes;
    }

    private long get(final int offset)
    {
        return words.get(offset);
    }

    /**
     * Messages sent.
     *
     * @return their number.
     */
    public long sent()
    {
        return get(CountersDescriptor.SENT_OFFSET) + get(SENT_SHARED_OFFSET) +
            CountersDescriptor.laneMessages(get(CountersDescriptor.SENT_BY_LANES_OFFSET));
    }

    /**
     * Payload sent.
     *
     * @return in bytes.
     */
    public long bytesSent()
    {
        return get(CountersDescriptor.BYTES_SENT_OFFSET) + get(BYTES_SENT_SHARED_OFFSET) +
            CountersDescriptor.laneBytes(get(CountersDescriptor.SENT_BY_LANES_OFFSET));
    }

    /**
     * Messages received.
     *
     * @return their number.
     */
    public long received()
    {
        return get(CountersDescriptor.RECEIVED_OFFSET);
    }

    /**
     * Payload received.
     *
     * @return in bytes.
     */
    public long bytesReceived()
    {
        return get(CountersDescriptor.BYTES_RECEIVED_OFFSET);
    }

    /**
     * Messages that did not go at the first attempt because there were too few credits.
     *
     * @return their number.
     */
    public long stalls()
    {
        return get(CountersDescriptor.STALLS_OFFSET);
    }

    /**
     * Time between the eighth refusal of such messages and their departure: shorter stalls are counted, not timed.
     *
     * @return in nanoseconds, summed up.
     */
    public long stallTimeNs()
    {
        return get(CountersDescriptor.STALL_TIME_OFFSET);
    }

    /**
     * Empty packets sent to make a receiver return credits that wait below its threshold.
     *
     * @return their number.
     */
    public long nudges()
    {
        return get(CountersDescriptor.NUDGES_OFFSET);
    }

    /**
     * Returns of credits to senders: credit packets, or additions to the shared word with {@link Carrier#DIRECT}.
     *
     * @return their number.
     */
    public long creditPackets()
    {
        return get(CountersDescriptor.CREDIT_PACKETS_OFFSET);
    }

    /**
     * Credits moved from one sender's quota to another's.
     *
     * @return their number.
     */
    public long creditsStolen()
    {
        return get(CountersDescriptor.CREDITS_STOLEN_OFFSET);
    }

    /**
     * Credits taken back out of the shared words of senders that did not use them.
     *
     * @return their number.
     */
    public long creditsRevoked()
    {
        return get(CountersDescriptor.REVOKED_OFFSET);
    }

    /**
     * Compulsory requests decided: packets sent, or direct revocations.
     *
     * @return their number.
     */
    public long requests()
    {
        return get(CountersDescriptor.REQUESTS_OFFSET);
    }

    /**
     * Compulsory responses retrieved.
     *
     * @return their number.
     */
    public long responses()
    {
        return get(CountersDescriptor.RESPONSES_OFFSET);
    }

    /**
     * Most slots of the ring seen unread at a time. It is sampled: the true peak may be higher. Express lanes are not counted.
     *
     * @return in slots.
     */
    public long highWaterSlots()
    {
        return get(CountersDescriptor.HIGH_WATER_OFFSET);
    }

    /**
     * Packets refused: malformed, without credit, or from a source that is gone.
     *
     * @return their number.
     */
    public long refused()
    {
        return get(CountersDescriptor.REFUSED_OFFSET);
    }

    /**
     * Slots skipped because their claimant died or because they were damaged.
     *
     * @return their number.
     */
    public long skippedSlots()
    {
        return get(CountersDescriptor.SKIPPED_OFFSET);
    }

    /**
     * Credits that an audit found missing after memory was damaged, and put right.
     *
     * @return their number.
     */
    public long repairedCredits()
    {
        return get(CountersDescriptor.REPAIRED_OFFSET);
    }

    /**
     * Express lanes that this endpoint has granted, a little old.
     *
     * @return their number.
     */
    public long lanes()
    {
        return get(CountersDescriptor.LANES_OFFSET);
    }

    /**
     * Of the lanes, those in which this side writes into what it has read, because trials found that faster than leaving lines in
     * both caches (docs/design/lanes.md).
     *
     * @return their number.
     */
    public long owningLanes()
    {
        return get(CountersDescriptor.OWNING_LANES_OFFSET);
    }

    /**
     * Of the lanes, those in which this side stays behind a flow for a moment: trials found that faster (docs/design/lanes.md).
     *
     * @return their number.
     */
    public long trailingLanes()
    {
        return get(CountersDescriptor.TRAILING_LANES_OFFSET);
    }

    /**
     * Whether a poll that finds nothing waits for an answer for a moment, because trials found that faster
     * ({@link IdleSettings#maxLooks}).
     *
     * @return true if so; true also before the first trial.
     */
    public boolean arePollsWaiting()
    {
        return get(CountersDescriptor.WAITING_POLLS_OFFSET) != 0;
    }

    /**
     * Polls, counted now and then.
     *
     * @return their number, rounded down.
     */
    public long polls()
    {
        return get(CountersDescriptor.POLLS_OFFSET);
    }

    /**
     * Length of the mailbox file: ring, spare slots and the lines of its pairs.
     *
     * @return in bytes.
     */
    public long mailboxBytes()
    {
        return mailboxBytes;
    }
}
