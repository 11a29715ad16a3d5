// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;

/**
 * An endpoint with sends and receives that wait, in the manner of {@link java.util.concurrent.BlockingQueue}: with a limit of
 * time or without, and interruptible. For any number of threads, virtual ones too.
 *
 * <p>The first {@value DirectThreads#MOST} platform threads that send messages of up to {@link Endpoint#MAX_RUN_LENGTH} bytes use
 * the endpoint themselves as long as they live, and as many that receive. So a message changes no threads. For all others, and
 * for longer messages, a thread of this object uses the endpoint, and they wait by locks of the JDK, which pin no carrier.
 *
 * <p>Messages of one thread to one rank come in their order. A message waits for nothing but its own receiver. Received messages
 * are kept up to a bound; what is above it stays in the mailbox, and so its senders wait.
 *
 * <p>It costs a copy at each end. A program with a loop of its own sends and polls by the endpoint.
 */
public final class BlockingEndpoint implements AutoCloseable
{
    private final Endpoint endpoint;
    private final Thread thread;
    private final Queue<WaitingSend> submitted = new ConcurrentLinkedQueue<>();
    private final ReceivedMessages received;
    private final DirectSends direct;
    /** For the endpoint's thread: by receiver, in their order. */
    private final Map<Integer, ArrayDeque<WaitingSend>> sends = new TreeMap<>();
    /** For the endpoint's thread: whether one of them waits. */
    private boolean isSending;
    private volatile boolean isClosing;
    /** Nothing is sent or received any more; set by the endpoint's thread. */
    private volatile boolean isOver;
    private final BooleanSupplier isOverNow = this::isOverNow;
    /** Turns in which a receiver's first message was tried and refused, and messages of direct threads that were refused. */
    private final AtomicLong refusals = new AtomicLong();

    /**
     * Starts the thread that sends and polls.
     *
     * @param endpoint that nobody else polls; it is not closed by this.
     * @param capacity most messages that are kept until they are received, at least 1.
     * @throws IllegalArgumentException if the capacity is less than 1.
     */
    public BlockingEndpoint(final Endpoint endpoint, final int capacity)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("no room for messages: found capacity=" + capacity + ", expected at least 1");
        }
        this.endpoint = endpoint;
        received = new ReceivedMessages(endpoint, capacity);
        direct = new DirectSends(endpoint, refusals);
        thread = new Thread(this::run, "tallypost-blocking-" + endpoint.rank());
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Sends a message, and waits as long as that takes.
     *
     * @param dest    rank of the receiver.
     * @param tag     handed to the receiver.
     * @param message of at most {@link Endpoint#MAX_MESSAGE_LENGTH} bytes; it may be changed when this returns.
     * @throws InterruptedException if the thread is interrupted before the message is out: then it is not sent.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException if the receiver is gone, the message is too long, or this is closed.
     */
    public void send(final int dest, final int tag, final byte[] message) throws InterruptedException
    {
        send(dest, tag, message, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    /**
     * Sends a message, and waits for room for a limited time.
     *
     * @param dest    rank of the receiver.
     * @param tag     handed to the receiver.
     * @param message of at most {@link Endpoint#MAX_MESSAGE_LENGTH} bytes; it may be changed when this returns.
     * @param timeout longest time; the message is tried once however short it is.
     * @param unit    of the time.
     * @return true if it is sent; false if the time was over before all of it was out: then the receiver never gets it.
     * @throws InterruptedException as {@link #send(int, int, byte[])}.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws IllegalStateException as {@link #send(int, int, byte[])}.
     */
    public boolean send(final int dest, final int tag, final byte[] message, final long timeout, final TimeUnit unit)
        throws InterruptedException
    {
        // refuses a rank that there is not
        endpoint.rankState(dest);
        if (isOverNow())
        {
            throw closed();
        }
        final Deadline deadline = Deadline.in(unit.toNanos(timeout));
        if (message.length <= Endpoint.MAX_RUN_LENGTH && direct.isCurrent())
        {
            final long result = direct.send(dest, tag, message, deadline, isOverNow);
            if (result != DirectSends.NOT_DIRECT)
            {
                return isSent(result, null, message.length);
            }
        }
        return submit(dest, tag, message, deadline.leftNs());
    }

    /** Has the endpoint's thread send a message. */
    private boolean submit(final int dest, final int tag, final byte[] message, final long timeoutNs) throws InterruptedException
    {
        final WaitingSend send = new WaitingSend(dest, tag, message, direct.isCurrent());
        submitted.add(send);
        if (isOver && submitted.remove(send))
        {
            throw closed();
        }
        wakeUp();
        boolean isSettled = false;
        InterruptedException interrupted = null;
        try
        {
            isSettled = send.await(timeoutNs);
        }
        catch (final InterruptedException ex)
        {
            interrupted = ex;
        }
        if (!isSettled)
        {
            send.cancel();
            wakeUp();
            awaitSettled(send);
        }
        return isSent(send.result(), interrupted, message.length);
    }

    /** The endpoint's thread settles what is asked back in its next turn, so this is short. */
    private static void awaitSettled(final WaitingSend send)
    {
        boolean isInterrupted = false;
        boolean isSettled = false;
        while (!isSettled)
        {
            try
            {
                isSettled = send.await(Long.MAX_VALUE);
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isSent(final long result, final InterruptedException interrupted, final int length)
        throws InterruptedException
    {
        if (result == WaitingSend.CANCELLED)
        {
            if (interrupted != null)
            {
                throw interrupted;
            }
            return false;
        }
        if (interrupted != null)
        {
            // it was out before it could be taken back
            Thread.currentThread().interrupt();
        }
        if (result < 0)
        {
            throw new IllegalStateException(Endpoint.errorString(result, length));
        }
        return true;
    }

    /**
     * Receives a message, and waits until there is one.
     *
     * @return the message.
     * @throws InterruptedException if the thread is interrupted before.
     * @throws IllegalStateException if this is closed and nothing is left.
     */
    public ReceivedMessage receive() throws InterruptedException
    {
        return receive(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    /**
     * Receives a message, and waits for a limited time.
     *
     * @param timeout longest time.
     * @param unit    of the time.
     * @return the message; null if none came in that time.
     * @throws InterruptedException if the thread is interrupted before.
     * @throws IllegalStateException if this is closed and nothing is left.
     */
    public ReceivedMessage receive(final long timeout, final TimeUnit unit) throws InterruptedException
    {
        return received.take(unit.toNanos(timeout));
    }

    private boolean isOverNow()
    {
        return isClosing || isOver;
    }

    private IllegalStateException closed()
    {
        return new IllegalStateException(Endpoint.errorString(Endpoint.CLOSED));
    }

    /** The endpoint's thread waits for the endpoint, or for room for what is received. */
    private void wakeUp()
    {
        endpoint.wakeup();
        received.call();
    }

    private void run()
    {
        try
        {
            final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
            int work = 0;
            while (!isClosing && work >= 0)
            {
                work = turn();
                if (work >= 0)
                {
                    rest(idle, work);
                }
            }
        }
        catch (final InterruptedException ex)
        {
            isClosing = true;
        }
        finally
        {
            end();
        }
    }

    private void rest(final DeadlineIdleStrategy idle, final int work) throws InterruptedException
    {
        if (received.rest(work, isSending))
        {
            idle.reset();
        }
        else
        {
            idle.idle(work, DeadlineIdleStrategy.NO_DEADLINE);
        }
    }

    private int turn()
    {
        int sent = 0;
        if (isSending || !submitted.isEmpty())
        {
            received.release();
            sent = progress();
        }
        final int polled = received.poll();
        return polled < 0 ? polled : sent + polled;
    }

    /** For tests: it tells a message that found no room from one that was not tried. */
    long refusals()
    {
        return refusals.get();
    }

    private int progress()
    {
        int settled = 0;
        isSending = false;
        for (WaitingSend send = submitted.poll(); send != null; send = submitted.poll())
        {
            sends.computeIfAbsent(send.dest, (dest) -> new ArrayDeque<>()).add(send);
        }
        for (final ArrayDeque<WaitingSend> queue : sends.values())
        {
            for (WaitingSend first = queue.peek(); first != null && first.progress(endpoint); first = queue.peek())
            {
                queue.poll();
                settled++;
            }
            if (!queue.isEmpty())
            {
                isSending = true;
                refusals.incrementAndGet();
            }
            for (final Iterator<WaitingSend> others = queue.iterator(); others.hasNext();)
            {
                final WaitingSend other = others.next();
                // the first one was tried above
                if (other != queue.peek() && other.isUnwanted() && other.progress(endpoint))
                {
                    others.remove();
                    settled++;
                }
            }
        }
        return settled;
    }

    private void end()
    {
        isOver = true;
        for (WaitingSend send = submitted.poll(); send != null; send = submitted.poll())
        {
            send.settle(Endpoint.CLOSED);
        }
        sends.values().forEach((queue) -> queue.forEach((send) ->
        {
            send.abort();
            send.settle(Endpoint.CLOSED);
        }));
        received.end();
    }

    /**
     * Ends the thread, and with it all sends and receives that wait: they throw an IllegalStateException. What was received can
     * still be taken. The endpoint stays open, and may be polled by another thread. Idempotent, any thread; waits for the end of
     * the thread's turn.
     */
    @Override
    public void close()
    {
        isClosing = true;
        wakeUp();
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
