// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;

/**
 * Messages in several runs that are handed on run by run, one per source at a time: the counterpart of {@link Reassembly} for
 * those that have a listener. For the polling thread.
 */
final class Fragments
{
    private final GuardedErrorHandler errors;
    private final FragmentListener[] listeners;
    private final int[] tags;
    private final int[] totals;
    private final int[] positions;
    private boolean isStopped;

    Fragments(final int sources, final GuardedErrorHandler errors)
    {
        this.errors = errors;
        listeners = new FragmentListener[sources];
        tags = new int[sources];
        totals = new int[sources];
        positions = new int[sources];
    }

    /** No listener is called any more. */
    void stop()
    {
        isStopped = true;
    }

    /**
     * The first run of a message.
     *
     * @return false if the lengths cannot be.
     */
    boolean begin(
        final FragmentListener listener, final int source, final int tag, final int total, final DirectBuffer from,
        final int offset, final int count)
    {
        if (total <= count || total > Endpoint.MAX_MESSAGE_LENGTH || count < 0)
        {
            return false;
        }
        listeners[source] = listener;
        tags[source] = tag;
        totals[source] = total;
        positions[source] = 0;
        deliver(source, from, offset, count);
        return true;
    }

    /** Whether a source is in the middle of such a message. */
    boolean isUnderWay(final int source)
    {
        return listeners[source] != null;
    }

    /**
     * A further run of a message that is under way.
     *
     * @param at     where it belongs, as the run says.
     * @param isLast whether it says that it is the last one.
     * @return false if it is not the one that follows; then the message is dropped.
     */
    boolean append(
        final int source, final int at, final DirectBuffer from, final int offset, final int count, final boolean isLast)
    {
        final int left = totals[source] - positions[source];
        if (at != positions[source] || count < 0 || count > left || isLast != (count == left))
        {
            drop(source);
            return false;
        }
        deliver(source, from, offset, count);
        if (isLast)
        {
            listeners[source] = null;
        }
        return true;
    }

    /** Bytes that are still to come of the message of a source; 0 if there is none. */
    int missing(final int source)
    {
        return listeners[source] == null ? 0 : totals[source] - positions[source];
    }

    /** Length of the message of which a run came last. */
    int total(final int source)
    {
        return totals[source];
    }

    /** Forgets the message of a source, if there is one, and says so. */
    void drop(final int source)
    {
        final FragmentListener listener = listeners[source];
        listeners[source] = null;
        if (listener == null || isStopped)
        {
            return;
        }
        try
        {
            listener.onLost(source, tags[source], totals[source], positions[source]);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }

    private void deliver(final int source, final DirectBuffer from, final int offset, final int count)
    {
        final int position = positions[source];
        // before the listener may throw
        positions[source] = position + count;
        if (isStopped)
        {
            return;
        }
        try
        {
            listeners[source].onFragment(source, tags[source], totals[source], position, from, offset, count);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }
}
