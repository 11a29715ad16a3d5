// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** How a subscription to a topic of another node hears it: by the log of a relay, as the relay, or one by one. One thread. */
final class RelayedLog
{
    private final PublisherLink link;
    /** The log that is to be read as soon as it is there; null if there is none. */
    LogPlace place;
    /** Null if this one does not write the log for others of its node. */
    Relay relay;
    /** Number of the next message that comes one by one. */
    long coming;
    /** The rank of this node that writes the log; -1 if it is another case. */
    private int relayRank = -1;
    private boolean isRelayToBeWoken;

    RelayedLog(final PublisherLink link)
    {
        this.link = link;
    }

    void begin(final LogPlace told)
    {
        place = told.hasLog() ? told : null;
        coming = told.sequence;
    }

    /** The log is mapped: another rank than the publisher writes it, or the publisher does. */
    void attached(final int publisher)
    {
        relayRank = place.logRank == publisher ? -1 : place.logRank;
        place = null;
    }

    void leave()
    {
        place = null;
        relay = null;
        relayRank = -1;
        isRelayToBeWoken = false;
    }

    /** The position in the log is told: if the relay sleeps, it is to look at it. */
    void onRead(final TopicLog log)
    {
        isRelayToBeWoken |= relayRank >= 0 && log.takeRelay(relayRank);
    }

    int work(final LogReader reader, final int publisher, final int number, final long subscription)
    {
        isRelayToBeWoken = isRelayToBeWoken && !link.wake(relayRank);
        return relay == null ? 0 : relay.work(reader.position(), publisher, number, subscription);
    }

    /** Whether there is something to do before this thread may sleep. */
    boolean hasNews(final LogReader reader)
    {
        return place != null || isRelayToBeWoken || relay != null && relay.hasNews(reader.position());
    }
}
