// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_FIRST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_LAST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TOTAL_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.FragmentListener;

/**
 * Messages in several runs: each run goes to where its message is put together ({@link Reassembly}), or handed on run by run
 * ({@link Fragments}). For the polling thread.
 */
final class LongMessages
{
    private final Deliverer deliverer;
    private final Reassembly reassembly;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    /** Both null until a program asks for a channel or fragments. */
    private Channels channels;
    private Fragments fragments;

    LongMessages(final int sources, final Deliverer deliverer)
    {
        this.deliverer = deliverer;
        reassembly = new Reassembly(sources);
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
     * @param value  tag of the message in its first run, place in the message in a later one.
     * @param length of the run, its words included.
     * @return bytes of the message that are still to come.
     */
    int onRun(
        final int flags, final int source, final int value, final UnsafeBuffer from, final int offset, final int length)
    {
        if (flags == FLAG_FIRST && length >= FIRST_LENGTH)
        {
            begin(source, value, from.getInt(offset + TOTAL_OFFSET), from, offset + FIRST_LENGTH, length - FIRST_LENGTH);
        }
        else if ((flags & FLAG_FIRST) == 0)
        {
            append(flags, source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else
        {
            deliverer.refuse();
            return 0;
        }
        return (fragments == null ? 0 : fragments.missing(source)) + reassembly.missing(source);
    }

    private void begin(
        final int source, final int tag, final int total, final UnsafeBuffer from, final int offset, final int count)
    {
        if (fragments != null)
        {
            fragments.drop(source);
        }
        reassembly.drop(source);
        final FragmentListener listener = channels == null ? null : channels.fragmentsOf(tag);
        final boolean isSound = listener == null ? reassembly.begin(source, tag, total, from, offset, count) :
            fragments.begin(listener, source, channels.shownTag(tag), total, from, offset, count);
        if (!isSound)
        {
            deliverer.refuse();
        }
    }

    private void append(
        final int flags, final int source, final int at, final UnsafeBuffer from, final int offset, final int count)
    {
        final boolean isLast = (flags & FLAG_LAST) != 0;
        if (fragments != null && fragments.isUnderWay(source))
        {
            appendFragment(isLast, source, at, from, offset, count);
        }
        else if (reassembly.append(source, at, from, offset, count))
        {
            finish(isLast, source);
        }
        else
        {
            deliverer.refuse();
        }
    }

    private void appendFragment(
        final boolean isLast, final int source, final int at, final UnsafeBuffer from, final int offset, final int count)
    {
        if (!fragments.append(source, at, from, offset, count, isLast))
        {
            deliverer.refuse();
        }
        else if (isLast)
        {
            deliverer.delivered(fragments.total(source));
        }
    }

    private void finish(final boolean isLast, final int source)
    {
        final boolean isComplete = reassembly.isComplete(source);
        if (isLast && isComplete)
        {
            deliverWhole(source);
            reassembly.drop(source);
        }
        else if (isLast || isComplete)
        {
            reassembly.drop(source);
            deliverer.refuse();
        }
    }

    /** Whether a run completes a message that is being put together; it is appended if so. */
    boolean isEndOfMessage(final int flags, final int source, final int at, final UnsafeBuffer from, final int offset,
        final int count)
    {
        return flags == FLAG_LAST && reassembly.isEnd(source, at, count) && reassembly.append(source, at, from, offset, count);
    }

    /** Delivers a message that was put together, and keeps it. */
    void deliverWhole(final int source)
    {
        message.wrap(reassembly.bytes(source), 0, reassembly.length(source));
        deliverer.deliver(source, reassembly.tag(source), message, 0, reassembly.length(source));
    }

    /** The last run of a message that was put together is left where it is. */
    void takeBackEnd(final int source, final int count)
    {
        reassembly.takeBack(source, count);
    }

    /** The last run of a message that was delivered is taken. */
    void taken(final int source)
    {
        reassembly.drop(source);
    }

    /** A sender is gone, and with it what it had begun. */
    void drop(final int source)
    {
        reassembly.drop(source);
        if (fragments != null)
        {
            fragments.drop(source);
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
