// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

/**
 * The requests of this rank that one receiver may still answer: as many as the window has slots. The slot of a request is the low
 * part of its id, and the id of a slot is new each time, so that an answer fits one request only. One thread.
 */
final class Window
{
    private final int[] ids;
    private final int[] handlers;
    private long freeSlots;
    /** Those that went out. Others are being sent: the call that sends them tells their end. */
    private long sentSlots;

    Window(final int length)
    {
        ids = new int[length];
        handlers = new int[length];
        for (int slot = 0; slot < length; slot++)
        {
            ids[slot] = slot;
        }
        freeSlots = length == MessageDescriptor.MAX_WINDOW ? -1L : (1L << length) - 1;
    }

    boolean hasFree()
    {
        return freeSlots != 0;
    }

    /** The id of the next request. It takes the slot: {@link #sent} or {@link #giveBack} has to follow. */
    int take(final int handler)
    {
        final int slot = Long.numberOfTrailingZeros(freeSlots);
        freeSlots &= ~(1L << slot);
        handlers[slot] = handler;
        ids[slot] = MessageDescriptor.next(ids[slot]);
        return ids[slot];
    }

    void sent(final int id)
    {
        sentSlots |= 1L << MessageDescriptor.slot(id);
    }

    /** The request did not go out. */
    void giveBack(final int id)
    {
        freeSlots |= 1L << MessageDescriptor.slot(id);
    }

    /** Ends the request that is answered; false if no such request is without answer. */
    boolean answered(final int id)
    {
        final int slot = MessageDescriptor.slot(id);
        final long bit = 1L << slot;
        if (slot >= ids.length || (sentSlots & bit) == 0 || ids[slot] != id)
        {
            return false;
        }
        sentSlots &= ~bit;
        freeSlots |= bit;
        return true;
    }

    /** Which handler the request asked for that had this id. */
    int handler(final int id)
    {
        return handlers[MessageDescriptor.slot(id)];
    }

    /** Whether a request is without answer. */
    boolean hasUnanswered()
    {
        return sentSlots != 0;
    }

    /** The id of a request that is without answer, if there is one. Any number may be an id. */
    int unanswered()
    {
        return ids[Long.numberOfTrailingZeros(sentSlots)];
    }

    int unansweredCount()
    {
        return Long.bitCount(sentSlots);
    }
}
