// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.services.ServicesCounters.Counter;

/** The publications of a rank, by their numbers. One thread. */
final class Publications
{
    private final TopicsContext context;
    private final int own;
    private final SubscriberLink link;
    private final Directory directory;
    private final Announcements announcements;
    private final ServicesCounters counters;
    private final Publication[] publications = new Publication[MessageDescriptor.MAX_SERVICES];

    Publications(
        final TopicsContext context, final Outbox outbox, final Directory directory, final Announcements announcements,
        final ServicesCounters counters)
    {
        this.context = context;
        own = context.endpoint().rank();
        link = new SubscriberLink(context, outbox, this::withdraw);
        this.directory = directory;
        this.announcements = announcements;
        this.counters = counters;
    }

    Publication add(final String name, final PublicationContext publication)
    {
        publication.conclude();
        final Directory.Entry other = directory.find(Directory.check(name));
        if (other != null)
        {
            throw new IllegalStateException("a topic is published once: '" + name + "' is by rank " + other.rank);
        }
        for (int number = 0; number < publications.length; number++)
        {
            if (publications[number] == null)
            {
                final TopicLog log = createLog(name, number, publication);
                publications[number] =
                    new Publication(name, number, log, publication, link, counters, context.rankCount());
                directory.enter(name, own, number);
                announcements.changed(number);
                return publications[number];
            }
        }
        throw new IllegalStateException("too many publications of a rank: found " + publications.length +
            ", expected fewer; close one, or tell kinds of messages apart by their first byte");
    }

    private TopicLog createLog(final String name, final int number, final PublicationContext publication)
    {
        try
        {
            return TopicLog.create(context.node(), own, number, context.rankCount(), publication);
        }
        catch (final NoRoomException ex)
        {
            throw new NoRoomException("no room for the log of topic '" + name + "', logLength=" + publication.logLength() +
                " bytes; lower PublicationContext.logLength: " + ex.getMessage(), ex, ex.neededLength());
        }
    }

    private void withdraw(final Publication publication)
    {
        directory.withdraw(own, publication.number());
        announcements.changed(publication.number());
    }

    /** A rank subscribes, or does so no more. */
    void onSubscriber(final int source, final int kind, final DirectBuffer buffer, final int offset)
    {
        final int number = buffer.getInt(offset + TopicMessages.NUMBER_OFFSET, LITTLE_ENDIAN);
        final long subscription = buffer.getLong(offset + TopicMessages.SUBSCRIPTION_OFFSET, LITTLE_ENDIAN);
        final Publication publication = number < 0 || number >= publications.length ? null : publications[number];
        if (kind == TopicMessages.SUBSCRIBE && (publication == null ||
            publication.name().hashCode() != buffer.getInt(offset + TopicMessages.NAME_HASH_OFFSET, LITTLE_ENDIAN)))
        {
            // it was ended before its subscribers knew, and another one may have its number
            link.refuse(number, source, subscription);
        }
        else if (kind == TopicMessages.SUBSCRIBE)
        {
            publication.onSubscribe(source, subscription);
        }
        else if (publication != null)
        {
            publication.onUnsubscribe(source, subscription);
        }
    }

    /** A relay of another node says how far all have read there. */
    void onRead(final int source, final DirectBuffer buffer, final int offset)
    {
        final int number = buffer.getInt(offset + TopicMessages.NUMBER_OFFSET, LITTLE_ENDIAN);
        final Publication publication = number < 0 || number >= publications.length ? null : publications[number];
        if (publication == null || !publication.onRead(source,
            buffer.getLong(offset + TopicMessages.SUBSCRIPTION_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + TopicMessages.POSITION_OFFSET, LITTLE_ENDIAN),
            buffer.getInt(offset + TopicMessages.RANK_OFFSET, LITTLE_ENDIAN)))
        {
            counters.add(Counter.REFUSED);
        }
    }

    void onGone(final int rank)
    {
        for (final Publication publication : publications)
        {
            if (publication != null)
            {
                publication.onGone(rank);
            }
        }
    }

    int work()
    {
        int work = 0;
        for (int number = 0; number < publications.length; number++)
        {
            final Publication publication = publications[number];
            if (publication != null)
            {
                work += publication.work(context.pollLimit());
                if (publication.isDone())
                {
                    publication.abandon();
                    publications[number] = null;
                    work++;
                }
            }
        }
        return work;
    }

    /** Whether one was closed, and subscribers have not got everything. */
    boolean hasClosing()
    {
        boolean hasClosing = false;
        for (final Publication publication : publications)
        {
            hasClosing |= publication != null && publication.isClosed();
        }
        return hasClosing;
    }

    void close()
    {
        for (final Publication publication : publications)
        {
            if (publication != null)
            {
                publication.abandon();
            }
        }
    }
}
