// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;

/**
 * What a program has asked a deck for, and the waits for it. The thread of the deck does its work while it waits. Other threads
 * hand over what they ask for, and wait for that thread.
 */
final class Operations
{
    /** How long other threads wait beyond their deadlines for the thread that works. */
    private static final long GRACE_NS = 1_000_000_000L;
    private static final int ROUNDS_FOR_A_LOOK = 8;

    private final Deck deck;
    private final Endpoint endpoint;
    private final IncomingMessages incoming;
    /** For the thread of the deck. */
    private final DeadlineIdleStrategy idle;
    private final HandOver handOver = new HandOver();
    /** Begun and not ended. The thread of the deck. */
    private final List<Operation> pending = new ArrayList<>();
    /** The thread of the deck works for a retrieve from here; null if it does not. Of that thread, as the message for it. */
    private MailBox awaited;
    private PooledBuffer handed;

    Operations(
        final Deck deck, final Endpoint endpoint, final IncomingMessages incoming, final DeadlineIdleStrategy idle)
    {
        this.deck = deck;
        this.endpoint = endpoint;
        this.incoming = incoming;
        this.idle = idle;
    }

    /** Starts an operation that goes on in the background. Any thread. */
    void start(final Operation operation, final long timeoutNs)
    {
        operation.begin(Deck.deadline(timeoutNs));
        if (deck.isWorker())
        {
            attempt(operation);
        }
        else
        {
            hand(operation);
        }
    }

    /**
     * Starts an operation, waits until it has ended, and throws what it has failed with. Any thread.
     *
     * @param message with the idle strategy of another thread; null for a new one.
     */
    void run(final Operation operation, final Message message, final long timeoutNs)
    {
        deck.checkOpen();
        if (deck.isWorker())
        {
            // most end at once: a look at the clock takes as long as the rest
            operation.begin(Deck.FOREVER);
            if (!operation.attempt(0))
            {
                finish(operation, Deck.deadline(timeoutNs));
            }
        }
        else
        {
            operation.begin(Deck.deadline(timeoutNs));
            hand(operation);
            awaitWorker(operation, message == null ? deck.newMessage(0) : message);
        }
        operation.check();
    }

    /** The thread of the deck waits for what it has begun. */
    private void finish(final Operation operation, final long deadlineNs)
    {
        operation.limit(deadlineNs);
        // what ended the last wait was no news to it: it would park at once
        idle.reset();
        do
        {
            pass(deadlineNs);
            if (deck.isClosed())
            {
                operation.abandon();
                return;
            }
        }
        while (!operation.attempt(deadlineNs == Deck.FOREVER ? 0 : System.nanoTime()));
    }

    /** Another thread waits for the one that works. */
    private void awaitWorker(final Operation operation, final Message message)
    {
        final long deadlineNs = operation.deadlineNs();
        message.idle().reset();
        while (operation.isActive())
        {
            if (deck.isClosed())
            {
                throw new DeckException(DeckFailure.CLOSED, "the deck was closed: " + operation);
            }
            if (deadlineNs != Deck.FOREVER && System.nanoTime() - deadlineNs >= GRACE_NS)
            {
                throw new DeckException(DeckFailure.NOT_WORKED, "the thread that works for the deck has done nothing in time: " +
                    operation + ", thread=" + deck.worker() + "; let it call Deck.doWork(), or set DeckContext.ownThread");
            }
            message.idle().idle();
        }
    }

    /** One turn of a wait of the thread of the deck. Afterwards the deck may be closed. */
    void pass(final long deadlineNs)
    {
        idle.idle(workUnlessClosed(), deadlineNs);
    }

    int workUnlessClosed()
    {
        try
        {
            return deck.isClosed() ? 0 : deck.doWork();
        }
        catch (final AgentTerminationException ex)
        {
            // it is closed now, which the caller looks at
            return 0;
        }
    }

    /** Waits until the post of a message has ended, or the time is over. Any thread. */
    void await(final Message message, final long timeoutNs)
    {
        final long deadlineNs = Deck.deadline(timeoutNs);
        final boolean isWorking = beginWait(message);
        while (message.isPosting() && !deck.isClosed() && !isOver(deadlineNs))
        {
            if (isWorking)
            {
                pass(deadlineNs);
            }
            else
            {
                message.idle().idle();
            }
        }
    }

    /** The next message of a box; null if the time is over. Any thread. */
    PooledBuffer awaitMessage(final MailBox box, final Message message, final long timeoutNs)
    {
        final boolean isWorking = beginWait(message);
        // as Messenger.await does: no look at the clock before the first round, and then one for some rounds
        long deadlineNs = Deck.FOREVER;
        int work = 0;
        for (int round = 0;; round++)
        {
            if (isWorking)
            {
                work = workFor(box);
            }
            final PooledBuffer buffer = isWorking ? next(box) : box.messages.poll();
            if (buffer != null)
            {
                return buffer;
            }
            if (box.isClosed || deck.isClosed())
            {
                throw new DeckException(deck.isClosed() ? DeckFailure.CLOSED : DeckFailure.BOX_CLOSED,
                    "nothing can be retrieved: " + box);
            }
            if (round == 0)
            {
                deadlineNs = Deck.deadline(timeoutNs);
            }
            if (timeoutNs <= 0 || (!isWorking || round % ROUNDS_FOR_A_LOOK == ROUNDS_FOR_A_LOOK - 1) && isOver(deadlineNs))
            {
                return null;
            }
            if (isWorking)
            {
                idle.idle(work, deadlineNs);
            }
            else
            {
                message.idle().idle();
            }
        }
    }

    /** A message that comes meanwhile needs no queue: it is handed to this thread, which takes it next. */
    private int workFor(final MailBox box)
    {
        boolean isEnded = false;
        awaited = box;
        try
        {
            final int work = workUnlessClosed();
            isEnded = true;
            return work;
        }
        finally
        {
            awaited = null;
            if (!isEnded && handed != null)
            {
                // it ended without a look at what has come, which is for any thread then
                box.messages.offer(handed);
                handed = null;
            }
        }
    }

    private PooledBuffer next(final MailBox box)
    {
        final PooledBuffer first = handed;
        handed = null;
        return first != null ? first : box.messages.poll();
    }

    /** A message that has come whole: to the thread of the deck if that works for it, else into the queue. False without room. */
    boolean add(final MailBox box, final PooledBuffer buffer)
    {
        if (awaited == box && handed == null && box.messages.isEmpty())
        {
            handed = buffer;
            return true;
        }
        return box.messages.offer(buffer);
    }

    private boolean beginWait(final Message message)
    {
        final boolean isWorking = deck.isWorker();
        if (isWorking)
        {
            idle.reset();
        }
        else
        {
            message.idle().reset();
        }
        return isWorking;
    }

    private static boolean isOver(final long deadlineNs)
    {
        return deadlineNs != Deck.FOREVER && System.nanoTime() - deadlineNs >= 0;
    }

    private void hand(final Operation operation)
    {
        handOver.add(operation);
        if (deck.isClosed())
        {
            // the end may have looked before
            abandonHandedOver();
        }
        endpoint.wakeup();
    }

    /** A buffer that another thread has cleared. */
    void hand(final PooledBuffer buffer)
    {
        handOver.add(buffer);
        endpoint.wakeup();
    }

    private void attempt(final Operation operation)
    {
        if (!operation.attempt(System.nanoTime()))
        {
            pending.add(operation);
        }
    }

    /** Takes over what other threads have handed over, and goes on with what waits. The thread of the deck. */
    int work()
    {
        return takeOver() + goOn();
    }

    private int takeOver()
    {
        int work = 0;
        for (Operation each = handOver.takeOperations(); each != null;)
        {
            final Operation next = each.next;
            each.next = null;
            attempt(each);
            each = next;
            work++;
        }
        for (PooledBuffer each = handOver.takeBuffers(); each != null;)
        {
            final PooledBuffer next = each.next;
            incoming.release(each);
            each = next;
            work++;
        }
        return work;
    }

    private int goOn()
    {
        if (pending.isEmpty())
        {
            return 0;
        }
        final int before = pending.size();
        final long nowNs = System.nanoTime();
        for (int i = 0; i < pending.size(); i++)
        {
            final Operation each = pending.get(i);
            if (each.attempt(nowNs))
            {
                pending.remove(i--);
            }
        }
        return before - pending.size();
    }

    /** The deck is closed: nothing goes on. */
    void abandon()
    {
        abandonHandedOver();
        pending.forEach(Operation::abandon);
        pending.clear();
    }

    /** Any thread, once the deck is closed. */
    private void abandonHandedOver()
    {
        for (Operation each = handOver.takeOperations(); each != null; each = each.next)
        {
            each.abandon();
        }
    }
}
