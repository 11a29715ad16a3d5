// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

/**
 * The messages in several runs that are under way from each source, at most
 * {@link org.tallypost.endpoint.internal.layout.PacketDescriptor#MAX_OPEN_MESSAGES} of each. For the polling thread.
 */
final class OpenMessages
{
    private final OpenMessage[] firsts;
    private OpenMessage free;

    OpenMessages(final int sources)
    {
        firsts = new OpenMessage[sources];
    }

    /** One of a source; null if there is none. */
    OpenMessage first(final int source)
    {
        return firsts[source];
    }

    /** The one of that number; null if there is none. */
    OpenMessage find(final int source, final int number)
    {
        OpenMessage message = firsts[source];
        while (message != null && message.number != number)
        {
            message = message.next;
        }
        return message;
    }

    /** A new one, of which nothing has come. */
    OpenMessage add(final int source, final int number, final int tag, final int total)
    {
        final OpenMessage message = free == null ? new OpenMessage() : free;
        free = message.next;
        message.number = number;
        message.tag = tag;
        message.total = total;
        message.filled = 0;
        message.next = firsts[source];
        firsts[source] = message;
        return message;
    }

    /** Its source has nothing to do with it any more. It may be read until the next one is added. */
    void remove(final int source, final OpenMessage message)
    {
        if (firsts[source] == message)
        {
            firsts[source] = message.next;
        }
        else
        {
            OpenMessage before = firsts[source];
            while (before.next != message)
            {
                before = before.next;
            }
            before.next = message.next;
        }
        message.next = free;
        free = message;
    }

    /** Bytes that are still to come from a source. */
    int missing(final int source)
    {
        int missing = 0;
        for (OpenMessage message = firsts[source]; message != null; message = message.next)
        {
            missing += message.total - message.filled;
        }
        return missing;
    }
}
