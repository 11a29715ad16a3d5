// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** Why a subscriber gets no more messages of a publication. */
public enum TopicEnd
{
    /** The publisher has ended it. All messages were delivered before. The subscription waits for another publisher. */
    CLOSED,
    /** The publisher is gone. The subscription waits for another one. */
    PUBLISHER_GONE,
    /** The subscriber was too slow: {@link WhenSlow#DROP}, or {@link PublicationContext#waitLimit}. The subscription is over. */
    DROPPED,
    /** The shared log holds what cannot be, or cannot be mapped. The error handler has the cause. The subscription is over. */
    DAMAGED;

    private static final TopicEnd[] ALL = values();

    /** The end that a message names; one that cannot be is taken as {@link #PUBLISHER_GONE}. */
    static TopicEnd of(final int place)
    {
        return place >= 0 && place < ALL.length ? ALL[place] : PUBLISHER_GONE;
    }

    /** Whether the subscription is over, and does not look for another publisher. */
    boolean isFinal()
    {
        return this == DROPPED || this == DAMAGED;
    }
}
