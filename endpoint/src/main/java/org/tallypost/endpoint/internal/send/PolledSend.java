// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.SendListener;

/**
 * A long message that polls carry on. While one is under way the handle is a link of {@link PolledSends}. For the polling thread.
 */
public final class PolledSend extends LongSend
{
    final SendListener listener;
    final RunSend send;
    private final PolledSends sends;
    /** Behind this one, in the list that it is in. */
    PolledSend next;
    /** Whether it is in a list: also while its message is given up, until a poll comes by. */
    boolean isListed;
    /** Whether its message has ended, with {@link #result}, and the listener was not told yet. */
    boolean isEnded;
    long result;
    /** Whether it has sent something when it went on last. */
    boolean hasSent;

    PolledSend(final PolledSends sends, final RunSend send, final SendListener listener)
    {
        this.sends = sends;
        this.send = send;
        this.listener = listener;
    }

    @Override
    public long start(final int to, final int messageTag, final DirectBuffer from, final int at, final int count)
    {
        prepare();
        return started(send.start(to, messageTag, from, at, count));
    }

    @Override
    public long start(
        final int to, final int messageTag, final DirectBuffer first, final int firstAt, final int firstCount,
        final DirectBuffer second, final int secondAt, final int secondCount)
    {
        prepare();
        return started(send.start(to, messageTag, first, firstAt, firstCount, second, secondAt, secondCount));
    }

    private void prepare()
    {
        sends.enter();
        if (isEnded)
        {
            throw new IllegalStateException("the last message of this handle has ended, and its listener is told by this poll");
        }
        send.limitUnread(listener.mostUnread(0));
    }

    private long started(final long code)
    {
        if (code == Endpoint.NO_CREDIT)
        {
            sends.add(this);
        }
        return code;
    }

    @Override
    public long progress()
    {
        sends.enter();
        return send.progress();
    }

    @Override
    public boolean isActive()
    {
        return isEnded || send.isActive();
    }

    @Override
    public void abort()
    {
        isEnded = false;
        send.abort();
    }
}
