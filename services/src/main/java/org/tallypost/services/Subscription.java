// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;
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
    /** The log and the place in it; null if messages come from another node one by one, or the log is not there yet. */
    private TopicLog log;
    private LogReader reader;
    private final RelayedLog relayed;
    /** Number of the next message for the listener. */
    private long next;
    private final ExpandableArrayBuffer copied = new ExpandableArrayBuffer();
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
        relayed = new RelayedLog(link);
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
        if (relayed.place != null)
        {
            attach();
        }
        final int work = reader == null ? 0 : read(most);
        return work + relayed.work(reader, rank, number, id);
    }

    private int read(final int most)
    {
        int count = 0;
        while (count < most && reader != null)
        {
            final LogReader.Found found = reader.next();
            if (found == LogReader.Found.NOTHING)
            {
                if (end != null)
                {
                    over(end);
                    return count + 1;
                }
                break;
            }
            take(found);
            count++;
        }
        if (count > 0 && reader != null)
        {
            log.read(link.rank(), reader.position());
            relayed.onRead(log);
        }
        return count;
    }

    private void take(final LogReader.Found found)
    {
        if (found == LogReader.Found.DAMAGED)
        {
            errors.onError(new MailboxException("the log of topic '" + name + "' of rank " + rank + " is damaged: found " +
                reader + ", expected a message or padding; log=" + log));
            over(TopicEnd.DAMAGED);
        }
        else if (found == LogReader.Found.OVERRUN)
        {
            fallBehind();
        }
        else if (log.mayOverrun())
        {
            takeCopy();
        }
        else if (reader.number() < next)
        {
            // the log is another one now, and begins where others had read up to
            reader.advance();
        }
        else
        {
            final LogReader read = reader;
            next = read.number() + 1;
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
        copied.putBytes(0, log.buffer(), read.offset(), length);
        if (read.isOverrun())
        {
            fallBehind();
            return;
        }
        final long lost = read.number() - next;
        if (lost > 0)
        {
            next = read.number();
            lose(lost);
        }
        if (reader == read)
        {
            read.advance();
            // below zero: the log is another one now, and begins where others had read up to
            if (lost >= 0)
            {
                next++;
                deliver(copied, 0, length);
            }
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

    /** What comes next has this number. */
    private void loseUpTo(final long coming)
    {
        final long count = coming - next;
        if (count > 0)
        {
            next = coming;
            lose(count);
        }
    }

    private void onLost(final long count)
    {
        if (count > 0 && reader == null && relayed.place == null)
        {
            relayed.coming += count;
            loseUpTo(relayed.coming);
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
                onRecord(buffer, offset + TopicMessages.HEAD_LENGTH, length - TopicMessages.HEAD_LENGTH);
                break;
            case TopicMessages.MEMBER:
                onMember(buffer.getInt(offset + TopicMessages.RANK_OFFSET, LITTLE_ENDIAN),
                    buffer.getLong(offset + TopicMessages.POSITION_OFFSET, LITTLE_ENDIAN));
                break;
            case TopicMessages.ASK:
                onAsk(buffer.getInt(offset + TopicMessages.END_OFFSET, LITTLE_ENDIAN) != 0);
                break;
            case TopicMessages.LOST:
                onLost(buffer.getLong(offset + TopicMessages.COUNT_OFFSET, LITTLE_ENDIAN));
                break;
            default:
                endLater(TopicEnd.of(buffer.getInt(offset + TopicMessages.END_OFFSET, LITTLE_ENDIAN)));
                break;
        }
    }

    /** A message that comes by itself: for the listener, or for the log of this node. */
    private void onRecord(final DirectBuffer buffer, final int offset, final int length)
    {
        if (relayed.relay != null)
        {
            if (!relayed.relay.append(reader.position(), buffer, offset, length))
            {
                errors.onError(new MailboxException("no room for a message of topic '" + name + "' of rank " + rank +
                    " in the log of its relay: found length=" + length + ", " + reader + ", expected room; log=" + log));
                over(TopicEnd.DAMAGED);
            }
        }
        else if (reader != null || relayed.place != null)
        {
            counters.add(Counter.REFUSED);
        }
        else if (relayed.coming++ >= next)
        {
            next = relayed.coming;
            deliver(buffer, offset, length);
        }
    }

    private void onMember(final int member, final long position)
    {
        if (relayed.relay == null || !relayed.relay.onMember(member, position))
        {
            counters.add(Counter.REFUSED);
        }
    }

    private void onAsk(final boolean isOnce)
    {
        if (relayed.relay != null)
        {
            relayed.relay.onAsk(isOnce);
        }
    }

    private void begin(final DirectBuffer buffer, final int offset)
    {
        final LogPlace told = LogPlace.read(buffer, offset);
        final boolean isFirst = state != State.ACTIVE;
        final boolean isLocal = link.isLocal(rank);
        final boolean isPossible = isLocal ? isFirst && told.logRank == rank :
            !told.hasLog() || link.isRank(told.logRank) && link.isLocal(told.logRank);
        if (!isPossible || told.sequence < 0 || end != null)
        {
            counters.add(Counter.REFUSED);
            return;
        }
        leaveLog();
        state = State.ACTIVE;
        relayed.begin(told);
        next = isFirst ? told.first : next;
        if (told.hasLog())
        {
            attach();
        }
        if (isFirst && state == State.ACTIVE)
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

    /** Maps the log that is to be read, or makes it for this node. One of a relay may not be there yet. */
    private void attach()
    {
        final LogPlace at = relayed.place;
        if (!at.isPlace())
        {
            errors.onError(new MailboxException("no place in the log of topic '" + name + "' of rank " + rank +
                ": found position=" + at.position + ", expected a multiple of " + TopicLogDescriptor.RECORD_ALIGNMENT +
                " from 0 on"));
            over(TopicEnd.DAMAGED);
            return;
        }
        if (at.logRank == link.rank() && !link.isLocal(rank))
        {
            relay(at);
            return;
        }
        try
        {
            log = link.tryAttach(rank, number, at);
        }
        catch (final MailboxException ex)
        {
            errors.onError(ex);
            over(TopicEnd.DAMAGED);
            return;
        }
        if (log != null)
        {
            reader = log.reader(at.position, at.sequence);
            relayed.attached(rank);
        }
        else if (at.logRank == rank)
        {
            // its publisher is gone meanwhile, or about to go
            link.unsubscribe(rank, number, id);
            look();
        }
    }

    /** Makes a log that this node shares. If that cannot be, messages come one by one to each subscriber. */
    private void relay(final LogPlace at)
    {
        relayed.place = null;
        try
        {
            log = link.createRelayed(rank, number, at);
            relayed.relay = new Relay(log, link, at);
            reader = log.reader(at.position, at.sequence);
        }
        catch (final MailboxException ex)
        {
            errors.onError(ex);
            link.noRoom(rank, number, id);
        }
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

    private void leaveLog()
    {
        if (log != null)
        {
            log.close();
        }
        log = null;
        reader = null;
        relayed.leave();
    }

    /** Looks for a publisher from the beginning. */
    private void look()
    {
        leaveLog();
        end = null;
        rank = -1;
        state = State.LOOKING;
    }

    /** Before this thread sleeps: the publisher wakes it then. True if there is something to read. */
    boolean sleep()
    {
        if (reader != null)
        {
            log.sleep(link.rank());
        }
        return relayed.hasNews(reader) || reader != null && reader.hasNext();
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
