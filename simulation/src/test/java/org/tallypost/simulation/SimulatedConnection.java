// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ErrorHandler;
import org.tallypost.transportaeron.internal.driver.AeronSettings;

/** Stands for the connection to an embedded media driver, which dies with its process, or alone. */
public final class SimulatedConnection implements AutoCloseable
{
    private final Network network;
    private final SimulatedAeron aeron;
    private final SimulatedProcess process;
    private final List<SimulatedPublication> publications = new ArrayList<>();
    private long workedNs;
    private boolean closed;

    /**
     * Connects.
     *
     * @param settings  of the transport.
     * @param directory for the files of a driver, of which there are none.
     * @param onError   hears of what goes wrong, which nothing does.
     */
    public SimulatedConnection(final AeronSettings settings, final File directory, final ErrorHandler onError)
    {
        this(settings, directory, 0, onError);
    }

    /**
     * Connects.
     *
     * @param settings   of the transport.
     * @param directory  for the files of a driver, of which there are none.
     * @param intervalNs liveness interval of the node.
     * @param onError    hears of what goes wrong, which nothing does.
     */
    public SimulatedConnection(
        final AeronSettings settings, final File directory, final long intervalNs, final ErrorHandler onError)
    {
        network = Network.current();
        process = network.connected(this);
        aeron = new SimulatedAeron(network, this);
        workedNs = network.nowNs();
    }

    /**
     * Whether a driver can be launched.
     *
     * @param settings   of the transport.
     * @param intervalNs liveness interval of the node.
     * @return true.
     */
    public static boolean isPossible(final AeronSettings settings, final long intervalNs)
    {
        return true;
    }

    /**
     * The client.
     *
     * @return the client.
     */
    public SimulatedAeron aeron()
    {
        return aeron;
    }

    /**
     * Asks for a stream.
     *
     * @param channel of it.
     * @param stream  number of it, which says the sending node.
     * @return the number of the request.
     */
    public long beginToPublish(final String channel, final int stream)
    {
        publications.add(aeron.addExclusivePublication(channel, stream));
        return publications.size() - 1;
    }

    /**
     * The answer, which is there at once.
     *
     * @param id of the request.
     * @return the publication.
     */
    public SimulatedPublication publication(final long id)
    {
        return publications.get((int)id);
    }

    /**
     * Datagrams of strangers that were dropped.
     *
     * @return 0.
     */
    public long refusedCount()
    {
        return 0;
    }

    /**
     * Whether the driver is gone.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return closed;
    }

    /**
     * The driver's work.
     *
     * @param nowNs   the agent's time; the network has the same.
     * @param pauseNs for which the agent stood still; the network ends no stream for that.
     * @param isAll   whether bulk is as fast as messages, which says nothing here.
     * @return 0.
     */
    public int doWork(final long nowNs, final long pauseNs, final boolean isAll)
    {
        workedNs = network.nowNs();
        return 0;
    }

    @Override
    public void close()
    {
        closed = true;
    }

    boolean isOf(final SimulatedProcess other)
    {
        return process == other;
    }

    /** Whether others hear of it. */
    boolean isAlive()
    {
        return !closed && !process.isDead() && network.nowNs() - workedNs < Network.IMAGE_TIMEOUT_NS;
    }
}
