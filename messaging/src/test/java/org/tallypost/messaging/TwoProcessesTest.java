// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/** Messages to another process and back, with waits that park; and processes that die. */
class TwoProcessesTest extends MessengerFixture
{
    private static final int KILLS = Integer.getInteger("tallypost.kills", 3);
    private static final int EXCHANGES = Integer.getInteger("tallypost.exchanges", 500);

    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final Loan loan = new Loan();
    private RegionMemory memory;
    private UnsafeBuffer message = bytes(EchoProcess.MAX_LENGTH, 3);
    private int sendCount;
    private final UnsafeBuffer room = room(EchoProcess.MAX_LENGTH);

    private void open(final boolean isWithMemory)
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, EchoProcess.RANKS, EchoProcess.SLOTS));
        endpoints = new Endpoint[EchoProcess.RANKS];
        messengers = new Messenger[EchoProcess.RANKS];
        if (!isWithMemory)
        {
            open(0, DEFAULTS);
            return;
        }
        open(0, (context) ->
        {
            memory = RegionMemory.open(node, context.endpoint());
            context.regionMemory(memory);
        });
        message = memory.register(EchoProcess.MAX_LENGTH, Region.READ).buffer();
        fill(message, 0, EchoProcess.MAX_LENGTH, 3);
    }

    /** Lends it every third time, if there is something to be lent. */
    private void send(final int tag, final int length)
    {
        final Messenger messenger = messengers[0];
        if (memory != null && ++sendCount % 3 == 0 && memory.tryLoan(length, loan) > 0)
        {
            loan.buffer().putBytes(0, message, 0, length);
            messenger.send(send, messenger.world(), 1, tag, loan);
        }
        else
        {
            messenger.send(send, messenger.world(), 1, tag, message, 0, length);
        }
    }

    private RequestResult exchange(final int tag, final int length)
    {
        final Messenger messenger = messengers[0];
        messenger.receive(receive, messenger.world(), 1, tag, room, 0, length);
        send(tag, length);
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendThereAndBack(final boolean isWithMemory)
    {
        open(isWithMemory);
        try (ForkedJvm child = EchoProcess.start(directory))
        {
            for (int i = 1; i <= EXCHANGES; i++)
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
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndRequestsWhenTheOtherProcessIsKilled(final boolean isWithMemory)
    {
        open(isWithMemory);
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
                send(2, EchoProcess.MAX_LENGTH);
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
            loan.cancel();
        }
        if (isWithMemory)
        {
            memory.collect();
            assertEquals(0, memory.loanCount(1));
            assertEquals(1 << 17, memory.usedLength(), "the region");
        }
        assertEquals(0, messengers[0].counters().refused());
    }
}
