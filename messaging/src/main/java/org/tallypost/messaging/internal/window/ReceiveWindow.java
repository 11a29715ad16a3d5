// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.window;

/**
 * What one sender may leave at this receiver: at most so many bytes of short messages, as they cost memory, and so many
 * announcements. Counts are absolute since the pair has met. The limit that the sender knows grows by what has left the memory
 * here. It is told in steps of a quarter; and at once, whatever the step, if the sender may be waiting for it. One thread.
 */
public final class ReceiveWindow
{
    /** Bytes that every receiver admits before it has told a limit. */
    public static final int FIRST_BYTES = 4096;
    /** Announcements that every receiver admits before it has told a limit. */
    public static final int FIRST_ANNOUNCEMENTS = 16;

    private static final int STEPS = 4;

    private final int bytes;
    private final int announcements;
    private final int maxCost;
    private long session;
    private long arrivedBytes;
    private long releasedBytes;
    private long toldBytes;
    private long arrivedAnnouncements;
    private long releasedAnnouncements;
    private long toldAnnouncements;
    private boolean isNew;

    /**
     * A window.
     *
     * @param bytes         at most, at least {@link #FIRST_BYTES}.
     * @param announcements at most, at least {@link #FIRST_ANNOUNCEMENTS}.
     * @param maxCost       of one short message, in bytes.
     */
    public ReceiveWindow(final int bytes, final int announcements, final int maxCost)
    {
        this.bytes = bytes;
        this.announcements = announcements;
        this.maxCost = maxCost;
    }

    /** A sender has come, and nothing of it is here. */
    public void reset(final long newSession)
    {
        session = newSession;
        arrivedBytes = 0;
        releasedBytes = 0;
        toldBytes = FIRST_BYTES;
        arrivedAnnouncements = 0;
        releasedAnnouncements = 0;
        toldAnnouncements = FIRST_ANNOUNCEMENTS;
        isNew = true;
    }

    /** Of which meeting the counts are. */
    public long session()
    {
        return session;
    }

    /** Whether the sender is allowed to send a short message. */
    public boolean admits(final int cost)
    {
        return arrivedBytes + cost <= toldBytes;
    }

    /** A short message has come: false if the sender was not allowed to send it. */
    public boolean onArrived(final int cost)
    {
        if (!admits(cost))
        {
            return false;
        }
        arrivedBytes += cost;
        return true;
    }

    /** A short message has left the memory. */
    public void onReleased(final int cost)
    {
        releasedBytes += cost;
    }

    /** An announcement has come: false if the sender was not allowed to send it. */
    public boolean onAnnounced()
    {
        if (arrivedAnnouncements == toldAnnouncements)
        {
            return false;
        }
        arrivedAnnouncements++;
        return true;
    }

    /** An announcement is answered. */
    public void onAnswered()
    {
        releasedAnnouncements++;
    }

    /** How far the sender may go. */
    public long bytesLimit()
    {
        return releasedBytes + bytes;
    }

    /** How far the sender may go with announcements. */
    public long announcementsLimit()
    {
        return releasedAnnouncements + announcements;
    }

    /** Whether the sender is to be told. */
    public boolean isDue()
    {
        return isNew ||
            isDue(bytesLimit() - toldBytes, bytes / STEPS, toldBytes - arrivedBytes < maxCost) ||
            isDue(announcementsLimit() - toldAnnouncements, announcements / STEPS, toldAnnouncements == arrivedAnnouncements);
    }

    private static boolean isDue(final long news, final int step, final boolean isWaiting)
    {
        return news >= step || isWaiting && news > 0;
    }

    /** The sender was told. */
    public void onTold()
    {
        toldBytes = bytesLimit();
        toldAnnouncements = announcementsLimit();
        isNew = false;
    }
}
