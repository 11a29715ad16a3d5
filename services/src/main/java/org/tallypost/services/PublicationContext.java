// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.time.Duration;
import org.agrona.BitUtil;

/** How a topic is published. Setters return the context; {@link Topics#publish} concludes it. */
public final class PublicationContext
{
    private static final int DEFAULT_LOG_LENGTH = 1 << 20;

    private int logLength = DEFAULT_LOG_LENGTH;
    private WhenSlow whenSlow = WhenSlow.WAIT;
    private Duration waitLimit = Duration.ZERO;

    /** A context with the defaults. */
    public PublicationContext()
    {
    }

    /**
     * Length of the log that holds the messages: how far a subscriber may be behind. Default 1 MiB.
     *
     * @param value a power of two from 4 KiB to 1 GiB, bytes. A message is at most a quarter of it less 16 bytes.
     * @return this.
     */
    public PublicationContext logLength(final int value)
    {
        logLength = value;
        return this;
    }

    /**
     * As set by {@link #logLength(int)}.
     *
     * @return bytes.
     */
    public int logLength()
    {
        return logLength;
    }

    /**
     * What becomes of a subscriber that is a whole log behind. Default {@link WhenSlow#WAIT}.
     *
     * @param value rule.
     * @return this.
     */
    public PublicationContext whenSlow(final WhenSlow value)
    {
        whenSlow = value;
        return this;
    }

    /**
     * As set by {@link #whenSlow(WhenSlow)}.
     *
     * @return rule.
     */
    public WhenSlow whenSlow()
    {
        return whenSlow;
    }

    /**
     * For {@link WhenSlow#WAIT}: a subscriber that has read nothing for so long, while it was waited for, is dropped. Zero, the
     * default, stands for no limit: then subscribers of the node read messages in place, and otherwise from a copy.
     *
     * @param value time, zero or more.
     * @return this.
     */
    public PublicationContext waitLimit(final Duration value)
    {
        waitLimit = value;
        return this;
    }

    /**
     * As set by {@link #waitLimit(Duration)}.
     *
     * @return time.
     */
    public Duration waitLimit()
    {
        return waitLimit;
    }

    /** Whether the publisher may write over what a subscriber reads. */
    boolean mayOverrun()
    {
        return whenSlow != WhenSlow.WAIT || !waitLimit.isZero();
    }

    /** Checks all of it. */
    void conclude()
    {
        if (!BitUtil.isPowerOfTwo(logLength) || logLength < TopicLogDescriptor.LEAST_LENGTH ||
            logLength > TopicLogDescriptor.MOST_LENGTH)
        {
            throw new IllegalArgumentException("logLength is out of range: found=" + logLength +
                ", expected a power of two from " + TopicLogDescriptor.LEAST_LENGTH + " to " + TopicLogDescriptor.MOST_LENGTH);
        }
        if (whenSlow == null || waitLimit == null || waitLimit.isNegative())
        {
            throw new IllegalArgumentException("whenSlow or waitLimit cannot be: found=" + whenSlow + ", " + waitLimit +
                ", expected a rule, and a time of zero or more");
        }
    }

    @Override
    public String toString()
    {
        return "PublicationContext{logLength=" + logLength + ", whenSlow=" + whenSlow + ", waitLimit=" + waitLimit + '}';
    }
}
