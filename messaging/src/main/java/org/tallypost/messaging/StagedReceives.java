// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Receives of long messages that lie in private memory of other ranks. Each of them gets a staging area, and the answer
 * to its sender says which. The sender puts the bytes there by the bulk stream, or sends them as ever. There are few areas, made
 * once: ranks take turns with them. One thread.
 *
 * <pre>
 *   matched -&gt; waits for an area -&gt; CTS with its key -&gt; bytes come there, and are copied -&gt; DONE
 *                                                    -&gt; bytes come as DATA: the area is free
 *              no area for long  -&gt; CTS without one
 * </pre>
 */
final class StagedReceives
{
    /** Most areas. */
    private static final int MAX_AREAS = 8;
    /** Longest area, and how many there are before they are longer than the shortest. */
    private static final int MAX_AREA_LENGTH = 1 << 20;
    /** The same on one node: the sender of a shorter message waits for nothing. */
    private static final int MAX_NEAR_LENGTH = 1 << 21;
    private static final int USUAL_AREAS = 4;
    /** Rounds in which no byte comes into any area, after which a receive waits for none any more. */
    private static final int MAX_QUIET_ROUNDS = 1 << 11;

    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final OutgoingMessages outgoing;
    private final RegionMemory memory;
    private final StagingArea[] areas;
    private final int areaLength;
    private int madeCount;
    /** Of the area that is copied from first. */
    private int turn;
    /** Areas that receives have, or that their senders have not left. */
    private int usedCount;
    /** Areas in which a put of a session that is over goes on. */
    private int overCount;
    /** No further area can be made. */
    private boolean isWhole;
    /** Pairs with receives that wait, in the order of their turns. */
    private Pair firstWaiting;
    private Pair lastWaiting;
    private int quietRounds;

    StagedReceives(final MessengerState shared, final IncomingMessages incoming, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        this.incoming = incoming;
        this.outgoing = outgoing;
        memory = shared.context.regionMemory();
        final int length = shared.context.stagingLength();
        areaLength = Math.max(MessengerContext.MIN_STAGING_LENGTH,
            Math.min(shared.isNear ? MAX_NEAR_LENGTH : MAX_AREA_LENGTH, Integer.highestOneBit(length / USUAL_AREAS)));
        areas = new StagingArea[memory == null ? 0 : Math.min(MAX_AREAS, length / areaLength)];
    }

    /** Gives a receive an area, if it is to have one: false if it has to wait for it. */
    boolean admit(final Pair pair, final ReceiveRequest request)
    {
        if (areas.length == 0 || !shared.isStaged(pair.rank, request.wanted) || !isOpen())
        {
            return true;
        }
        takeOver();
        // on one node no sender waits for the receives of another one, which may never go on
        if ((firstWaiting == null || hasKept(pair)) && give(request) || madeCount == 0 ||
            shared.isNear && pair.in.areaCount == 0)
        {
            return true;
        }
        pair.in.unstaged.add(request);
        enter(pair);
        return false;
    }

    private boolean isOpen()
    {
        return !memory.isClosed() && !shared.endpoint.isClosed();
    }

    private void enter(final Pair pair)
    {
        if (pair.in.isInTurn)
        {
            return;
        }
        pair.in.isInTurn = true;
        pair.nextInTurn = null;
        if (lastWaiting == null)
        {
            firstWaiting = pair;
        }
        else
        {
            lastWaiting.nextInTurn = pair;
        }
        lastWaiting = pair;
    }

    /** The first receive that waits of a pair, which goes behind the others: null if there is none. */
    private ReceiveRequest takeWaiting(final Pair pair)
    {
        leaveTurn(pair);
        final ReceiveRequest request = (ReceiveRequest)pair.in.unstaged.first();
        if (request != null)
        {
            pair.in.unstaged.remove(request);
            if (!pair.in.unstaged.isEmpty())
            {
                enter(pair);
            }
        }
        return request;
    }

    private void leaveTurn(final Pair pair)
    {
        Pair previous = null;
        for (Pair other = firstWaiting; other != pair; other = other.nextInTurn)
        {
            previous = other;
        }
        if (previous == null)
        {
            firstWaiting = pair.nextInTurn;
        }
        else
        {
            previous.nextInTurn = pair.nextInTurn;
        }
        lastWaiting = lastWaiting == pair ? previous : lastWaiting;
        pair.nextInTurn = null;
        pair.in.isInTurn = false;
    }

    private boolean give(final ReceiveRequest request)
    {
        final Pair pair = shared.pair(request.matchedSource);
        final StagingArea area = isOpen() ? find(pair) : null;
        if (area == null)
        {
            return false;
        }
        usedCount += area.keeper() == null ? 1 : 0;
        area.give(request, shared.isNear ? senderOf(pair) : null);
        pair.in.areaCount++;
        shared.onBeginToMove();
        return true;
    }

    /** The process of a sender on this node. */
    private ProcessIdentity senderOf(final Pair pair)
    {
        final long state = shared.endpoint.rankState(pair.rank);
        if (pair.in.processState != state)
        {
            pair.in.process = shared.endpoint.processOf(pair.rank);
            pair.in.processState = state;
        }
        return pair.in.process;
    }

    /** An area for a message: one that its sender has not left, else a free one, else one more. Null if there is none. */
    private StagingArea find(final Pair pair)
    {
        StagingArea free = null;
        for (int i = 0; i < madeCount; i++)
        {
            final StagingArea area = areas[i];
            if (area.isKeptFor(pair))
            {
                return area;
            }
            free = area.request() == null && area.keeper() == null ? area : free;
        }
        return free != null || !make() ? free : areas[madeCount - 1];
    }

    /** Whether there is an area for the messages of a pair alone that none of them has. */
    private boolean hasKept(final Pair pair)
    {
        for (int i = 0; i < madeCount; i++)
        {
            if (areas[i].isKeptFor(pair))
            {
                return true;
            }
        }
        return false;
    }

    private boolean make()
    {
        if (isWhole || madeCount == areas.length)
        {
            return false;
        }
        try
        {
            areas[madeCount] = new StagingArea(memory.register(areaLength, Region.READ | Region.WRITE));
            madeCount++;
            return true;
        }
        catch (final IllegalStateException | NoRoomException ex)
        {
            // the memory is the program's first
            isWhole = true;
            return false;
        }
    }

    /** Copies what has come, and hands on areas that are free: 0 if there is nothing to wait for. */
    int progress()
    {
        if (usedCount == 0 && firstWaiting == null)
        {
            return 0;
        }
        final boolean isOpen = isOpen();
        takeOver();
        final int copied = copy(isOpen);
        quietRounds = copied > 0 || firstWaiting == null || shared.isNear ? 0 : quietRounds + 1;
        for (Pair pair = turn(isOpen); pair != null; pair = turn(isOpen))
        {
            final ReceiveRequest request = takeWaiting(pair);
            if (request != null)
            {
                // without an area if all of them are kept by senders that do nothing
                give(request);
                incoming.queueAnswer(pair, request);
            }
        }
        return shared.isNear ? Math.min(copied, 1) : 1;
    }

    /** The pair with a receive that waits no longer; null if there is none. */
    private Pair turn(final boolean isOpen)
    {
        return usedCount < madeCount || madeCount == 0 || quietRounds > MAX_QUIET_ROUNDS || !isOpen ?
            firstWaiting : behindOthers();
    }

    /** A sender on this node that waits for areas of other ones alone; null if there is none. */
    private Pair behindOthers()
    {
        Pair pair = shared.isNear ? firstWaiting : null;
        while (pair != null && (pair.in.areaCount > 0 || pair.in.unstaged.isEmpty()))
        {
            pair = pair.nextInTurn;
        }
        return pair;
    }

    /** Copies a part out of each area; on one node out of the first that has one, as long as it has. */
    private int copy(final boolean isOpen)
    {
        int copied = 0;
        final int count = madeCount;
        for (int i = 0; i < count; i++)
        {
            final int index = turn + i < count ? turn + i : turn + i - count;
            final ReceiveRequest request = areas[index].request();
            if (request != null && isOpen)
            {
                final int length = copyOrFail(areas[index]);
                copied += length;
                if (shared.isNear && length > 0)
                {
                    turn = request.area == null ? (index + 1) % count : index;
                    return copied;
                }
            }
            else if (request != null)
            {
                fail(request);
            }
        }
        return copied;
    }

    private int copyOrFail(final StagingArea area)
    {
        final ReceiveRequest request = area.request();
        boolean isGood = false;
        try
        {
            final int most = shared.partLength(StagingArea.PART_LENGTH);
            final int length = area.copy(most);
            isGood = length >= 0;
            if (!isGood)
            {
                shared.refuse();
                return 0;
            }
            request.received += length;
            if (length > 0)
            {
                shared.onPart();
            }
            if (shared.isNear && length > 0 && area.isAwaited(length, most))
            {
                outgoing.look(shared.pair(request.matchedSource));
            }
            if (request.received == request.wanted)
            {
                shared.counters.add(Counter.STAGED, 1);
                incoming.finish(request);
            }
            return length;
        }
        finally
        {
            if (!isGood && request.isActive())
            {
                fail(request);
            }
        }
    }

    /** The sender of a message is gone: false if not all of it is in the area, or copied. */
    boolean takeRest(final ReceiveRequest request)
    {
        // nobody is told if it fails
        request.sendId = 0;
        int copied = 1;
        while (request.area != null && isOpen() && copied > 0 && request.hasRoom(request.wanted - request.received))
        {
            copied = copyOrFail(request.area);
        }
        return !request.isActive();
    }

    /** The rest of a message cannot be copied: its sender hears of it, as it learns no more than that its key is over. */
    private void fail(final ReceiveRequest request)
    {
        end(request);
        incoming.fail(shared.pair(request.matchedSource), request, request.sendId);
    }

    /** The bytes of a receive come as DATA. */
    void decline(final ReceiveRequest request)
    {
        if (request.area != null)
        {
            free(request, true);
            request.received = 0;
        }
    }

    /** A receive is over. */
    void end(final ReceiveRequest request)
    {
        if (request.area != null)
        {
            free(request, !shared.isNear || request.received == request.wanted);
        }
    }

    /**
     * A receive has no use for its area.
     *
     * @param isDone whether the sender puts nothing more. On this node one that may be in the midst of a put, also behind the
     *               end of its endpoint, keeps the area for itself alone, until it has left, or its session is over.
     */
    private void free(final ReceiveRequest request, final boolean isDone)
    {
        final Pair pair = shared.pair(request.matchedSource);
        final StagingArea area = request.area;
        final boolean isOpen = isOpen();
        area.free(isOpen);
        final boolean isLeft = isDone || !isOpen ||
            RankState.of(shared.endpoint.rankState(pair.rank)) != RankState.OPEN && area.isLeft();
        area.keepFor(isLeft ? null : pair);
        pair.in.areaCount--;
        usedCount -= isLeft ? 1 : 0;
        shared.onEndToMove();
    }

    /** The session of a sender is over, and none of its receives is left. A put may go on all the same, as in another thread. */
    void onLeft(final Pair pair)
    {
        for (int i = 0; i < madeCount; i++)
        {
            if (areas[i].isKeptFor(pair))
            {
                leave(areas[i]);
                overCount += areas[i].isOver() ? 1 : 0;
            }
        }
    }

    private void leave(final StagingArea area)
    {
        usedCount -= area.leave() ? 1 : 0;
    }

    /** Takes areas back in which a put of a session that is over has ended. */
    private void takeOver()
    {
        for (int i = 0; i < madeCount && overCount > 0; i++)
        {
            if (areas[i].isOver())
            {
                leave(areas[i]);
                overCount -= areas[i].isOver() ? 0 : 1;
            }
        }
    }

    /** The messenger is closed, and no receive is left. */
    void close()
    {
        for (int i = 0; i < madeCount && isOpen(); i++)
        {
            areas[i].close();
        }
    }
}
