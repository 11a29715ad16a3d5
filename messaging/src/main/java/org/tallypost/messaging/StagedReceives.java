// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Receives of long messages that lie in private memory of ranks of other nodes. Each of them gets a staging area, and the answer
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
    private static final int USUAL_AREAS = 4;
    /** Rounds in which no byte comes into any area, after which a receive waits for none any more. */
    private static final int MAX_QUIET_ROUNDS = 1 << 11;

    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final RegionMemory memory;
    private final StagingArea[] areas;
    private final int areaLength;
    private int madeCount;
    private int usedCount;
    /** No further area can be made. */
    private boolean isWhole;
    /** Pairs with receives that wait, in the order of their turns. */
    private Pair firstWaiting;
    private Pair lastWaiting;
    private int quietRounds;

    StagedReceives(final MessengerState shared, final IncomingMessages incoming)
    {
        this.shared = shared;
        this.incoming = incoming;
        memory = shared.context.regionMemory();
        final int length = shared.context.stagingLength();
        areaLength = Math.max(MessengerContext.MIN_STAGING_LENGTH,
            Math.min(MAX_AREA_LENGTH, Integer.highestOneBit(length / USUAL_AREAS)));
        areas = new StagingArea[memory == null ? 0 : Math.min(MAX_AREAS, length / areaLength)];
    }

    /** Gives a receive an area, if it is to have one: false if it has to wait for it. */
    boolean admit(final Pair pair, final ReceiveRequest request)
    {
        if (areas.length == 0 || request.wanted < shared.context.bulkLimit(pair.rank) ||
            shared.endpoint.isSameNode(pair.rank) || !memory.isReachable(pair.rank) || !isOpen())
        {
            return true;
        }
        if (firstWaiting == null && give(request) || madeCount == 0)
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

    /** The next receive that waits: of another rank each time. Null if there is none. */
    private ReceiveRequest takeWaiting()
    {
        while (firstWaiting != null)
        {
            final Pair pair = firstWaiting;
            firstWaiting = pair.nextInTurn;
            lastWaiting = firstWaiting == null ? null : lastWaiting;
            pair.nextInTurn = null;
            pair.in.isInTurn = false;
            final ReceiveRequest request = (ReceiveRequest)pair.in.unstaged.first();
            if (request != null)
            {
                pair.in.unstaged.remove(request);
                if (!pair.in.unstaged.isEmpty())
                {
                    enter(pair);
                }
                return request;
            }
        }
        return null;
    }

    private boolean give(final ReceiveRequest request)
    {
        if (!isOpen() || usedCount == madeCount && !make())
        {
            return false;
        }
        int index = 0;
        while (areas[index].request() != null)
        {
            index++;
        }
        areas[index].give(request);
        usedCount++;
        shared.onBeginToMove();
        return true;
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
        int copied = 0;
        for (int i = 0; i < madeCount; i++)
        {
            final ReceiveRequest request = areas[i].request();
            if (request != null && isOpen)
            {
                copied += copyOrFail(areas[i]);
            }
            else if (request != null)
            {
                fail(request);
            }
        }
        quietRounds = copied > 0 || firstWaiting == null ? 0 : quietRounds + 1;
        while (firstWaiting != null && (usedCount < madeCount || quietRounds > MAX_QUIET_ROUNDS || !isOpen))
        {
            final ReceiveRequest request = takeWaiting();
            if (request != null)
            {
                // without an area if all of them are kept by senders that do nothing
                give(request);
                incoming.queueAnswer(shared.pair(request.matchedSource), request);
            }
        }
        return 1;
    }

    private int copyOrFail(final StagingArea area)
    {
        final ReceiveRequest request = area.request();
        boolean isGood = false;
        try
        {
            final int length = area.copy(shared.partLength(StagingArea.PART_LENGTH));
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
            end(request);
            request.received = 0;
        }
    }

    /** A receive is over, or has no use for its area. */
    void end(final ReceiveRequest request)
    {
        if (request.area != null)
        {
            request.area.free(isOpen());
            usedCount--;
            shared.onEndToMove();
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
