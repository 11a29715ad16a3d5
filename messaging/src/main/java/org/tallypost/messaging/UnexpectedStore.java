// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.matching.Bins;
import org.tallypost.messaging.internal.matching.CellMemory;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.window.ReceiveWindow;

/**
 * Unexpected messages with their books: what each counts in the window of its sender, and what is done with those of a sender
 * that is gone. One thread.
 */
final class UnexpectedStore
{
    private final MessengerState shared;
    private final CellMemory cells;
    private final UnexpectedMessages messages;

    UnexpectedStore(final MessengerState shared)
    {
        this.shared = shared;
        cells = new CellMemory(shared.context.maxUnexpectedBytes() / CellMemory.CELL_LENGTH);
        messages = new UnexpectedMessages(cells);
    }

    UnexpectedMessages messages()
    {
        return messages;
    }

    int find(final int context, final int source, final int tag)
    {
        return messages.find(context, source, tag);
    }

    void unlink(final int entry)
    {
        messages.unlink(entry);
    }

    /** A short message of another rank, which is in its window. */
    void keep(
        final Pair pair, final int context, final int tag, final long id, final DirectBuffer buffer, final int offset,
        final int length)
    {
        if (messages.add(context, pair.rank, tag, id, buffer, offset, length) == UnexpectedMessages.NONE)
        {
            pair.in.window.onReleased(UnexpectedMessages.cost(length));
            shared.refuse();
        }
        count();
    }

    /** An announcement of another rank, which is in its window. */
    void announce(final Pair pair, final int context, final int tag, final long id, final int length)
    {
        if (messages.announce(context, pair.rank, tag, id, length) == UnexpectedMessages.NONE)
        {
            pair.in.window.onAnswered();
            shared.refuse();
        }
        count();
    }

    /** An announcement of another rank with the place of its bytes, which is in its window. */
    void place(
        final Pair pair, final int context, final int tag, final long id, final int length, final int kind,
        final DirectBuffer buffer, final int offset)
    {
        if (messages.place(context, pair.rank, tag, id, length, kind, buffer, offset) == UnexpectedMessages.NONE)
        {
            pair.in.window.onReleased(UnexpectedMessages.PLACED_COST);
            shared.refuse();
        }
        count();
    }

    /** Whether a short message to the own rank can be kept. */
    boolean hasRoomForOwn(final int length)
    {
        return shared.pair(shared.own).in.window.admits(UnexpectedMessages.cost(length)) && messages.hasRoom(length);
    }

    /** A short message to the own rank: false if the window or the memory is used up. */
    boolean keepOwn(final SendRequest send)
    {
        final ReceiveWindow window = shared.pair(shared.own).in.window;
        final int cost = UnexpectedMessages.cost(send.length);
        if (!window.onArrived(cost))
        {
            return false;
        }
        if (messages.add(send.communicator.context(), shared.own, send.tag, 0, send.buffer, send.offset, send.length) ==
            UnexpectedMessages.NONE)
        {
            window.onReleased(cost);
            window.onTold();
            return false;
        }
        count();
        return true;
    }

    /** As {@link Messenger#probe}. */
    boolean probe(final Communicator communicator, final int source, final int tag, final Envelope envelope)
    {
        return find(communicator, source, tag, envelope) != UnexpectedMessages.NONE;
    }

    /** As {@link Messenger#matchedProbe}. */
    boolean hold(final Communicator communicator, final int source, final int tag, final MatchedMessage message)
    {
        final int entry = find(communicator, source, tag, message.envelope());
        if (entry == UnexpectedMessages.NONE)
        {
            return false;
        }
        final Pair.Incoming in = shared.pair(messages.source(entry)).in;
        messages.unlink(entry);
        message.entry = entry;
        message.life = in.lives;
        message.communicator = communicator;
        communicator.heldCount++;
        in.heldCells += messages.cellCount(entry);
        return true;
    }

    /** The message that a receive would get, which is described; none if there is none. */
    private int find(final Communicator communicator, final int source, final int tag, final Envelope envelope)
    {
        final boolean isAny = source == Communicator.ANY_SOURCE;
        Request.check(communicator, isAny ? 0 : source, tag, Communicator.ANY_TAG);
        final int entry = messages.find(communicator.context(), isAny ? source : communicator.endpointRank(source), tag);
        if (entry != UnexpectedMessages.NONE)
        {
            envelope.set(communicator.rankOf(messages.source(entry)), messages.tag(entry), messages.length(entry));
        }
        return entry;
    }

    /**
     * A message that was held is to be received.
     *
     * @return false if its sender is gone, and its window with it.
     */
    boolean letGo(final Pair pair, final int entry, final long life)
    {
        if (life == pair.in.lives)
        {
            pair.in.heldCells -= messages.cellCount(entry);
            return true;
        }
        cells.exempt(-messages.cellCount(entry));
        return false;
    }

    /** Releases a message, its sender gone before it was received. */
    void releaseLate(final int entry)
    {
        messages.release(entry);
        count();
    }

    /** A message to the own rank; its bytes stay where they are. */
    void announceOwn(final SendRequest send)
    {
        messages.announce(send.communicator.context(), shared.own, send.tag, send.id, send.length);
        count();
    }

    /** Gives back the memory of a message that is not linked, and its part of the window. */
    void release(final Pair pair, final int entry)
    {
        final int cost = messages.cellCount(entry) * CellMemory.CELL_LENGTH;
        if (pair.rank == shared.own)
        {
            if (!messages.isAnnounced(entry))
            {
                pair.in.window.onReleased(cost);
                pair.in.window.onTold();
            }
        }
        else if (messages.isAnnounced(entry) && !messages.isPlaced(entry))
        {
            pair.in.window.onAnswered();
        }
        else
        {
            pair.in.window.onReleased(cost);
        }
        if (pair.in.isWindowDue())
        {
            shared.list(pair);
        }
        messages.release(entry);
        count();
    }

    /** The message with an id; none if it is matched. */
    int find(final int context, final int source, final int tag, final long id)
    {
        int entry = messages.find(context, source, tag);
        while (entry != UnexpectedMessages.NONE && messages.id(entry) != id)
        {
            entry = messages.findNext(entry, context, source, tag);
        }
        return entry;
    }

    /** A sender wants a message back: it is told if there is still one to be forgotten. */
    void onCancel(final int source, final int context, final int tag, final long id)
    {
        final Pair pair = shared.pair(source);
        if (!pair.in.isKnown || context < 0 || tag < 0 || id == 0)
        {
            shared.refuse();
            return;
        }
        final int entry = find(context, source, tag, id);
        if (entry != UnexpectedMessages.NONE)
        {
            messages.unlink(entry);
            giveBack(pair, entry);
            count();
        }
    }

    /** Releases a message that is not linked, as soon as a sender that waits for an answer has heard of it. */
    private void giveBack(final Pair pair, final int entry)
    {
        if (messages.id(entry) == 0)
        {
            release(pair, entry);
            return;
        }
        messages.push(entry, pair.in.cancelled);
        pair.in.cancelled = entry;
        shared.list(pair);
    }

    /** An own send is cancelled: false if it is matched. */
    boolean cancelOwn(final SendRequest send)
    {
        final int entry = find(send.communicator.context(), shared.own, send.tag, send.id);
        if (entry == UnexpectedMessages.NONE)
        {
            return false;
        }
        messages.unlink(entry);
        release(shared.pair(shared.own), entry);
        return true;
    }

    /**
     * A sender is gone.
     *
     * @param isAll false if messages that are here with their bytes stay.
     */
    void forget(final Pair pair, final boolean isAll)
    {
        // what is held stays as long as the program likes, and the next incarnation has a whole window
        cells.exempt(pair.in.heldCells);
        pair.in.heldCells = 0;
        pair.in.lives++;
        while (pair.in.cancelled != UnexpectedMessages.NONE)
        {
            final int entry = pair.in.cancelled;
            pair.in.cancelled = messages.pop(entry);
            messages.release(entry);
        }
        for (int bin = messages.binCount() - 1; bin >= 0; bin--)
        {
            for (int entry = messages.firstOf(bin); entry != UnexpectedMessages.NONE;)
            {
                final int next = messages.behind(entry);
                if (messages.source(entry) == pair.rank)
                {
                    if (isAll || messages.isAnnounced(entry))
                    {
                        drop(entry);
                    }
                    else
                    {
                        messages.clearId(entry);
                    }
                }
                entry = next;
            }
        }
        count();
    }

    private void drop(final int entry)
    {
        messages.unlink(entry);
        messages.release(entry);
        shared.counters.add(Counter.DROPPED, 1);
    }

    /** Drops the messages of a context, or those from ranks that are not in its communicator. Their windows get room again. */
    void purge(final int context, final Communicator members)
    {
        int entry = messages.find(context, Bins.ANY, Bins.ANY);
        while (entry != UnexpectedMessages.NONE)
        {
            final int next = messages.findNext(entry, context, Bins.ANY, Bins.ANY);
            final int source = messages.source(entry);
            if (members == null || members.rankOf(source) < 0)
            {
                messages.unlink(entry);
                giveBack(shared.pair(source), entry);
                shared.counters.add(Counter.DROPPED, 1);
            }
            entry = next;
        }
    }

    private void count()
    {
        shared.counters.set(Counter.UNEXPECTED, messages.size());
        shared.counters.set(Counter.UNEXPECTED_BYTES, (long)cells.used() * CellMemory.CELL_LENGTH);
        shared.counters.set(Counter.ALLOCATED_BYTES, cells.allocatedBytes());
    }
}
