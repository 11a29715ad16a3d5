// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.util.ArrayList;
import java.util.List;

/** Stands for Aeron's image: what comes from one publication to one subscription, in order as long as no fault says otherwise. */
public final class SimulatedImage
{
    final SimulatedPublication publication;
    /** On their way, in the order in which they arrive. */
    final List<Batch> underWay = new ArrayList<>();
    /** Whether its subscription has told of it. */
    boolean isTold;
    private boolean closed;

    SimulatedImage(final SimulatedPublication publication)
    {
        this.publication = publication;
    }

    /** A message on its way. */
    record Batch(long arrivalNs, byte[] bytes)
    {
    }

    /**
     * Number of the image.
     *
     * @return the session: one image has it.
     */
    public long correlationId()
    {
        return sessionId();
    }

    /**
     * Session of the publication.
     *
     * @return its number.
     */
    public int sessionId()
    {
        return publication.sessionId();
    }

    /**
     * Whether nothing comes by it any more.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return closed;
    }

    /**
     * Ends it.
     *
     * @param reason of it.
     */
    public void reject(final String reason)
    {
        close();
    }

    void close()
    {
        closed = true;
        underWay.clear();
    }
}
