// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.messaging.ArrivalListener;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;

/** Puts messages that come into buffers of their mail boxes, and gives tokens back. The thread of the deck. */
final class IncomingMessages
{
    private final Deck deck;
    private final Messenger messenger;
    private final Communicator data;
    private final Int2ObjectHashMap<MailBox> boxes = new Int2ObjectHashMap<>();
    private final LargeMessages large;
    /** Boxes with messages that have still to get their bytes. */
    private final List<MailBox> arriving = new ArrayList<>();
    private final ArrayDeque<HeldMessage> freeHeld = new ArrayDeque<>();
    private final DroppedMessages dropped;
    private HeldMessage taken = new HeldMessage();
    private MailBox last;
    private final ReceiveRoom room;
    /** The messenger may have kept messages that are to be looked for. */
    private boolean isAnyKept = true;
    /** A message waits in a box that has a buffer for it, and no receive was free. */
    private boolean isAnyStuck;
    /** Accounts with tokens that are given back in the next round: a retrieve does not wait for that. */
    private final List<MailBox.Account> due = new ArrayList<>();

    IncomingMessages(
        final Deck deck, final Messenger messenger, final Communicator data, final Communicator ofLarge, final int maxRequests)
    {
        this.deck = deck;
        this.messenger = messenger;
        this.data = data;
        room = new ReceiveRoom(maxRequests);
        dropped = new DroppedMessages(messenger, room);
        large = new LargeMessages(deck, messenger, ofLarge, room);
        data.onArrival(new Arrivals());
    }

    /** What comes for boxes: a short message is copied at once, a longer one gets a receive. */
    private final class Arrivals implements ArrivalListener
    {
        @Override
        public boolean onWhole(
            final int source, final int tag, final DirectBuffer from, final int offset, final int length)
        {
            boolean isEnded = false;
            try
            {
                final boolean isTaken = enterWhole(source, tag, from, offset, length);
                isEnded = true;
                return isTaken;
            }
            finally
            {
                // the messenger keeps one that throws
                isAnyKept |= !isEnded;
            }
        }

        @Override
        public ReceiveRequest onArrival(final int source, final int tag, final int length)
        {
            boolean isEnded = false;
            try
            {
                final ReceiveRequest receive = enterArriving(source, tag, length);
                isEnded = true;
                return receive;
            }
            finally
            {
                isAnyKept |= !isEnded;
            }
        }
    }

    LargeMessages large()
    {
        return large;
    }

    void open(final MailBox box)
    {
        boxes.put(box.number(), box);
    }

    MailBox find(final int number)
    {
        return boxes.get(number);
    }

    /** Of a closed box: what waits there is dropped. */
    void close(final MailBox box)
    {
        box.isClosed = true;
        last = null;
        boxes.remove(box.number());
        while (!box.held.isEmpty())
        {
            dropped.add(box.held.poll());
        }
        large.close(box);
    }

    Iterable<MailBox> boxes()
    {
        return boxes.values();
    }

    int work()
    {
        int work = 0;
        if (room.isFull())
        {
            // what has come since was kept, and nobody was asked
            isAnyKept = true;
        }
        while (isAnyKept && !room.isFull())
        {
            // one is held already if its work has thrown
            isAnyKept = taken.matched.isHeld() ||
                messenger.matchedProbe(data, Communicator.ANY_SOURCE, Communicator.ANY_TAG, taken.matched);
            if (isAnyKept)
            {
                take();
                work++;
            }
        }
        for (int i = arriving.size() - 1; i >= 0; i--)
        {
            final MailBox box = arriving.get(i);
            work += deliver(box);
            if (box.arriving.isEmpty())
            {
                arriving.remove(i);
            }
        }
        return work + payDue() + large.work() + dropped.work() + workStuck();
    }

    /** Messages in boxes that found a buffer and no receive. */
    private int workStuck()
    {
        if (!isAnyStuck || room.isFull())
        {
            return 0;
        }
        isAnyStuck = false;
        for (final MailBox box : boxes.values())
        {
            fill(box);
        }
        return 1;
    }

    private int payDue()
    {
        final int work = due.size();
        for (int i = 0; i < work; i++)
        {
            final MailBox.Account account = due.get(i);
            while (account.due != 0)
            {
                pay(account, Integer.numberOfTrailingZeros(account.due));
            }
        }
        if (work > 0)
        {
            due.clear();
        }
        return work;
    }

    /** A free buffer for a message that comes; null if there is none, or others of the box wait for one. */
    private static PooledBuffer buffer(final MailBox box, final int length)
    {
        final int sizeClass = SizeClass.of(length);
        return box == null || sizeClass < SizeClass.MIN || sizeClass > box.limit() || !box.held.isEmpty() ? null :
            box.pool.take(sizeClass);
    }

    /** A message is here as a whole: into a buffer of its box, and into the box. Not past others that have still to get bytes. */
    private boolean enterWhole(
        final int source, final int number, final DirectBuffer from, final int offset, final int length)
    {
        final MailBox box = box(number);
        final PooledBuffer buffer = box == null || !box.arriving.isEmpty() ? null : buffer(box, length);
        if (buffer == null)
        {
            return false;
        }
        boolean isTaken = false;
        try
        {
            prepare(box, buffer, source, length);
            buffer.buffer.putBytes(0, from, offset, length);
            isTaken = deck.operations().add(box, buffer);
        }
        finally
        {
            if (!isTaken)
            {
                box.pool.give(buffer);
            }
        }
        if (isTaken)
        {
            deck.count(Counter.ARRIVED);
        }
        return isTaken;
    }

    private void prepare(final MailBox box, final PooledBuffer buffer, final int source, final int length)
    {
        last = box;
        buffer.source = source;
        buffer.account = box.account(source);
        buffer.length = length;
    }

    /** A message comes: into a buffer of its box, if there is a free one and none of the box waits for one. */
    private ReceiveRequest enterArriving(final int source, final int number, final int length)
    {
        final MailBox box = box(number);
        final PooledBuffer buffer = room.isFull() ? null : buffer(box, length);
        if (buffer == null)
        {
            isAnyKept = true;
            return null;
        }
        boolean isPrepared = false;
        try
        {
            prepare(box, buffer, source, length);
            buffer.receive.prepare(data, source, number, buffer.buffer, 0, length);
            isPrepared = true;
        }
        finally
        {
            if (!isPrepared)
            {
                box.pool.give(buffer);
            }
        }
        enter(box, buffer);
        return buffer.receive;
    }

    private MailBox box(final int number)
    {
        return last != null && last.number() == number ? last : boxes.get(number);
    }

    /** One that gets its bytes, behind those that came before. */
    private void enter(final MailBox box, final PooledBuffer buffer)
    {
        if (box.arriving.isEmpty())
        {
            arriving.add(box);
        }
        box.arriving.add(buffer);
        room.take();
    }

    private void take()
    {
        final int number = taken.matched.envelope().tag();
        final MailBox box = box(number);
        final int sizeClass = SizeClass.of(taken.matched.envelope().length());
        if (box == null || sizeClass < SizeClass.MIN || sizeClass > box.limit())
        {
            final int source = taken.matched.envelope().source();
            deck.count(box == null ? Counter.UNDELIVERED : Counter.REFUSED);
            dropped.drop(taken);
            if (box == null)
            {
                deck.controls().send(source, ControlDescriptor.NO_BOX, 0, number, 0);
            }
            return;
        }
        last = box;
        taken.sizeClass = sizeClass;
        taken.account = box.account(taken.matched.envelope().source());
        // none overtakes one that waits
        final PooledBuffer buffer = box.held.isEmpty() ? box.pool.take(sizeClass) : null;
        if (buffer != null)
        {
            receive(box, taken, buffer);
        }
        else
        {
            deck.count(Counter.HELD);
            box.held.add(taken);
            taken = freeHeld.isEmpty() ? new HeldMessage() : freeHeld.poll();
        }
    }

    private void receive(final MailBox box, final HeldMessage held, final PooledBuffer buffer)
    {
        buffer.source = held.matched.envelope().source();
        buffer.account = held.account;
        buffer.length = held.matched.envelope().length();
        final boolean isDone = messenger.receive(buffer.receive, held.matched, buffer.buffer, 0, buffer.length);
        if (isDone && box.arriving.isEmpty())
        {
            arrive(box, buffer);
        }
        else
        {
            enter(box, buffer);
        }
    }

    /** Those that have their bytes: one that waits for them keeps up those of its own sender alone. */
    private int deliver(final MailBox box)
    {
        int work = 0;
        for (int i = 0; i < box.arriving.size(); i++)
        {
            final PooledBuffer buffer = box.arriving.get(i);
            if (buffer.receive.isDone() && !isBehindAnother(box, i, buffer.source))
            {
                box.arriving.remove(i--);
                room.give();
                arrive(box, buffer);
                work++;
            }
        }
        return work;
    }

    private static boolean isBehindAnother(final MailBox box, final int end, final int source)
    {
        for (int i = 0; i < end; i++)
        {
            if (box.arriving.get(i).source == source)
            {
                return true;
            }
        }
        return false;
    }

    /** It has all its bytes, or they will not come. */
    private void arrive(final MailBox box, final PooledBuffer buffer)
    {
        if (box.isClosed || buffer.receive.result() != RequestResult.SUCCESS || !deck.operations().add(box, buffer))
        {
            release(buffer);
        }
        else
        {
            deck.count(Counter.ARRIVED);
        }
    }

    /** A message was cleared: its buffer goes to one that waits, or is free, and its sender gets its token. */
    void release(final PooledBuffer buffer)
    {
        if (buffer.isLarge)
        {
            large.release(buffer);
            return;
        }
        final MailBox box = buffer.box;
        box.pool.give(buffer);
        if (!buffer.account.isOver)
        {
            owe(box, buffer.account, buffer.sizeClass);
        }
        fill(box);
    }

    /** Those that wait for a buffer get those that are free. */
    private void fill(final MailBox box)
    {
        while (!box.held.isEmpty())
        {
            if (room.isFull())
            {
                isAnyStuck = true;
                return;
            }
            final PooledBuffer free = box.pool.take(box.held.peek().sizeClass);
            if (free == null)
            {
                return;
            }
            final HeldMessage held = box.held.poll();
            receive(box, held, free);
            freeHeld.add(held);
        }
    }

    private void owe(final MailBox box, final MailBox.Account account, final int sizeClass)
    {
        final int owed = ++account.owed[sizeClass];
        if (account.isWanted[sizeClass])
        {
            pay(account, sizeClass);
        }
        else if (owed == (box.buffersPerClass() >> 1) + 1)
        {
            if (account.due == 0)
            {
                due.add(account);
            }
            account.due |= 1 << sizeClass;
        }
    }

    private void pay(final MailBox.Account account, final int sizeClass)
    {
        final int count = account.owed[sizeClass];
        account.owed[sizeClass] = 0;
        account.isWanted[sizeClass] = false;
        account.due &= ~(1 << sizeClass);
        deck.controls().send(account.source, ControlDescriptor.TOKENS, 0, account.box.number(), sizeClass | count << 8);
    }

    /** A sender has used up its tokens, and is told what is free. */
    void onWant(final int source, final int number, final int sizeClass)
    {
        final MailBox box = boxes.get(number);
        if (box == null)
        {
            deck.controls().send(source, ControlDescriptor.NO_BOX, 0, number, 0);
            return;
        }
        if (sizeClass < SizeClass.MIN || sizeClass > box.limit())
        {
            deck.count(Counter.REFUSED);
            return;
        }
        final MailBox.Account account = box.account(source);
        final boolean isNone = account.owed[sizeClass] == 0;
        pay(account, sizeClass);
        account.isWanted[sizeClass] = isNone;
    }

    /** Tokens of a rank are gone with it. */
    void onGone(final int rank)
    {
        due.removeIf((account) -> account.source == rank);
        for (final MailBox box : boxes.values())
        {
            box.removeAccount(rank);
        }
        large.onGone(rank);
    }
}
