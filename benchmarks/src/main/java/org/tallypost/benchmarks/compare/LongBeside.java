// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;

/**
 * Messages of 16 MiB from the first party to the second, one after the other without a pause, while short ones go there and back.
 * They go on where they were when the parties' next turn comes.
 */
final class LongBeside
{
    static final int LENGTH = 16 << 20;
    private static final int TAG = Beside.MESSAGE_TAG + 1;

    private final Messenger messenger;
    private final int destination;
    private final UnsafeBuffer room;
    private final SendRequest send;
    private final ReceiveRequest receive;
    private long number;

    LongBeside(final Messenger messenger, final int destination, final boolean isSender, final UnsafeBuffer room)
    {
        this.messenger = messenger;
        this.destination = destination;
        this.room = room;
        send = isSender ? new SendRequest() : null;
        receive = isSender ? null : new ReceiveRequest();
        if (isSender)
        {
            send();
        }
        else
        {
            receive();
        }
    }

    private void send()
    {
        room.putLong(0, number);
        room.putLong(LENGTH - Long.BYTES, ~number);
        messenger.send(send, messenger.world(), destination, TAG, room, 0, LENGTH);
    }

    private void receive()
    {
        messenger.receive(receive, messenger.world(), destination, TAG, room, 0, LENGTH);
    }

    /** The next one begins as soon as one is over. Called behind each work of the messenger. */
    void work()
    {
        if (send != null && send.isDone())
        {
            check(send.result());
            number++;
            send();
        }
        else if (receive != null && receive.isDone())
        {
            check(receive.result());
            if (room.getLong(0) != number || room.getLong(LENGTH - Long.BYTES) != ~number)
            {
                throw new IllegalStateException("long message " + number + " is not as it was sent");
            }
            number++;
            receive();
        }
    }

    private static void check(final RequestResult result)
    {
        if (result != RequestResult.SUCCESS)
        {
            throw new IllegalStateException("a long message ended with " + result + ", expected " + RequestResult.SUCCESS);
        }
    }

    /** Bytes of those that are over. */
    long bytes()
    {
        return number * LENGTH;
    }
}
