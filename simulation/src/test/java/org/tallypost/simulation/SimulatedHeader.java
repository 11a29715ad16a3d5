// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import io.aeron.logbuffer.FrameDescriptor;

/** Stands for Aeron's header of a message. */
public final class SimulatedHeader
{
    private final int session;

    SimulatedHeader(final int session)
    {
        this.session = session;
    }

    /**
     * Says that the message is whole.
     *
     * @return first and last fragment in one.
     */
    public byte flags()
    {
        return FrameDescriptor.UNFRAGMENTED;
    }

    /**
     * Session of the publication.
     *
     * @return its number.
     */
    public int sessionId()
    {
        return session;
    }
}
