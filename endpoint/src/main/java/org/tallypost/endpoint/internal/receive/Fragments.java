// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;

/**
 * Messages in several runs that are handed on run by run: the counterpart of {@link Reassembly} for those that have a listener.
 * For the polling thread.
 */
final class Fragments
{
    private final GuardedErrorHandler errors;
    private boolean isStopped;

    Fragments(final GuardedErrorHandler errors)
    {
        this.errors = errors;
    }

    /** No listener is called any more. */
    void stop()
    {
        isStopped = true;
    }

    /** A run that follows. */
    void deliver(
        final int source, final OpenMessage message, final DirectBuffer from, final int offset, final int count)
    {
        final int position = message.filled;
        // before the listener may throw
        message.filled = position + count;
        if (isStopped)
        {
            return;
        }
        try
        {
            message.listener.onFragment(
                source, message.number, message.tag, message.total, position, from, offset, count);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }

    /** The rest of a message does not come. */
    void lost(final int source, final OpenMessage message, final FragmentListener listener)
    {
        if (isStopped)
        {
            return;
        }
        try
        {
            listener.onLost(source, message.number, message.tag, message.total, message.filled);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }
}
