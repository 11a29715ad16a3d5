// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Requests in the order in which they were added. A request is in one queue at most, and any can be taken out. One thread.
 */
final class RequestQueue
{
    private Request first;
    private Request last;

    Request first()
    {
        return first;
    }

    boolean isEmpty()
    {
        return first == null;
    }

    void add(final Request request)
    {
        request.queue = this;
        request.previous = last;
        request.next = null;
        if (last == null)
        {
            first = request;
        }
        else
        {
            last.next = request;
        }
        last = request;
    }

    void remove(final Request request)
    {
        if (request.previous == null)
        {
            first = request.next;
        }
        else
        {
            request.previous.next = request.next;
        }
        if (request.next == null)
        {
            last = request.previous;
        }
        else
        {
            request.next.previous = request.previous;
        }
        request.queue = null;
        request.previous = null;
        request.next = null;
    }
}
