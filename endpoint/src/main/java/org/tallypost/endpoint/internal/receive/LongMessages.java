// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_FIRST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_GIVEN_UP;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_LAST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.MAX_OPEN_MESSAGES;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.NUMBER_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TOTAL_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;

/**
 * Messages in several runs: each run goes to where its message is put together ({@link Reassembly}), or handed on run by run
 * ({@link Fragments}). Several messages of a source may be under way ({@link OpenMessages}); each run says which one it is of.
 * A run that cannot be is refused. For the polling thread.
 */
final class LongMessages
{
    private final Deliverer deliverer;
    private final OpenMessages open;
    private final Reassembly reassembly = new Reassembly();
    private final UnsafeBuffer whole = new UnsafeBuffer(0, 0);
    /** Both null until a program asks for a channel or fragments. */
    private Channels channels;
    private Fragments fragments;
    /** The message that the run at hand of a controlled poll completes. */
    private OpenMessage ending;

    LongMessages(final int sources, final Deliverer deliverer)
    {
        this.deliverer = deliverer;
        open = new OpenMessages(sources);
    }

    /** A program has asked for a channel or fragments: messages that begin from now on may be handed on run by run. */
    void splitBy(final Channels those, final Fragments runs)
    {
        channels = those;
        fragments = runs;
    }

    /**
     * One run of a message.
     *
     * @param value  tag of the message in its first run; which message, and the place there, in a later one.
     * @param length of the run, its words included.
     * @return bytes that are still to come of the source's messages that have begun.
     */
    int onRun(
        final int flags, final int source, final int value, final UnsafeBuffer from, final int offset, final int length)
    {
        if (flags == FLAG_FIRST && length >= FIRST_LENGTH)
        {
            begin(source, value, from.getInt(offset + TOTAL_OFFSET), from.getInt(offset + NUMBER_OFFSET), from,
                offset + FIRST_LENGTH, length - FIRST_LENGTH);
        }
        else if ((flags & FLAG_FIRST) == 0)
        {
            append((flags & FLAG_LAST) != 0, source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else
        {
            deliverer.refuse();
            return 0;
        }
        return open.missing(source);
    }

    private void begin(
        final int source, final int tag, final int total, final int numberWord, final UnsafeBuffer from, final int offset,
        final int count)
    {
        final int number = numberWord & ~FLAG_GIVEN_UP;
        final boolean isSound = 0 <= number && number < MAX_OPEN_MESSAGES && count < total &&
            total <= Endpoint.MAX_MESSAGE_LENGTH;
        final OpenMessage last = isSound ? open.find(source, number) : null;
        if (!isSound || last != null && number == numberWord)
        {
            // also: one of this number is under way, and was not given up
            deliverer.refuse();
            return;
        }
        if (last != null)
        {
            drop(source, last);
        }
        final FragmentListener listener = channels == null ? null : channels.fragmentsOf(tag);
        if (listener == null)
        {
            final byte[] bytes = reassembly.bytes(total, count);
            final OpenMessage message = open.add(source, number, tag, total);
            message.bytes = bytes;
            reassembly.append(message, from, offset, count);
        }
        else
        {
            final OpenMessage message = open.add(source, number, channels.shownTag(tag), total);
            message.listener = listener;
            fragments.deliver(source, message, from, offset, count);
        }
    }

    private void append(
        final boolean isLast, final int source, final int value, final UnsafeBuffer from, final int offset, final int count)
    {
        final OpenMessage message = open.find(source, PacketDescriptor.number(value));
        if (message == null)
        {
            deliverer.refuse();
        }
        else if (!message.isNext(PacketDescriptor.place(value), count, isLast))
        {
            drop(source, message);
            deliverer.refuse();
        }
        else if (message.listener == null)
        {
            reassembly.append(message, from, offset, count);
            if (isLast)
            {
                finish(source, message);
            }
        }
        else
        {
            appendFragment(isLast, source, message, from, offset, count);
        }
    }

    private void appendFragment(
        final boolean isLast, final int source, final OpenMessage message, final UnsafeBuffer from, final int offset,
        final int count)
    {
        try
        {
            fragments.deliver(source, message, from, offset, count);
        }
        finally
        {
            // also if the error handler has thrown
            if (isLast)
            {
                deliverer.delivered(message.total);
                end(source, message);
            }
        }
    }

    private void finish(final int source, final OpenMessage message)
    {
        try
        {
            deliver(source, message);
        }
        finally
        {
            end(source, message);
        }
    }

    private void deliver(final int source, final OpenMessage message)
    {
        whole.wrap(message.bytes, 0, message.total);
        deliverer.deliver(source, message.tag, whole, 0, message.total);
    }

    private void end(final int source, final OpenMessage message)
    {
        open.remove(source, message);
        message.listener = null;
        if (message.bytes != null)
        {
            reassembly.end(message);
        }
    }

    /** The rest of a message does not come. */
    private void drop(final int source, final OpenMessage message)
    {
        final FragmentListener listener = message.listener;
        end(source, message);
        if (listener != null)
        {
            fragments.lost(source, message, listener);
        }
    }

    /** Whether a run completes a message that is being put together; it is appended if so. */
    boolean isEndOfMessage(
        final int flags, final int source, final int value, final UnsafeBuffer from, final int offset, final int count)
    {
        final OpenMessage message = flags == FLAG_LAST ? open.find(source, PacketDescriptor.number(value)) : null;
        if (message == null || message.listener != null || !message.isNext(PacketDescriptor.place(value), count, true))
        {
            return false;
        }
        reassembly.append(message, from, offset, count);
        ending = message;
        return true;
    }

    /** Delivers the message that is complete now, and keeps it. */
    void deliverWhole(final int source)
    {
        deliver(source, ending);
    }

    /** The run that completed it is left where it is. */
    void takeBackEnd(final int count)
    {
        ending.filled -= count;
        ending = null;
    }

    /** The run that completed it is taken. */
    void taken(final int source)
    {
        end(source, ending);
        ending = null;
    }

    /** A sender is gone, and with it what it had begun. */
    void drop(final int source)
    {
        OpenMessage message = open.first(source);
        while (message != null)
        {
            drop(source, message);
            message = open.first(source);
        }
    }

    /** The endpoint was closed by a listener: no further one is called. */
    void stop()
    {
        if (fragments != null)
        {
            fragments.stop();
        }
    }
}
