// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One party's end of a transport, used by that party's thread alone. The first party sends to the second, all others send to
 * the first.
 */
public interface Link
{
    /**
     * Sends a message if there is room.
     *
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @param length of it in bytes.
     * @return false if there is no room now, or no receiver yet.
     */
    boolean send(DirectBuffer buffer, int offset, int length);

    /**
     * Delivers what has arrived.
     *
     * @param inlet that takes it.
     * @param limit most messages, about.
     * @return number of messages, 0 if there is nothing.
     */
    int poll(Inlet inlet, int limit);

    /**
     * Lets go what was sent and is still held back for company. Called after the last send of a run, until there is nothing.
     *
     * @return whether all is out.
     */
    default boolean flush()
    {
        return true;
    }

    /**
     * Memory in which this party's long messages are to be made.
     *
     * @param size in bytes.
     * @return the memory, or null if any will do.
     */
    default UnsafeBuffer messages(final int size)
    {
        return null;
    }

    /**
     * What this party has sent beside the messages that are measured.
     *
     * @return bytes since the start.
     */
    default long bytesBeside()
    {
        return 0;
    }

    /** Does what no thread of the transport does; called whenever the party has nothing to do. */
    default void work()
    {
    }

    /** A message was refused, and the party does not poll: what the transport wants done meanwhile. */
    default void onRefused()
    {
    }
}
