// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LongSend;
import org.tallypost.node.Node;

/** A rank sends by the channel what no sender of ours would. It is counted and refused, and others are served. */
class ForgedMessagesTest extends ActiveMessagesFixture
{
    private static final int READ = 3;
    private static final int VALUE = 4;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[5_000]);
    private int runs;

    private void forge(final int kind, final int handler, final int id, final int length)
    {
        message.putInt(0, id, ByteOrder.LITTLE_ENDIAN);
        final int tag = MessageDescriptor.tag(ActiveMessagesContext.DEFAULT_CHANNEL, kind, handler);
        drive("room for " + kind, () -> endpoints[2].offer(0, tag, message, 0, length) >= 0);
    }

    private void launchThree()
    {
        launch(Flow.DYNAMIC, 3, 128, (context) -> context.window(2));
        ranks[0].onRequest(READ, (token, a, b, c, d, e) ->
        {
            runs++;
            token.reply(VALUE, a, 0, 0, 0, 0);
        });
        ranks[0].onReply(VALUE, (source, a, b, c, d, e) -> runs += 1_000);
        ranks[1].onReply(VALUE, (source, a, b, c, d, e) -> runs += 1_000_000);
    }

    private void assertOthersAreServed()
    {
        final int before = runs;
        drive("honest request", () -> ranks[1].tryRequest(0, READ, 0, 0, 0, 0, 0) == 0);
        drive("honest answer", () -> ranks[1].unanswered() == 0);
        assertEquals(1_000_001, runs - before);
    }

    @Test
    void shouldRefuseAnswersToNoRequest()
    {
        launchThree();
        for (int slot = 0; slot < MessageDescriptor.MAX_WINDOW; slot++)
        {
            forge(MessageDescriptor.REPLY, VALUE, slot, 32);
            forge(MessageDescriptor.REFUSED, VALUE, MessageDescriptor.next(slot), 32);
        }
        // a request of rank 0 to rank 2: a right answer counts once, and one by another rank not at all
        ranks[2].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, 0, 0, 0, 0, 0));
        drive("forged ones", () -> ranks[0].counters().get(Counter.STALE_REPLIES) == 128);
        ranks[0].request(2, READ, 0, 0, 0, 0, 0);
        drive("answer", () -> ranks[0].unanswered() == 0);
        forge(MessageDescriptor.REPLY, VALUE, MessageDescriptor.next(0), 32);
        drive("second answer", () -> ranks[0].counters().get(Counter.STALE_REPLIES) == 129);
        assertEquals(1_000, runs);
        assertOthersAreServed();
    }

    @Test
    void shouldRefuseWrongKindsAndLengths()
    {
        launchThree();
        forge(MessageDescriptor.KINDS, READ, 0, 32);
        forge(15, READ, 0, 32);
        forge(MessageDescriptor.REQUEST, READ, 0, 31);
        forge(MessageDescriptor.REQUEST, READ, 0, 33);
        forge(MessageDescriptor.REQUEST, READ, 0, 0);
        forge(MessageDescriptor.LONG_REQUEST, READ, 0, 23);
        forge(MessageDescriptor.STORE, READ, 0, 0);
        drive("all of them", () -> ranks[0].counters().get(Counter.REFUSED) == 7);
        assertEquals(0, runs);
        assertOthersAreServed();
    }

    @Test
    void shouldRefuseBlocksThatAreTooLong()
    {
        launchThree();
        final LongSend send = endpoints[2].newSend();
        final int tag = MessageDescriptor.tag(ActiveMessagesContext.DEFAULT_CHANNEL, MessageDescriptor.LONG_REQUEST, READ);
        send.start(0, tag, message, 0, MessageDescriptor.MAX_LENGTH + 1);
        drive("out", () -> !send.isActive() || send.progress() >= 0);
        drive("refused", () -> ranks[0].counters().get(Counter.REFUSED) == 1);
        assertOthersAreServed();
    }

    @Test
    void shouldAnswerWhatIsBeyondTheWindow()
    {
        launchThree();
        for (int slot = 2; slot < MessageDescriptor.MAX_WINDOW; slot++)
        {
            forge(MessageDescriptor.REQUEST, READ, slot, 32);
        }
        drive("refused", () -> ranks[0].counters().get(Counter.BEYOND_WINDOW) == 62);
        drive("answered", () -> ranks[2].counters().get(Counter.STALE_REPLIES) == 62);
        assertEquals(0, runs);
        assertOthersAreServed();
    }

    @Test
    void shouldSayThatTheWindowsDiffer()
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, 2, 64));
        endpoints = new Endpoint[2];
        ranks = new ActiveMessages[2];
        open(0, (context) -> context.window(3));
        open(1, (context) -> context.window(2));
        connect(0, 1);
        failures.clear();
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, ranks[0].tryRequest(1, READ, 0, 0, 0, 0, 0));
        }
        drive("ends", () -> ranks[0].unanswered() == 0);
        assertTrue(failures.contains("0>1:3 WINDOW"), failures::toString);
    }

    @Test
    void shouldRefuseARequestThatIsUnderWay()
    {
        launch(Flow.STATIC, 3, 4, (context) -> context.window(2));
        ranks[0].onRequest(READ, (token, a, b, c, d, e) -> runs++);
        // rank 2 does not poll: its answers wait at rank 0 once its mailbox is full
        final int tag = MessageDescriptor.tag(ActiveMessagesContext.DEFAULT_CHANNEL, MessageDescriptor.REQUEST, READ);
        message.putInt(0, 1, ByteOrder.LITTLE_ENDIAN);
        while (ranks[0].counters().get(Counter.REFUSED) < 3)
        {
            endpoints[2].offer(0, tag, message, 0, 32);
            ranks[0].doWork();
        }
        assertEquals(1, ranks[0].counters().get(Counter.STORED_REPLIES));
        final int before = runs;
        drive("rest", () -> ranks[0].counters().get(Counter.SENT_REPLIES) == before);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStandAnyBytes()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ForgedMessagesTest: -Dtallypost.seed=" + seed);
        launchThree();
        ranks[0].onLongRequest(READ, (token, a, b, buffer, offset, length) ->
            token.replyLong(VALUE, a, b, buffer, offset, length));
        ranks[0].segment(READ, new UnsafeBuffer(new byte[64]));
        final Random random = new Random(seed);
        final byte[] bytes = new byte[Endpoint.MAX_RUN_LENGTH];
        for (int i = 0; i < 3_000; i++)
        {
            random.nextBytes(bytes);
            if (random.nextBoolean())
            {
                // near to what is right
                Arrays.fill(bytes, 0, 16, (byte)0);
                bytes[0] = (byte)random.nextInt(4);
            }
            message.putBytes(0, bytes);
            final int tag = MessageDescriptor.tag(ActiveMessagesContext.DEFAULT_CHANNEL, random.nextInt(9), READ);
            final int length = random.nextBoolean() ? 32 : random.nextInt(Endpoint.MAX_RUN_LENGTH + 1);
            drive("room for " + length, () -> endpoints[2].offer(0, tag, message, 0, length) >= 0);
        }
        drive("quiet", () -> work() == 0);
        assertOthersAreServed();
        assertEquals(List.of(), errors);
    }
}
