// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.rudp;

/**
 * What the sender of a broadcast imposes on all receivers. The source gives neither the time of the timer nor the limit of
 * attempts: both are chosen here.
 *
 * @param packetLength bytes of data in a packet, 1 to {@link #MAX_PACKET_LENGTH}; the last packet may have fewer.
 * @param burstPackets packets of a burst, 1 to {@link #MAX_BURST_PACKETS}.
 * @param asking       what makes receivers answer.
 * @param maxRounds    rounds of one burst until the sender gives up, at least 1.
 * @param quietNs      silence after which a receiver answers by itself, with {@link Asking#TIMER}.
 * @param answerNs     how long a sender waits for the answers to a round before it gives up.
 */
public record RudpSettings(int packetLength, int burstPackets, Asking asking, int maxRounds, long quietNs, long answerNs)
{
    /** A datagram has at most 65,507 bytes, and a header needs some of them. */
    public static final int MAX_PACKET_LENGTH = 65_000;
    /** The bitmap of a burst has at most 8 KiB. */
    public static final int MAX_BURST_PACKETS = 65_536;
    /** Rounds until a sender gives up, unless set otherwise. */
    public static final int DEFAULT_MAX_ROUNDS = 64;
    /** Found best at 10 Mb/s. */
    public static final RudpSettings SLOW = of(10_240, 160, Asking.TIMER);
    /** Found best at 100 Mb/s. */
    public static final RudpSettings FAST = of(1_024, 64, Asking.LAST);

    private static final long DEFAULT_QUIET_NS = 20_000_000;
    private static final long DEFAULT_ANSWER_NS = 5_000_000_000L;

    /**
     * Checks the bounds.
     *
     * @param packetLength bytes.
     * @param burstPackets packets.
     * @param asking       what makes receivers answer.
     * @param maxRounds    rounds.
     * @param quietNs      nanoseconds.
     * @param answerNs     nanoseconds, more than {@code quietNs}.
     */
    public RudpSettings
    {
        check("packetLength", packetLength, MAX_PACKET_LENGTH);
        check("burstPackets", burstPackets, MAX_BURST_PACKETS);
        check("maxRounds", maxRounds, Integer.MAX_VALUE);
        check("quietNs", quietNs, Long.MAX_VALUE);
        if (answerNs <= quietNs)
        {
            throw new IllegalArgumentException("answerNs: found " + answerNs + ", expected more than quietNs, " + quietNs);
        }
    }

    private static void check(final String name, final long found, final long max)
    {
        if (found < 1 || found > max)
        {
            throw new IllegalArgumentException(name + ": found " + found + ", expected 1 to " + max);
        }
    }

    /**
     * Settings with the limits that are usual here.
     *
     * @param packetLength bytes of data in a packet.
     * @param burstPackets packets of a burst.
     * @param asking       what makes receivers answer.
     * @return the settings.
     */
    public static RudpSettings of(final int packetLength, final int burstPackets, final Asking asking)
    {
        return new RudpSettings(packetLength, burstPackets, asking, DEFAULT_MAX_ROUNDS, DEFAULT_QUIET_NS, DEFAULT_ANSWER_NS);
    }

    /**
     * The same with other limits.
     *
     * @param rounds    of one burst until the sender gives up.
     * @param quiet     silence after which a receiver answers by itself, in nanoseconds.
     * @param answer    how long a sender waits for answers, in nanoseconds.
     * @return the settings.
     */
    public RudpSettings limits(final int rounds, final long quiet, final long answer)
    {
        return new RudpSettings(packetLength, burstPackets, asking, rounds, quiet, answer);
    }

    /**
     * Packets of so many bytes.
     *
     * @param length of all data.
     * @return their number; 0 without data.
     */
    public int packets(final int length)
    {
        return (int)((length + (long)packetLength - 1) / packetLength);
    }

    /**
     * Bursts of so many bytes.
     *
     * @param length of all data.
     * @return their number; 0 without data.
     */
    public int bursts(final int length)
    {
        return (int)((packets(length) + (long)burstPackets - 1) / burstPackets);
    }

    /**
     * Bytes of data in a packet.
     *
     * @param length   of all data.
     * @param sequence of the packet, from 0.
     * @return its bytes.
     */
    public int lengthOf(final int length, final int sequence)
    {
        return (int)Math.min(packetLength, length - (long)sequence * packetLength);
    }

    /**
     * The first packet of a burst.
     *
     * @param length of all data.
     * @param burst  from 0; the number of bursts is allowed, too.
     * @return its sequence, at most the number of packets.
     */
    public int first(final int length, final int burst)
    {
        return (int)Math.min(packets(length), (long)burst * burstPackets);
    }
}
