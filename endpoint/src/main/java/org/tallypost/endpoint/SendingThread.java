// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.mailbox.ClaimMark;

/**
 * A thread that sends, with its claim mark, and what it waits for. The latter is its own business: no other thread looks.
 */
final class SendingThread
{
    final Thread thread;
    final ClaimMark mark;
    private boolean isRefused;
    private boolean isNewsAwaited;

    SendingThread(final Thread thread, final ClaimMark mark)
    {
        this.thread = thread;
        this.mark = mark;
    }

    /**
     * Notes why a message did not go, for when this thread waits.
     *
     * @return the code.
     */
    long refused(final Peer peer, final long code, final boolean isCredited)
    {
        // SYNC POINT awaited: this load first, so that a grant after the next one finds the word set
        final boolean isAwaited = peer.isAwaited();
        if (code != Endpoint.NO_CREDIT || !isCredited || peer.hasCredits())
        {
            // also: there are some, but too few, and only a further packet of this sender may bring more
            isNewsAwaited = true;
        }
        else if (!isAwaited)
        {
            peer.refusedThread = this;
            isRefused = true;
        }
        return code;
    }

    /**
     * Tells the receivers that refused this thread for want of credits that it waits for them from now on.
     *
     * @return their number.
     */
    int awaitCredits(final Peer[] peers)
    {
        int told = 0;
        for (final Peer peer : peers)
        {
            if (peer != null && peer.refusedThread == this)
            {
                peer.refusedThread = null;
                peer.await();
                told++;
            }
        }
        return told;
    }

    /** Refused for a reason whose end wakes nobody. */
    void awaitNews()
    {
        isNewsAwaited = true;
    }

    /** From now on what it waits for counts anew. */
    boolean beginToWait()
    {
        final boolean wasRefused = isRefused;
        isRefused = false;
        isNewsAwaited = false;
        return wasRefused;
    }

    boolean isRefusedAnew()
    {
        return isRefused;
    }

    boolean waitsForNews()
    {
        return isNewsAwaited;
    }
}
