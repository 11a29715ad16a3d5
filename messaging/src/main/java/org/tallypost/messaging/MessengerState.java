// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.concurrent.ThreadLocalRandom;
import org.agrona.LangUtil;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.window.ReceiveWindow;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * What both directions of a messenger share: the endpoint, the pairs, those of them with work, and the requests that are done and
 * have a listener. One thread.
 */
final class MessengerState
{
    /** Shorter ones have few runs, and go by the mailbox. */
    private static final int MIN_NEAR_LENGTH = 1 << 16;

    final Endpoint endpoint;
    final MessengerContext context;
    final MessengerCounters counters = new MessengerCounters();
    final Communicators communicators = new Communicators();
    final int own;
    /** Staging areas are for ranks of this node, as there are no others. */
    final boolean isNear;
    private final Pair[] pairs;
    private final RequestQueue due = new RequestQueue();
    private final ShortParts parts = new ShortParts();
    private final int firstTag;
    private Pair listed;
    private Throwable thrown;
    private long nextSession = ThreadLocalRandom.current().nextLong();
    boolean isClosed;
    /** A listener is being asked for the receive of a message, which is in no queue meanwhile. */
    boolean isAsking;

    MessengerState(final MessengerContext context)
    {
        this.context = context;
        endpoint = context.endpoint();
        own = endpoint.rank();
        pairs = new Pair[context.rankCount()];
        isNear = context.copyRoom() > 0 && isOneNode();
        firstTag = context.firstChannel() << Channel.TAG_BITS;
    }

    /** The tag of a message of a kind. */
    int tag(final int kind, final int compact)
    {
        return firstTag + (kind << Channel.TAG_BITS) | compact;
    }

    /** Whether all ranks are of this node. */
    private boolean isOneNode()
    {
        for (int rank = 0; rank < pairs.length; rank++)
        {
            if (!endpoint.isSameNode(rank))
            {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes of an announced message go into a staging area of its receiver, if that has one. */
    boolean isStaged(final int rank, final int wanted)
    {
        final RegionMemory memory = context.regionMemory();
        return memory != null && (isNear ? wanted >= MIN_NEAR_LENGTH :
            wanted >= context.bulkLimit(rank) && !endpoint.isSameNode(rank) && memory.isReachable(rank));
    }

    /** What is kept of a rank. */
    Pair pair(final int rank)
    {
        final Pair pair = pairs[rank];
        return pair != null ? pair : meet(rank);
    }

    private Pair meet(final int rank)
    {
        final Pair pair = new Pair(rank, endpoint.takesHigh(rank), new ReceiveWindow(
            context.eagerWindow(), context.announcements(), UnexpectedMessages.cost(Endpoint.MAX_RUN_LENGTH)));
        pair.in.window.reset(0);
        pairs[rank] = pair;
        return pair;
    }

    /** All ranks that were met; null where none was. */
    Pair[] pairs()
    {
        return pairs;
    }

    /** The number of a session, never 0. */
    long newSession()
    {
        nextSession += nextSession == -1 ? 2 : 1;
        return nextSession;
    }

    /** A short message has come, or gone. */
    void onShort()
    {
        parts.onShort();
    }

    /** The bytes of a long message begin to move. */
    void onBeginToMove()
    {
        parts.onBegin();
    }

    /** They are over, or go another way. */
    void onEndToMove()
    {
        parts.onEnd();
    }

    /** A part of them has moved. */
    void onPart()
    {
        parts.onPart();
    }

    /** A round begins. */
    void onRound()
    {
        parts.onRound();
    }

    /** As {@link ShortParts#length}. */
    int partLength(final int longest)
    {
        return parts.length(longest);
    }

    /** As {@link ShortParts#isHeldBack}. */
    boolean isHeldBack()
    {
        return parts.isHeldBack();
    }

    /** The next {@link Messenger#doWork()} looks after a pair. */
    void list(final Pair pair)
    {
        if (!pair.isListed)
        {
            pair.isListed = true;
            pair.nextListed = listed;
            listed = pair;
        }
    }

    /** Those that were listed; the list is empty then. */
    Pair takeListed()
    {
        final Pair first = listed;
        listed = null;
        return first;
    }

    void refuse()
    {
        counters.add(Counter.REFUSED, 1);
    }

    /** The place of a message cannot be read. */
    void refusePlace()
    {
        counters.add(Counter.PLACES_REFUSED, 1);
    }

    /** What the listener of arrivals has thrown within a send to the own rank goes to the caller of the next round. */
    void keepThrown(final Throwable t)
    {
        if (thrown == null)
        {
            thrown = t;
        }
        else if (thrown != t)
        {
            thrown.addSuppressed(t);
        }
    }

    /** Throws what was kept. */
    void throwKept()
    {
        if (thrown != null)
        {
            final Throwable kept = thrown;
            thrown = null;
            LangUtil.rethrowUnchecked(kept);
        }
    }

    /** Misuse: what the listener of arrivals starts would pass by the message that it is asked about. */
    void checkNotAsking()
    {
        if (isAsking)
        {
            throw new IllegalStateException("the listener of arrivals uses its messenger: rank=" + own +
                "; prepare a receive and return it, and do the rest after doWork()");
        }
    }

    /** Ends a request that is in no table and no queue. */
    void complete(final Request request, final RequestResult result)
    {
        request.onDone(result);
        if (request.listener() != null)
        {
            due.add(request);
        }
    }

    /** Calls the listeners of what is done, also of what they start and is done at once, up to a limit. */
    int callListeners()
    {
        int count = 0;
        while (!due.isEmpty() && count < context.pollLimit())
        {
            final Request request = due.first();
            due.remove(request);
            count++;
            request.listener().onDone(request);
        }
        return count;
    }
}
