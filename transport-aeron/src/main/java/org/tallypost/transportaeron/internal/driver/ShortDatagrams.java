// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.ResponseSetupFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Datagrams that end within the header of their type. A driver asks for eight bytes only, and reads the rest from what the
 * datagram before has left in its buffer: a sender without the secret would have the stream and the session of another. None is
 * handed on. For the thread on which the driver runs; the count may be read by any thread.
 */
final class ShortDatagrams
{
    private volatile long count;

    /**
     * Whether a datagram is too short for its type; counted if so.
     *
     * @param buffer that it was received into, from 0 to the position.
     */
    boolean isShort(final ByteBuffer buffer)
    {
        final int length = buffer.position();
        // shorter ones have no type, and the driver drops and counts them
        if (length >= SetupFlyweight.HEADER_LENGTH || length < HeaderFlyweight.MIN_HEADER_LENGTH)
        {
            return false;
        }
        final short bytes = buffer.getShort(HeaderFlyweight.TYPE_FIELD_OFFSET);
        final int type = (buffer.order() == ByteOrder.LITTLE_ENDIAN ? bytes : Short.reverseBytes(bytes)) & 0xFFFF;
        if (length >= headerLength(type))
        {
            return false;
        }
        // one thread writes
        count = count + 1;
        return true;
    }

    private static int headerLength(final int type)
    {
        switch (type)
        {
            case HeaderFlyweight.HDR_TYPE_PAD:
            case HeaderFlyweight.HDR_TYPE_DATA:
                return DataHeaderFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_NAK:
                return NakFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_SM:
                return StatusMessageFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_ERR:
                return ErrorFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_SETUP:
                return SetupFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_RTTM:
                return RttMeasurementFlyweight.HEADER_LENGTH;
            case HeaderFlyweight.HDR_TYPE_RSP_SETUP:
                return ResponseSetupFlyweight.HEADER_LENGTH;
            default:
                // the driver makes nothing of other types
                return 0;
        }
    }

    long count()
    {
        return count;
    }
}
