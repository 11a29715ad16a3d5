// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import io.aeron.Aeron;
import org.agrona.concurrent.status.CountersReader;

/**
 * A count that a media driver keeps for a stream, added up over the streams that follow one another. For the agent's thread.
 */
final class DriverCount
{
    private final int typeId;
    private int counterId = CountersReader.NULL_COUNTER_ID;
    private long registrationId = Aeron.NULL_VALUE;
    private long last;
    private long total;

    /**
     * Of no stream yet.
     *
     * @param typeId Aeron's number of such counters.
     */
    DriverCount(final int typeId)
    {
        this.typeId = typeId;
    }

    /** Adds what has come since the last call. A driver that does not keep this counter adds nothing. */
    void read(final CountersReader counters, final long stream)
    {
        if (stream != registrationId || counterId == CountersReader.NULL_COUNTER_ID)
        {
            registrationId = stream;
            counterId = counters.findByTypeIdAndRegistrationId(typeId, stream);
            last = 0;
        }
        if (counterId != CountersReader.NULL_COUNTER_ID)
        {
            final long value = counters.getCounterValue(counterId);
            // the driver gives the counter of a stream that is gone to another one
            if (counters.getCounterRegistrationId(counterId) == stream && value >= last)
            {
                total += value - last;
                last = value;
            }
        }
    }

    long total()
    {
        return total;
    }
}
