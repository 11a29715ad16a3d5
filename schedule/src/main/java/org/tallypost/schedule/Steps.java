// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Is told what a process does in a round, step by step.
 */
public interface Steps
{
    /**
     * Posts a message. Messages to one process go in the order in which they were posted.
     *
     * @param peer   that gets it.
     * @param length of its data in bytes.
     */
    void send(int peer, int length);

    /**
     * Posts a receive of the next message of a process.
     *
     * @param peer that sends it.
     */
    void receive(int peer);

    /** Waits until all messages that were posted are on their way. */
    void waitSends();

    /** Waits until all messages that were posted are on their way, and all receives that were posted are satisfied. */
    void waitAll();

    /**
     * Sends a message, and waits until it is on its way.
     *
     * @param peer   that gets it.
     * @param length of its data in bytes.
     */
    default void sendAndWait(final int peer, final int length)
    {
        send(peer, length);
        waitSends();
    }

    /**
     * Waits for the next message of a process.
     *
     * @param peer that sends it.
     */
    default void receiveAndWait(final int peer)
    {
        receive(peer);
        waitAll();
    }
}
