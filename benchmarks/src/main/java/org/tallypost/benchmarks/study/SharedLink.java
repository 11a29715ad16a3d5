// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;

import org.agrona.DirectBuffer;

/**
 * One way from a node to several receivers on another one. The sending side is for one thread, the receiving side for another.
 */
interface SharedLink extends AutoCloseable
{
    /** A message has come. */
    @FunctionalInterface
    interface Taker
    {
        /**
         * A message has come.
         *
         * @param receiver that it is for, from 0.
         * @param buffer   that holds it.
         * @param offset   of it.
         * @param length   of it.
         */
        void onMessage(int receiver, DirectBuffer buffer, int offset, int length);
    }

    /**
     * Sends one message.
     *
     * @param receiver from 0.
     * @return false if it cannot go now.
     */
    boolean send(int receiver, DirectBuffer buffer, int length);

    /** Work of the sending side beside sending. */
    int sendingWork();

    /** Work of the receiving side beside polling: packets come in. */
    int receivingWork();

    /**
     * Hands on what there is for a receiver.
     *
     * @return number of messages.
     */
    int poll(int receiver, Taker taker, int limit);

    /**
     * Whether there was no room for the last message that was to go to a receiver: for the receiving thread.
     *
     * @return true if so.
     */
    boolean isFull(int receiver);

    @Override
    void close();

    /** What carries the messages. */
    enum Kind
    {
        /** Two nodes with endpoints. */
        TALLYPOST("tallypost"),
        /** One subscription that hands messages on to a queue for each receiver, and waits while that is full. */
        RAW_AERON("raw-aeron");

        private final String label;

        Kind(final String label)
        {
            this.label = label;
        }

        String label()
        {
            return label;
        }

        /**
         * Makes a link on loopback ports.
         *
         * @param receivers number of them.
         * @param slots     of 64 bytes for each that the sender may fill at least.
         * @param directory that is empty.
         */
        SharedLink open(final int receivers, final int slots, final File directory)
        {
            return this == TALLYPOST ? new TallypostLink(receivers, slots, directory) :
                new RawAeronLink(receivers, slots, directory);
        }
    }
}
