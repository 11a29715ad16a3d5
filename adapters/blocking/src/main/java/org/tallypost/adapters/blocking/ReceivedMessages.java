// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * Messages that were received, for threads that wait for them. The thread that polls the endpoint changes under the lock:
 *
 * <pre>
 *   the endpoint's thread polls  --- a direct thread takes a message, or looks for one --->  receiving threads poll
 *                                &lt;-- a thread waits for one, or none took one for REST_NS --
 * </pre>
 *
 * A message that a receiving thread polls for itself changes no threads. The endpoint's thread polls for receiving threads that
 * wait, and keeps what comes while there are none.
 */
final class ReceivedMessages
{
    private static final int POLL_LIMIT = 64;
    /** A receiving thread that found nothing looks so often before it waits, and yields before each of the later half. */
    private static final int MAX_LOOKS = 200;
    /** Between two looks of the endpoint's thread after receiving threads, and after room. */
    private static final long REST_NS = 5_000_000;
    private static final long FULL_PAUSE_NS = 1_000_000;
    private static final long FIRST_PAUSE_NS = 20_000;
    private static final int MAX_DOUBLINGS = 6;

    private final Endpoint endpoint;
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isArrived = lock.newCondition();
    private final Condition isDue = lock.newCondition();
    private final MessageListener listener = this::onMessage;
    private final DirectThreads readers = new DirectThreads();

    /** All guarded by the lock. */
    private final ArrayDeque<ReceivedMessage> kept = new ArrayDeque<>();
    private boolean isPolledByReaders;
    private boolean isCalled;
    private boolean isOver;
    private long taken;
    private long takenBefore;
    private int pauses;

    ReceivedMessages(final Endpoint endpoint, final int capacity)
    {
        this.endpoint = endpoint;
        this.capacity = capacity;
    }

    /**
     * The first message. Waits until there is one, or the time is over; null then.
     *
     * @throws IllegalStateException if nothing is left and nothing will come.
     */
    ReceivedMessage take(final long timeoutNs) throws InterruptedException
    {
        lock.lockInterruptibly();
        try
        {
            final ReceivedMessage first = takeFirst();
            return first != null ? first : awaitFirst(timeoutNs);
        }
        finally
        {
            lock.unlock();
        }
    }

    private ReceivedMessage takeFirst()
    {
        final ReceivedMessage first = kept.poll();
        if (first != null)
        {
            taken++;
            if (!isPolledByReaders)
            {
                if (kept.size() == capacity - 1)
                {
                    isDue.signal();
                }
                if (!isOver && readers.isCurrent())
                {
                    takeOver();
                }
            }
        }
        return first;
    }

    private ReceivedMessage awaitFirst(final long timeoutNs) throws InterruptedException
    {
        final Deadline deadline = Deadline.in(timeoutNs);
        final boolean isReader = readers.isCurrent();
        int looks = 0;
        while (true)
        {
            final boolean isLooking = isReader && looks < MAX_LOOKS && !isOver;
            if (isLooking)
            {
                looks = look() < 0 ? MAX_LOOKS : looks + 1;
            }
            ReceivedMessage first = takeFirst();
            if (first != null)
            {
                return first;
            }
            if (isOver)
            {
                throw new IllegalStateException(Endpoint.errorString(Endpoint.CLOSED));
            }
            final long leftNs = deadline.leftNs();
            if (leftNs <= 0)
            {
                return null;
            }
            if (isLooking)
            {
                pause(looks);
            }
            else
            {
                giveBack();
                isArrived.awaitNanos(leftNs);
                looks = 0;
            }
            first = takeFirst();
            if (first != null)
            {
                return first;
            }
        }
    }

    /** Others may take the lock meanwhile. */
    private void pause(final int looks) throws InterruptedException
    {
        lock.unlock();
        try
        {
            if (looks < MAX_LOOKS / 2)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
        finally
        {
            lock.lock();
        }
        if (Thread.interrupted())
        {
            throw new InterruptedException();
        }
    }

    private int look()
    {
        if (!isPolledByReaders)
        {
            takeOver();
        }
        int polled = (int)Endpoint.CLOSED;
        try
        {
            endpoint.takePoller();
            try
            {
                polled = endpoint.poll(listener, Math.min(capacity, POLL_LIMIT));
            }
            finally
            {
                endpoint.releasePoller();
            }
        }
        finally
        {
            if (polled < 0)
            {
                // the endpoint's thread finds what this one has found, and ends
                giveBack();
            }
        }
        return polled;
    }

    /** The endpoint's thread may sleep until a message comes, by signals that are meant for the thread that polls. */
    private void takeOver()
    {
        isPolledByReaders = true;
        takenBefore = taken;
        endpoint.wakeup();
    }

    private void giveBack()
    {
        if (isPolledByReaders)
        {
            isPolledByReaders = false;
            isDue.signal();
        }
    }

    /**
     * Polls, unless receiving threads do, or there is no room. By the endpoint's thread.
     *
     * @return as a poll.
     */
    int poll()
    {
        lock.lock();
        try
        {
            final int room = isPolledByReaders ? 0 : capacity - kept.size();
            return room > 0 ? endpoint.poll(listener, Math.min(room, POLL_LIMIT)) :
                endpoint.isClosed() ? (int)Endpoint.CLOSED : 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The endpoint's thread is about to send: what only the polling thread may do with a message, as to give credits with it, is
     * not to be done by two.
     */
    void release()
    {
        lock.lock();
        try
        {
            endpoint.releasePoller();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Waits a moment if the endpoint's thread must not wait for messages, since it has no room, or receiving threads poll. Not by
     * the endpoint's idle strategy, which goes on at once as long as messages are unread.
     *
     * @param work      of the thread's turn.
     * @param isSending whether messages wait for credits, which come by no signal here.
     * @return false if it may wait for messages.
     */
    boolean rest(final int work, final boolean isSending) throws InterruptedException
    {
        lock.lock();
        try
        {
            if (!isPolledByReaders && kept.size() < capacity)
            {
                isCalled = false;
                return false;
            }
            pauses = work > 0 ? 0 : pauses + 1;
            final boolean isShort = isSending && pauses < MAX_DOUBLINGS;
            final long restNs = isSending ? FIRST_PAUSE_NS << Math.min(pauses, MAX_DOUBLINGS) :
                isPolledByReaders ? REST_NS : FULL_PAUSE_NS;
            if (work == 0 && !isCalled && isDue.awaitNanos(restNs) <= 0 && isPolledByReaders && !isShort)
            {
                isPolledByReaders = taken != takenBefore;
                takenBefore = taken;
            }
            isCalled = false;
            return true;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Ends the rest of the endpoint's thread: there is something else to do. */
    void call()
    {
        lock.lock();
        try
        {
            isCalled = true;
            isDue.signal();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Within a poll, with the lock. */
    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        kept.add(new ReceivedMessage(source, tag, bytes));
        isArrived.signal();
    }

    /** Nothing comes any more. */
    void end()
    {
        lock.lock();
        try
        {
            isOver = true;
            isPolledByReaders = false;
            isArrived.signalAll();
        }
        finally
        {
            lock.unlock();
        }
    }
}
