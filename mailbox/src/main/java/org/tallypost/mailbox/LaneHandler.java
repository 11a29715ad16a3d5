// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;

/**
 * What a consumer does with the runs that it finds, in a lane or in the ring. Called on the polling thread, in their order. What
 * was freed in a lane is not reported here: the caller of the poll takes it ({@link LanePoller#takeFreed}).
 */
public interface LaneHandler
{
    /**
     * A run, in place. Valid until this call returns. Not called for aborted runs. The payload of a short run of a lane begins
     * with its word, four bytes, and four bytes that say nothing.
     *
     * @param type   of the run.
     * @param flags  of the run.
     * @param source of the run, below the mailbox's number of sources.
     * @param buffer the mailbox's memory: do not write to it, and read nothing twice that has to stay the same, because
     *               other processes can change it.
     * @param offset of the payload.
     * @param length of the payload in bytes.
     */
    void onPacket(int type, int flags, int source, UnsafeBuffer buffer, int offset, int length);

    /**
     * As {@link #onPacket}, which it calls by default, for a short run that has come by a lane after a poll of it that found
     * nothing: its sender may wait for an answer. The place for what makes that one faster ({@link Lane#prefetchNext}).
     *
     * @param type   of the run.
     * @param flags  of the run.
     * @param source of the run.
     * @param buffer as for {@link #onPacket}.
     * @param offset of the payload.
     * @param length of the payload in bytes.
     */
    default void onArrival(
        final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        onPacket(type, flags, source, buffer, offset, length);
    }
}
