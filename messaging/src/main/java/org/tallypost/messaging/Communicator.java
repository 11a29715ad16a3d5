// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.collections.Int2IntHashMap;

/**
 * A context and a group of ranks, numbered from 0. Messages of one context never match receives of another one. All members
 * make it with the same number of the context and the same ranks in the same order; how they agree on the number is up to them.
 *
 * <p>Contexts up to 255 together with tags up to 65,535 cost no bytes in a message; larger ones cost 8.
 */
public final class Communicator
{
    /** Stands for any source. */
    public static final int ANY_SOURCE = -1;
    /** Stands for any tag. */
    public static final int ANY_TAG = -1;
    /** Highest tag, and highest context. */
    public static final int MAX_TAG = Integer.MAX_VALUE;

    private final MessengerState owner;
    private final int context;
    private final int own;
    /** Ranks in the endpoint's group by rank in this one; null for all. */
    private final int[] ranks;
    private final Int2IntHashMap numbers;
    private final int size;
    private boolean isFreed;
    /** Asked for receives; null if there is none. */
    private ArrivalListener arrivals;
    /** Active requests. */
    int activeCount;
    /** Messages that {@link Messenger#matchedProbe} has taken, and nobody has received. */
    int heldCount;

    /** All ranks. */
    Communicator(final MessengerState owner, final int context)
    {
        this.owner = owner;
        this.context = context;
        own = owner.own;
        size = owner.context.rankCount();
        ranks = null;
        numbers = null;
    }

    /** Some ranks. */
    Communicator(final MessengerState owner, final int context, final int[] members)
    {
        final int rankCount = owner.context.rankCount();
        this.owner = owner;
        this.context = context;
        size = members.length;
        ranks = members.clone();
        numbers = new Int2IntHashMap(ANY_SOURCE);
        for (int i = 0; i < size; i++)
        {
            if (members[i] < 0 || members[i] >= rankCount)
            {
                throw new IllegalArgumentException("no such rank: found=" + members[i] + " at " + i + ", expected=0 to " +
                    (rankCount - 1));
            }
            if (numbers.put(members[i], i) != ANY_SOURCE)
            {
                throw new IllegalArgumentException("a rank is twice in the group: found=" + members[i] + " at " + i +
                    ", expected different ranks");
            }
        }
        own = numbers.get(owner.own);
        if (own == ANY_SOURCE)
        {
            throw new IllegalArgumentException("the own rank is not in the group: expected=" + owner.own + " among " + size +
                " ranks");
        }
    }

    /**
     * Number of the context.
     *
     * @return at least 0.
     */
    public int context()
    {
        return context;
    }

    /**
     * Own rank in this group.
     *
     * @return from 0 to the size, exclusive.
     */
    public int rank()
    {
        return own;
    }

    /**
     * Number of ranks in this group.
     *
     * @return at least 1.
     */
    public int size()
    {
        return size;
    }

    /**
     * The endpoint's rank of a member.
     *
     * @param rank in this group.
     * @return rank in the group of the endpoint.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public int endpointRank(final int rank)
    {
        if (rank < 0 || rank >= size)
        {
            throw new IllegalArgumentException("no such rank: found=" + rank + ", expected=0 to " + (size - 1) + ", context=" +
                context);
        }
        return ranks == null ? rank : ranks[rank];
    }

    /**
     * Asks a listener for a receive whenever a message of this communicator comes that no posted receive is for. A message that
     * it leaves is kept, and those behind it are kept too until it is received: the order of messages is as without a listener.
     * For the thread that polls.
     *
     * @param listener that is asked; null for none.
     */
    public void onArrival(final ArrivalListener listener)
    {
        check();
        arrivals = listener;
    }

    ArrivalListener arrivals()
    {
        return arrivals;
    }

    /**
     * The rank of a member.
     *
     * @param endpointRank in the group of the endpoint.
     * @return rank in this group; -1 if it is no member.
     */
    public int rankOf(final int endpointRank)
    {
        return ranks != null ? numbers.get(endpointRank) : endpointRank >= 0 && endpointRank < size ? endpointRank : -1;
    }

    /**
     * Whether {@link Messenger#free} has ended it.
     *
     * @return true if so.
     */
    public boolean isFreed()
    {
        return isFreed;
    }

    int[] members()
    {
        return ranks;
    }

    void free()
    {
        if (activeCount > 0)
        {
            throw new IllegalStateException("requests of the communicator are active: found=" + activeCount +
                ", expected=0, context=" + context + "; wait for them, or cancel them");
        }
        if (heldCount > 0)
        {
            throw new IllegalStateException("messages of the communicator are held by matchedProbe: found=" + heldCount +
                ", expected=0, context=" + context + "; receive them");
        }
        isFreed = true;
    }

    void check()
    {
        if (isFreed)
        {
            throw new IllegalStateException("the communicator was freed: context=" + context);
        }
    }

    /** For a messenger that is to use it. */
    void checkOwner(final MessengerState user)
    {
        checkOwner("communicator", user);
    }

    /** For a messenger that is to use something of it. */
    void checkOwner(final String what, final MessengerState user)
    {
        if (owner != user)
        {
            throw new IllegalArgumentException("the " + what + " is of another messenger: found rank=" + owner.own +
                " of " + owner.endpoint + ", expected rank=" + user.own + " of " + user.endpoint + ", context=" + context);
        }
    }

    /** Context, own rank and size. */
    @Override
    public String toString()
    {
        return "Communicator{context=" + context + ", rank=" + own + ", size=" + size + (isFreed ? ", freed}" : "}");
    }
}
