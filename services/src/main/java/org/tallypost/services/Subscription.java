// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * A topic as a subscriber sees it. It looks for a rank that publishes the topic, and when that one is over, for another. The
 * thread that calls {@link Topics#doWork()}.
 */
public final class Subscription implements AutoCloseable
{
    private enum State
    {
        LOOKING, ASKED, ACTIVE, OVER
    }

    private final String name;
    private final long id;
    private final TopicListener listener;
    private final PublisherLink link;
    private final ServicesCounters counters;
    private final ErrorHandler errors;
    private State state = State.LOOKING;
    private int rank = -1;
    private int number;
    /** The log and the place in it; null if messages come from another node. */
    private TopicLog log;
    private LogReader reader;
    private byte[] copy = new byte[0];
    private final UnsafeBuffer copied = new UnsafeBuffer(0, 0);
    /** Why it ends as soon as the log is read; null while it does not end. */
    private TopicEnd end;

    Subscription(
        final String name, final long id, final TopicListener listener, final PublisherLink link,
        final ServicesCounters counters, final ErrorHandler errors)
    {
        this.name = name;
        this.id = id;
        this.listener = listener;
        this.link = link;
        this.counters = counters;
        this.errors = errors;
    }

    /** Looks for a publisher, or reads its log. Returns how much was done. */
    int work(final int most)
    {
        if (state == State.LOOKING)
        {
            final Directory.Entry entry = link.find(name);
            if (entry == null || !link.subscribe(name, entry, id))
            {
                return 0;
            }
            rank = entry.rank;
            number = entry.number;
            state = State.ASKED;
            return 1;
        }
        return reader == null ? 0 : read(most);
    }

    private int read(final int most)
    {
        int count = 0;
        while (count < most && reader != null)
        {
            final LogReader.Found next = reader.next();
            if (next == LogReader.Found.NOTHING)
            {
                if (end != null)
                {
                    over(end);
                    return count + 1;
                }
                break;
            }
            take(next);
            count++;
        }
        if (count > 0 && reader != null)
        {
            log.read(link.rank(), reader.position());
        }
        return count;
    }

    private void take(final LogReader.Found next)
    {
        if (next == LogReader.Found.DAMAGED)
        {
            errors.onError(new MailboxException("the log of topic '" + name + "' of rank " + rank + " is damaged: found " +
                reader + ", expected a message or padding; log=" + log));
            over(TopicEnd.DAMAGED);
        }
        else if (next == LogReader.Found.OVERRUN)
        {
            fallBehind();
        }
        else if (log.mayOverrun())
        {
            takeCopy();
        }
        else
        {
            final LogReader read = reader;
            deliver(log.buffer(), read.offset(), read.length());
            if (reader == read)
            {
                read.advance();
            }
        }
    }

    private void takeCopy()
    {
        final LogReader read = reader;
        final int length = read.length();
        if (copy.length < length)
        {
            copy = new byte[Math.max(length, 2 * copy.length)];
            copied.wrap(copy);
        }
        log.buffer().getBytes(read.offset(), copy, 0, length);
        if (read.isOverrun())
        {
            fallBehind();
            return;
        }
        if (read.lost() > 0)
        {
            lose(read.lost());
        }
        if (reader == read)
        {
            read.advance();
            deliver(copied, 0, length);
        }
    }

    private void fallBehind()
    {
        if (log.isToldWhenSlow())
        {
            reader.skip();
        }
        else
        {
            counters.add(Counter.DROPPED);
            over(TopicEnd.DROPPED);
        }
    }

    private void deliver(final DirectBuffer buffer, final int offset, final int length)
    {
        counters.add(Counter.RECEIVED);
        try
        {
            listener.onMessage(buffer, offset, length);
        }
        catch (final Throwable t)
        {
            errors.onError(t);
        }
    }

    private void lose(final long count)
    {
        counters.add(Counter.LOST, count);
        try
        {
            listener.onLost(count);
        }
        catch (final Throwable t)
        {
            errors.onError(t);
        }
    }

    private void onLost(final long count)
    {
        if (count > 0)
        {
            lose(count);
        }
        else
        {
            counters.add(Counter.REFUSED);
        }
    }

    /** A message of the publisher about this subscription. */
    void onMessage(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source != rank || state != State.ASKED && state != State.ACTIVE)
        {
            counters.add(Counter.REFUSED);
            return;
        }
        switch (kind)
        {
            case TopicMessages.SUBSCRIBED:
                begin(buffer, offset);
                break;
            case TopicMessages.RECORD:
                deliver(buffer, offset + TopicMessages.HEAD_LENGTH, length - TopicMessages.HEAD_LENGTH);
                break;
            case TopicMessages.LOST:
                onLost(buffer.getLong(offset + TopicMessages.COUNT_OFFSET, LITTLE_ENDIAN));
                break;
            default:
                endLater(TopicEnd.of(buffer.getInt(offset + TopicMessages.END_OFFSET, LITTLE_ENDIAN)));
                break;
        }
    }

    private void begin(final DirectBuffer buffer, final int offset)
    {
        if (state == State.ACTIVE)
        {
            counters.add(Counter.REFUSED);
            return;
        }
        state = State.ACTIVE;
        if (link.isLocal(rank))
        {
            attach(buffer, offset);
        }
        if (state == State.ACTIVE)
        {
            try
            {
                listener.onBegin(rank);
            }
            catch (final Throwable t)
            {
                errors.onError(t);
            }
        }
    }

    private void attach(final DirectBuffer buffer, final int offset)
    {
        final long position = buffer.getLong(offset + TopicMessages.POSITION_OFFSET, LITTLE_ENDIAN);
        if (position < 0 || position % TopicLogDescriptor.RECORD_ALIGNMENT != 0)
        {
            errors.onError(new MailboxException("no place in the log of topic '" + name + "' of rank " + rank +
                ": found position=" + position + ", expected a multiple of " + TopicLogDescriptor.RECORD_ALIGNMENT +
                " from 0 on"));
            over(TopicEnd.DAMAGED);
            return;
        }
        try
        {
            log = link.tryAttach(rank, number, buffer.getInt(offset + TopicMessages.LOG_LENGTH_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(offset + TopicMessages.PUBLICATION_OFFSET, LITTLE_ENDIAN));
        }
        catch (final MailboxException ex)
        {
            errors.onError(ex);
            over(TopicEnd.DAMAGED);
            return;
        }
        if (log == null)
        {
            // its publisher is gone meanwhile, or about to go
            link.unsubscribe(rank, number, id);
            look();
            return;
        }
        reader = log.reader(position, buffer.getLong(offset + TopicMessages.SEQUENCE_OFFSET, LITTLE_ENDIAN));
    }

    /** What is in the log comes first. */
    private void endLater(final TopicEnd why)
    {
        if (reader == null || why == TopicEnd.DROPPED)
        {
            over(why);
        }
        else
        {
            end = why;
        }
    }

    void onGone(final int goneRank)
    {
        if (goneRank == rank && state != State.OVER)
        {
            endLater(TopicEnd.PUBLISHER_GONE);
        }
    }

    private void over(final TopicEnd why)
    {
        final boolean hasBegun = state == State.ACTIVE;
        link.unsubscribe(rank, number, id);
        look();
        state = why.isFinal() ? State.OVER : State.LOOKING;
        if (hasBegun)
        {
            try
            {
                listener.onEnd(why);
            }
            catch (final Throwable t)
            {
                errors.onError(t);
            }
        }
    }

    /** Looks for a publisher from the beginning. */
    private void look()
    {
        if (log != null)
        {
            log.close();
        }
        log = null;
        reader = null;
        end = null;
        rank = -1;
        state = State.LOOKING;
    }

    /** Before this thread sleeps: the publisher wakes it then. True if there is something to read. */
    boolean sleep()
    {
        if (reader == null)
        {
            return false;
        }
        log.sleep(link.rank());
        return reader.hasNext();
    }

    /**
     * Name of the topic.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Whether a rank publishes the topic and messages come from it.
     *
     * @return true if so.
     */
    public boolean isActive()
    {
        return state == State.ACTIVE;
    }

    /**
     * Whether it was closed, or has ended for good.
     *
     * @return true if no message will come.
     */
    public boolean isOver()
    {
        return state == State.OVER;
    }

    long id()
    {
        return id;
    }

    /** Ends the subscription; the listener is not called any more. Idempotent. */
    @Override
    public void close()
    {
        if (state == State.ASKED || state == State.ACTIVE)
        {
            link.unsubscribe(rank, number, id);
        }
        look();
        state = State.OVER;
    }

    @Override
    public String toString()
    {
        return "Subscription{topic=" + name + ", " + state + ", publisher=" + rank + (reader == null ? "" : ", " + reader) + '}';
    }
}
