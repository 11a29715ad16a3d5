// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/** Stands for Aeron's client. */
public final class SimulatedAeron
{
    private final Network network;
    private final CountersReader counters = new CountersReader(
        new UnsafeBuffer(ByteBuffer.allocateDirect(CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(CountersReader.COUNTER_LENGTH)));
    private final SimulatedConnection connection;

    SimulatedAeron(final Network network, final SimulatedConnection connection)
    {
        this.network = network;
        this.connection = connection;
    }

    /**
     * Counters of the driver.
     *
     * @return that there are none.
     */
    public CountersReader countersReader()
    {
        return counters;
    }

    /**
     * Receives a stream.
     *
     * @param channel of it.
     * @param stream  number of it, which says the sending node and what it carries.
     * @return the subscription.
     */
    public SimulatedSubscription addSubscription(final String channel, final int stream)
    {
        return addSubscription(channel, stream, (image) -> {}, (image) -> {});
    }

    /**
     * Receives a stream.
     *
     * @param channel of it.
     * @param stream  number of it, which says the sending node and what it carries.
     * @param onCome  hears of images that come.
     * @param onGo    hears of images that go.
     * @return the subscription.
     */
    public SimulatedSubscription addSubscription(
        final String channel, final int stream, final SimulatedImageHandlers.Available onCome,
        final SimulatedImageHandlers.Unavailable onGo)
    {
        return network.subscribe(
            new SimulatedSubscription(network, connection, stream, Network.toNode(channel), onCome, onGo));
    }

    /**
     * Begins a stream.
     *
     * @param channel of it.
     * @param stream  number of it, which says the sending node and what it carries.
     * @return the publication.
     */
    public SimulatedPublication addExclusivePublication(final String channel, final int stream)
    {
        return network.publish(connection, stream, Network.toNode(channel));
    }
}
