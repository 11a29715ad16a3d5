// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.window;

/**
 * What a sender may leave at one receiver, as absolute counts since the pair has met: bytes of short messages, as they cost
 * memory there, and announcements. The receiver says up to which count the sender may go. One thread.
 */
public final class SendWindow
{
    private long session;
    private long sentBytes;
    private long bytesLimit;
    private long announced;
    private long announcementsLimit;

    /** Begins anew, with what every receiver admits. */
    public void reset(final long newSession)
    {
        session = newSession;
        sentBytes = 0;
        bytesLimit = ReceiveWindow.FIRST_BYTES;
        announced = 0;
        announcementsLimit = ReceiveWindow.FIRST_ANNOUNCEMENTS;
    }

    /** Tells the receiver of which meeting a count is. */
    public long session()
    {
        return session;
    }

    /** Whether a short message may go. */
    public boolean admits(final int cost)
    {
        return sentBytes + cost <= bytesLimit;
    }

    /** A short message has gone. */
    public void onSent(final int cost)
    {
        sentBytes += cost;
    }

    /** Whether an announcement may go. */
    public boolean admitsAnnouncement()
    {
        return announced < announcementsLimit;
    }

    /** An announcement has gone. */
    public void onAnnounced()
    {
        announced++;
    }

    /**
     * The receiver has said how far the sender may go. Counts only grow: an older one changes nothing.
     *
     * @param ofSession     that the receiver means.
     * @param bytes         limit.
     * @param announcements limit.
     * @return false if it means another session.
     */
    public boolean onLimits(final long ofSession, final long bytes, final long announcements)
    {
        if (ofSession != session)
        {
            return false;
        }
        bytesLimit = Math.max(bytesLimit, bytes);
        announcementsLimit = Math.max(announcementsLimit, announcements);
        return true;
    }
}
