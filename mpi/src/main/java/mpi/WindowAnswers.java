// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** What the rank that has a part of a window answers to others: to one that asks for a lock when that is free, else at once. */
final class WindowAnswers
{
    private final Channels channels;
    private final MessageLocks locks;
    private final List<SendTransfer> replies = new ArrayList<>();

    WindowAnswers(final Channels channels, final WindowRanks ranks)
    {
        this.channels = channels;
        locks = new MessageLocks(ranks, this::reply);
    }

    /** As {@link MessageLocks#ask}. */
    void askForLock(final int source, final int replyTag, final boolean isExclusive) throws MPIException
    {
        locks.ask(source, replyTag, isExclusive);
    }

    /** As {@link MessageLocks#giveBack}. */
    void giveBackLock(final int source, final int replyTag) throws MPIException
    {
        locks.giveBack(source, replyTag);
    }

    /** Goes on with what is on its way, and with locks of ranks that are gone. */
    void progress() throws MPIException
    {
        locks.takeFromThoseThatAreGone();
        for (int i = replies.size() - 1; i >= 0; i--)
        {
            if (replies.get(i).progress())
            {
                replies.remove(i).throwFailure();
            }
        }
    }

    /** Whether nothing is on its way. */
    boolean areOut()
    {
        return replies.isEmpty();
    }

    void reply(final int source, final int tag, final int status) throws MPIException
    {
        reply(source, tag, status, new byte[Integer.BYTES]);
    }

    /** With what was in the part before. */
    void reply(final int source, final int tag, final int status, final UnsafeBuffer old, final int oldLength)
        throws MPIException
    {
        final byte[] bytes = new byte[Integer.BYTES + oldLength];
        old.getBytes(0, bytes, Integer.BYTES, oldLength);
        reply(source, tag, status, bytes);
    }

    private void reply(final int source, final int tag, final int status, final byte[] bytes) throws MPIException
    {
        new UnsafeBuffer(bytes).putInt(0, status);
        final SendTransfer send = new SendTransfer().items(bytes, 0, 0, bytes.length, MPI.BYTE)
            .to(channels, false, SendTransfer.Mode.STANDARD, source, tag);
        send.start();
        replies.add(send);
    }
}
