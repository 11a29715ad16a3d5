// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.tallypost.benchmarks.compare.Link;
import org.tallypost.benchmarks.compare.Payload;

/**
 * A sender that takes turns with others on one thread.
 */
abstract class SendingAgent
{
    static final int REFUSED = -1;
    private static final int NONE = -1;
    private static final int POLL_MASK = 0x3F;

    private final Link link;
    private final Payload payload;
    private final int length;
    private int offset = NONE;
    private int refusals;
    private long sent;

    SendingAgent(final Link link, final Payload payload, final int length)
    {
        this.link = link;
        this.payload = payload;
        this.length = length;
    }

    /** A run begins. */
    void begin()
    {
    }

    /** Messages sent in this turn, or {@link #REFUSED} if none was and one was refused. */
    abstract int turn();

    final boolean hasMessage()
    {
        return offset != NONE;
    }

    final void prepare()
    {
        offset = payload.prepare();
    }

    /** Sends what is prepared. */
    final boolean send()
    {
        if (link.send(payload.buffer(), offset, length))
        {
            offset = NONE;
            sent++;
            return true;
        }
        // the thread that sends an endpoint's messages also polls it, but others are waiting for their turn
        if ((++refusals & POLL_MASK) == 0)
        {
            link.onRefused();
        }
        return false;
    }

    final long sent()
    {
        return sent;
    }

    /** Sends as fast as there is room. */
    static final class Flooding extends SendingAgent
    {
        private final int limit;

        Flooding(final Link link, final Payload payload, final int length, final int limit)
        {
            super(link, payload, length);
            this.limit = limit;
        }

        @Override
        int turn()
        {
            int count = 0;
            while (count < limit)
            {
                if (!hasMessage())
                {
                    prepare();
                }
                if (!send())
                {
                    return count == 0 ? REFUSED : count;
                }
                count++;
            }
            return count;
        }
    }

    /** Sends one message, and the next one some microseconds after it has arrived. */
    static final class Quiet extends SendingAgent
    {
        private static final long PAUSE_NS = 8_000;
        private static final long JITTER_MASK_NS = 0x1FFF;

        private final QuietTimes times;
        private long random = 0x9E3779B97F4A7C15L;
        private long dueNs;
        private boolean isDueKnown;

        Quiet(final Link link, final Payload payload, final int length, final QuietTimes times)
        {
            super(link, payload, length);
            this.times = times;
        }

        @Override
        void begin()
        {
            isDueKnown = false;
            if (hasMessage())
            {
                // refused at the end of the run before
                times.sentNs(System.nanoTime());
            }
        }

        @Override
        int turn()
        {
            if (!hasMessage())
            {
                if (times.arrived() < sent())
                {
                    return 0;
                }
                final long nowNs = System.nanoTime();
                if (!isDueKnown)
                {
                    isDueKnown = true;
                    dueNs = nowNs + pauseNs();
                }
                if (nowNs - dueNs < 0)
                {
                    return 0;
                }
                isDueKnown = false;
                prepare();
                times.sentNs(System.nanoTime());
            }
            return send() ? 1 : REFUSED;
        }

        /** Never in step with whatever comes at intervals. */
        private long pauseNs()
        {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            return PAUSE_NS + (random & JITTER_MASK_NS);
        }
    }
}
