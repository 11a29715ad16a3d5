// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Objects;

/**
 * LogGP parameters of a fabric, in picoseconds.
 *
 * <p>A packet costs the sending process {@code sendPs}; then each card on its way, first and last included, {@code cardPs}
 * and {@code bytePs} for each of its bytes, one packet after the other; {@code hopPs} for each link; and the process that
 * retrieves it {@code retrievePs}. A data packet has 64 bytes, of which 56 are payload. Control packets, and those that
 * announce bulk, have a word of payload after their header: {@link #SHORT_LENGTH}. A control packet takes a process less time
 * than a full packet, by the share by which it takes a card less.
 *
 * @param hopPs      L: from card to card.
 * @param sendPs     o: of a process that sends a packet.
 * @param retrievePs o: of a process that retrieves one.
 * @param cardPs     g: gap of a card between two packets, whether they start, pass or end there.
 * @param bytePs     G: gap of a card for each byte.
 * @param copyPs     for each byte of a message between processes of a node that share memory, at either side.
 * @param cardQueue  packets that may wait at a card before processes that send to it are held up; 0 for any number.
 * @param fixed      what the static protocol costs.
 * @param adaptive   what the dynamic protocol costs.
 */
public record FabricParameters(
    long hopPs,
    long sendPs,
    long retrievePs,
    long cardPs,
    long bytePs,
    long copyPs,
    int cardQueue,
    ProtocolCosts fixed,
    ProtocolCosts adaptive)
{
    /** Bytes of a packet that carry data. */
    public static final int PAYLOAD_LENGTH = 56;
    /** Bytes of a slot. */
    public static final int SLOT_LENGTH = 64;
    /** Bytes that an MPI message has before its data. */
    public static final int MESSAGE_HEADER_LENGTH = 16;
    /** Longest data, in bytes, of a message that goes in packets; longer ones go as bulk. */
    public static final int EAGER_LIMIT = 2048;

    /** Bytes on the wire of a packet that has a word to tell. */
    public static final int SHORT_LENGTH = 16;

    private static final int TAKEN_LENGTH = 8;

    /**
     * Checks ranges.
     *
     * @param hopPs      0 or more, as all numbers.
     * @param sendPs     of a process that sends.
     * @param retrievePs of a process that retrieves.
     * @param cardPs     of a card for each packet.
     * @param bytePs     of a card for each byte.
     * @param copyPs     of a process for each byte.
     * @param cardQueue  in packets.
     * @param fixed      not null.
     * @param adaptive   not null.
     */
    public FabricParameters
    {
        if (hopPs < 0 || sendPs < 0 || retrievePs < 0 || cardPs < 0 || bytePs < 0 || copyPs < 0 || cardQueue < 0)
        {
            throw new IllegalArgumentException("parameter out of range: found one below 0");
        }
        Objects.requireNonNull(fixed, "fixed");
        Objects.requireNonNull(adaptive, "adaptive");
    }

    /**
     * Parameters of the fabric of the thesis.
     *
     * @return as {@link Calibration#fitted}.
     */
    public static FabricParameters fitted()
    {
        return Calibration.fitted();
    }

    /** How long a card is busy with a full packet. */
    long packetPs()
    {
        return cardPs + SLOT_LENGTH * bytePs;
    }

    /** How long a card is busy with a packet of a word. */
    long shortPacketPs()
    {
        return cardPs + SHORT_LENGTH * bytePs;
    }

    /** How long a process takes to send a packet of a word: less than for a full one by the same share as a card. */
    long sendShortPs()
    {
        return ofShort(sendPs);
    }

    /** How long a process takes to retrieve a packet of a word. */
    long retrieveShortPs()
    {
        return ofShort(retrievePs);
    }

    private long ofShort(final long fullPs)
    {
        return packetPs() == 0 ? fullPs : fullPs * shortPacketPs() / packetPs();
    }

    /**
     * Packets of a message.
     *
     * @param length of its data in bytes.
     * @return their number: 37 for 2,048 bytes.
     */
    public static int packets(final int length)
    {
        return (MESSAGE_HEADER_LENGTH + length + PAYLOAD_LENGTH - 1) / PAYLOAD_LENGTH;
    }

    /**
     * Whether the last packet of a message has the spare bytes that credits need to travel with it. The thesis says that a
     * message of 2,048 bytes has none and one of 2,044 has; by its own lengths they have 8 and 12. So two are wanted beyond
     * 8 for a use that it does not tell.
     *
     * @param length of its data in bytes.
     * @return true for 2,044 bytes, false for 2,048.
     */
    public static boolean hasSpareBytes(final int length)
    {
        final int last = (MESSAGE_HEADER_LENGTH + length) % PAYLOAD_LENGTH;
        return last > 0 && last <= PAYLOAD_LENGTH - TAKEN_LENGTH - 2;
    }
}
