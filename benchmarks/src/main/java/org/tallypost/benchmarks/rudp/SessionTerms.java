// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.tallypost.thesis.rudp.Asking;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * What the sender of a session imposes, as it stands in a control message, and the head of its datagrams.
 *
 * @param session  number that its datagrams carry.
 * @param length   bytes of data.
 * @param settings of RUDP.
 */
record SessionTerms(long session, int length, RudpSettings settings)
{
    /** Session, sequence, length. */
    static final int HEADER_LENGTH = 16;
    /** More than that is refused: the receiver allocates what it is told. */
    static final int MAX_DATA_LENGTH = 1 << 28;

    private static final int BYTES = 32;

    byte[] encoded()
    {
        return ByteBuffer.allocate(BYTES).putLong(session).putInt(length).putInt(settings.packetLength())
            .putInt(settings.burstPackets()).putInt(settings.asking().ordinal()).putLong(settings.quietNs()).array();
    }

    static SessionTerms decoded(final ByteBuffer bytes) throws IOException
    {
        if (bytes.remaining() != BYTES)
        {
            throw new IOException("terms of a session: found " + bytes.remaining() + " bytes, expected " + BYTES);
        }
        final long session = bytes.getLong();
        final int length = bytes.getInt();
        final int packetLength = bytes.getInt();
        final int burstPackets = bytes.getInt();
        final int asking = bytes.getInt();
        final long quietNs = bytes.getLong();
        if (length < 0 || length > MAX_DATA_LENGTH || asking < 0 || asking >= Asking.values().length)
        {
            throw new IOException("terms of a session: found " + length + " bytes of data and way " + asking + " of asking, " +
                "expected 0 to " + MAX_DATA_LENGTH + " and 0 to " + (Asking.values().length - 1));
        }
        try
        {
            final RudpSettings settings = RudpSettings.of(packetLength, burstPackets, Asking.values()[asking]);
            return new SessionTerms(session, length, settings.limits(settings.maxRounds(), quietNs, Long.MAX_VALUE));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IOException("terms of a session: " + ex.getMessage(), ex);
        }
    }
}
