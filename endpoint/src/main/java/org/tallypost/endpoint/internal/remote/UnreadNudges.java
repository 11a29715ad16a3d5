// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.mailbox.Mailbox;

/**
 * Nudges from other nodes that lie in mailboxes of this one: when their receivers have read them is seen from how far these have
 * read. The credits for a nudge are in their word by then, since a receiver publishes that later. For the thread that carries
 * packets.
 */
final class UnreadNudges
{
    private final RankMap map;
    /** Ranks of this node. */
    private final int[] locals;
    private final Mailbox[] mailboxes;
    /** Nudges of each pair of a rank here and one elsewhere, in a mailbox and not read. */
    private final int[] counts;
    /** Where the last of them ends. */
    private final long[] ends;
    /** Pairs that have some, in no order, so that a duty cycle looks at these alone. */
    private final int[] pending;
    private int size;

    /**
     * None.
     *
     * @param map       of all ranks.
     * @param node      this one.
     * @param mailboxes of the ranks here, as they come and go; null for one that is not open.
     */
    UnreadNudges(final RankMap map, final int node, final Mailbox[] mailboxes)
    {
        this.map = map;
        locals = map.ranks(node);
        this.mailboxes = mailboxes;
        counts = new int[mailboxes.length * map.rankCount()];
        ends = new long[counts.length];
        pending = new int[counts.length];
    }

    private int pair(final int local, final int peer)
    {
        return map.localIndex(local) * map.rankCount() + peer;
    }

    /** A nudge was written. */
    void add(final int local, final int peer, final long end)
    {
        final int pair = pair(local, peer);
        ends[pair] = end;
        if (counts[pair]++ == 0)
        {
            pending[size++] = pair;
        }
    }

    /** The pair begins anew. */
    void forget(final int local, final int peer)
    {
        final int pair = pair(local, peer);
        for (int i = size - 1; i >= 0; i--)
        {
            if (pending[i] == pair)
            {
                remove(i);
            }
        }
    }

    private void remove(final int index)
    {
        counts[pending[index]] = 0;
        pending[index] = pending[--size];
    }

    /** Tells which were read; returns the number of pairs. */
    int poll(final PairListener to)
    {
        int work = 0;
        for (int i = size - 1; i >= 0; i--)
        {
            final int pair = pending[i];
            final int index = pair / map.rankCount();
            final Mailbox mailbox = mailboxes[index];
            if (mailbox == null)
            {
                // its pairs are over
                remove(i);
            }
            else if (mailbox.readPosition() >= ends[pair])
            {
                final int nudges = counts[pair];
                remove(i);
                work++;
                to.onNudgesRead(locals[index], pair % map.rankCount(), nudges);
            }
        }
        return work;
    }
}
