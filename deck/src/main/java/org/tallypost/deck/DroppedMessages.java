// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.ReceiveRequest;

/** Messages that nobody gets: each is received without its bytes, as soon as there is a receive. The thread of the deck. */
final class DroppedMessages
{
    private final Messenger messenger;
    private final ReceiveRoom room;
    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
    private final ArrayDeque<HeldMessage> waiting = new ArrayDeque<>();
    private final List<ReceiveRequest> active = new ArrayList<>();

    DroppedMessages(final Messenger messenger, final ReceiveRoom room)
    {
        this.messenger = messenger;
        this.room = room;
    }

    void add(final HeldMessage held)
    {
        waiting.add(held);
    }

    /** There is room for a receive. */
    void drop(final HeldMessage held)
    {
        final ReceiveRequest request = new ReceiveRequest();
        if (!messenger.receive(request, held.matched, nothing, 0, 0))
        {
            active.add(request);
            room.take();
        }
    }

    int work()
    {
        int work = 0;
        for (int i = active.size() - 1; i >= 0; i--)
        {
            if (active.get(i).isDone())
            {
                active.remove(i);
                room.give();
                work++;
            }
        }
        while (!waiting.isEmpty() && !room.isFull())
        {
            drop(waiting.poll());
            work++;
        }
        return work;
    }
}
