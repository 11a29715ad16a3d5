// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;

import org.tallypost.benchmarks.compare.Link;

/**
 * The receiving buffer of a trial, and the ways into it.
 */
interface Room extends AutoCloseable
{
    /**
     * The end of one party. Called by one thread for all parties, before they begin.
     *
     * @param party 0 for the receiver, from 1 for the senders.
     * @return its link.
     */
    Link open(int party);

    /** All are there: waits until messages can pass. */
    default void connect()
    {
    }

    /** A sending thread has nothing to send, or was refused: what the transport wants done. Called by the first of them. */
    default void onIdle()
    {
    }

    /**
     * Bytes that messages can take.
     *
     * @return their number.
     */
    long bufferBytes();

    /**
     * Bytes of everything that belongs to the receiving buffer.
     *
     * @return their number.
     */
    long fileBytes();

    @Override
    void close();

    /**
     * Makes a room.
     *
     * @param spec      of the trial.
     * @param point     of it.
     * @param directory that is empty.
     * @return the room.
     */
    static Room of(final TrialSpec spec, final TrialSpec.Point point, final File directory)
    {
        return spec.contender() == Contender.AERON_IPC ?
            new AeronRoom(point, directory) : new TransportRoom(spec, point, directory);
    }
}
