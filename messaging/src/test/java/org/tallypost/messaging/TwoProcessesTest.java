// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Messages to another process and back, with waits that park; and processes that die. */
class TwoProcessesTest extends MessengerFixture
{
    private static final int KILLS = Integer.getInteger("tallypost.kills", 3);

    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final UnsafeBuffer message = bytes(EchoProcess.MAX_LENGTH, 3);
    private final UnsafeBuffer room = room(EchoProcess.MAX_LENGTH);

    private void open()
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, EchoProcess.RANKS, EchoProcess.SLOTS));
        endpoints = new Endpoint[EchoProcess.RANKS];
        messengers = new Messenger[EchoProcess.RANKS];
        open(0, DEFAULTS);
    }

    private RequestResult exchange(final int tag, final int length)
    {
        final Messenger messenger = messengers[0];
        messenger.receive(receive, messenger.world(), 1, tag, room, 0, length);
        messenger.send(send, messenger.world(), 1, tag, message, 0, length);
        assertTrue(Requests.awaitAll(messenger, Watchdog.DEFAULT_LIMIT.toNanos(), send, receive), () -> send + " " + receive);
        return receive.result();
    }

    /** The loss of the one before is told first. */
    private boolean isSent()
    {
        messengers[0].send(send, messengers[0].world(), 1, 1, message, 0, 8);
        assertTrue(messengers[0].await(send, Watchdog.DEFAULT_LIMIT.toNanos()), send::toString);
        return send.result() == RequestResult.SUCCESS;
    }

    @Test
    void shouldSendThereAndBack()
    {
        open();
        try (ForkedJvm child = EchoProcess.start(directory))
        {
            for (int i = 1; i <= 5_000; i++)
            {
                final int length = i % 50 == 0 ? EchoProcess.MAX_LENGTH : i % 10 == 0 ? 2_000 : 8;
                assertEquals(RequestResult.SUCCESS, exchange(i, length));
                assertEquals(i, receive.tag());
                assertEquals(length, receive.length());
                if (i % 50 == 0)
                {
                    check(room, 0, length, 3);
                }
            }
            exchange(0, 8);
            messengers[0].send(send, messengers[0].world(), 1, 1, message, 0, 8);
            drive("end of the child", () -> !child.isAlive());
        }
    }

    /** Whatever is under way, requests end, and the next incarnation is met anew. */
    @Test
    void shouldEndRequestsWhenTheOtherProcessIsKilled()
    {
        open();
        for (int kill = 0; kill < KILLS; kill++)
        {
            try (ForkedJvm child = EchoProcess.start(directory))
            {
                drive("a message to the child", this::isSent);
                assertTrue(child.isAlive());
                messengers[0].receive(receive, messengers[0].world(), 1, 1, room, 0, 8);
                await(receive);
                assertEquals(RequestResult.SUCCESS, receive.result());
                for (int i = 0; i < 20 * (kill + 1); i++)
                {
                    assertEquals(RequestResult.SUCCESS, exchange(1, i % 2 == 0 ? 8 : EchoProcess.MAX_LENGTH));
                }
                messengers[0].receive(receive, messengers[0].world(), 1, 2, room, 0, EchoProcess.MAX_LENGTH);
                messengers[0].send(send, messengers[0].world(), 1, 2, message, 0, EchoProcess.MAX_LENGTH);
                for (int i = 0; i < kill * 5; i++)
                {
                    work();
                }
            }
            await(receive, send);
            assertTrue(receive.result() == RequestResult.PEER_GONE || receive.result() == RequestResult.SUCCESS,
                () -> receive.toString());
            drive("gone", () ->
            {
                if (!receive.isActive())
                {
                    messengers[0].receive(receive, messengers[0].world(), 1, 2, room, 0, 8);
                }
                return receive.result() == RequestResult.PEER_GONE;
            });
        }
        assertEquals(0, messengers[0].counters().refused());
    }
}
