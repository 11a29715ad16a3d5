// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;

/** Requests run handlers, each gets one answer, and what programs and other processes do wrong is named. */
class ActiveMessagesTest extends ActiveMessagesFixture
{
    private static final int READ = 3;
    private static final int VALUE = 200;
    private static final int PATIENCE_NS = 20_000_000;

    private long sum;

    private void awaitAnswers(final int rank)
    {
        drive("answers", () -> ranks[rank].unanswered() == 0);
    }

    private static UnsafeBuffer bytes(final int length)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, (byte)(i * 7 + (i >> 8)));
        }
        return buffer;
    }

    @Test
    void shouldCarryFiveWordsThereAndBack()
    {
        launch(2);
        ranks[1].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, e, d, c, b, token.source() + a));
        final int[] found = new int[6];
        ranks[0].onReply(VALUE, (source, a, b, c, d, e) ->
        {
            found[0] = source;
            found[1] = a;
            found[2] = b;
            found[3] = c;
            found[4] = d;
            found[5] = e;
        });
        assertEquals(0, ranks[0].request(1, READ, Integer.MIN_VALUE, 2, -3, 4, Integer.MAX_VALUE));
        awaitAnswers(0);
        assertEquals("[1, 2147483647, 4, -3, 2, -2147483648]", Arrays.toString(found));
        assertCount(1, 1, Counter.RECEIVED_REQUESTS);
        assertCount(1, 0, Counter.RECEIVED_REPLIES);
    }

    @Test
    void shouldAnswerByItselfWhatAHandlerLeaves()
    {
        launch(2);
        ranks[1].onRequest(READ, (token, a, b, c, d, e) -> sum += a);
        for (int i = 1; i <= 100; i++)
        {
            final int value = i;
            drive("room in the window", () -> ranks[0].tryRequest(1, READ, value, 0, 0, 0, 0) == 0);
        }
        awaitAnswers(0);
        assertEquals(5_050, sum);
        assertEquals(List.of(), failures);
    }

    @Test
    void shouldSendRequestsToItself()
    {
        launch(1);
        ranks[0].onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, a + 1, 0, 0, 0, 0));
        ranks[0].onReply(VALUE, (source, a, b, c, d, e) -> sum += a);
        for (int i = 0; i < 50; i++)
        {
            assertEquals(0, ranks[0].request(0, READ, i, 0, 0, 0, 0));
        }
        assertEquals(0, ranks[0].awaitReplies());
        assertEquals(50 * 51 / 2, sum);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 24, 2_071, 2_072, 2_073, 4_095, 4_096})
    void shouldCarryBlocksThereAndBack(final int length)
    {
        launch(1);
        final UnsafeBuffer block = bytes(length + 3);
        ranks[0].onLongRequest(READ, (token, a, b, buffer, offset, count) ->
            token.replyLong(VALUE, b, a, buffer, offset, count));
        ranks[0].onLongReply(VALUE, (source, a, b, buffer, offset, count) ->
        {
            assertEquals(length, count);
            assertEquals(12, a);
            assertEquals(11, b);
            for (int i = 0; i < length; i++)
            {
                assertEquals(block.getByte(3 + i), buffer.getByte(offset + i));
            }
            sum++;
        });
        for (int i = 0; i < 20; i++)
        {
            assertEquals(0, ranks[0].requestLong(0, READ, 11, 12, block, 3, length));
        }
        assertEquals(0, ranks[0].awaitReplies());
        assertEquals(20, sum, () -> errors.toString());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStoreBeforeTheRequestThatFollows()
    {
        launch(1);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[100_000]);
        final UnsafeBuffer from = bytes(90_001);
        ranks[0].segment(7, memory);
        ranks[0].onRequest(READ, (token, a, b, c, d, e) ->
        {
            for (int i = 0; i < 90_001; i++)
            {
                assertEquals(from.getByte(i), memory.getByte(9_000 - 1 + i));
            }
            sum++;
        });
        assertEquals(0, ranks[0].store(0, 7, 8_999, from, 0, 90_001));
        assertEquals(0, ranks[0].request(0, READ, 0, 0, 0, 0, 0));
        assertEquals(0, ranks[0].awaitReplies());
        assertEquals(1, sum);
        assertEquals(List.of(), errors);
        assertEquals(List.of(), failures);
    }

    @Test
    void shouldRefuseStoresBesideTheSegment()
    {
        launch(1);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[100]);
        ranks[0].segment(0, memory);
        ranks[0].store(0, 0, 98, bytes(3), 0, 3);
        ranks[0].store(0, 0, Long.MAX_VALUE - 8, bytes(3), 0, 3);
        ranks[0].store(0, 1, 0, bytes(3), 0, 3);
        ranks[0].awaitReplies();
        assertEquals("[0>0:-1 NO_SEGMENT, 0>0:-1 NO_SEGMENT, 0>0:-1 NO_SEGMENT]", failures.toString());
        assertEquals(new UnsafeBuffer(new byte[100]), memory);
    }

    @Test
    void shouldNameUnknownHandlersAndThoseThatThrow()
    {
        launch(2);
        connect(0, 1);
        ranks[1].onRequest(READ, (token, a, b, c, d, e) ->
        {
            if (a == 1)
            {
                throw new IllegalStateException("handler " + a);
            }
            token.reply(VALUE, 0, 0, 0, 0, 0);
            throw new IllegalStateException("handler " + a);
        });
        ranks[0].request(1, 4, 0, 0, 0, 0, 0);
        ranks[0].requestLong(1, READ, 0, 0, bytes(8), 0, 8);
        ranks[0].request(1, READ, 1, 0, 0, 0, 0);
        ranks[0].request(1, READ, 2, 0, 0, 0, 0);
        awaitAnswers(0);
        assertEquals("[0>1:4 UNKNOWN_HANDLER, 0>1:3 UNKNOWN_HANDLER, 0>1:3 HANDLER_FAILED, 0>1:3 UNKNOWN_HANDLER]",
            failures.toString());
        assertEquals("handler 1,handler 2", errors.stream().map(Throwable::getMessage).collect(Collectors.joining(",")));
        assertCount(2, 1, Counter.UNKNOWN_HANDLERS);
        assertCount(1, 0, Counter.UNKNOWN_HANDLERS);
        assertCount(4, 0, Counter.FAILED_REQUESTS);
    }

    @Test
    void shouldRefuseWhatAHandlerMayNotDo()
    {
        launch(1);
        final RequestToken[] kept = new RequestToken[1];
        ranks[0].onRequest(READ, (token, a, b, c, d, e) ->
        {
            kept[0] = token;
            assertThrows(IllegalStateException.class, () -> ranks[0].request(0, READ, 0, 0, 0, 0, 0));
            assertThrows(IllegalStateException.class, () -> ranks[0].tryRequest(0, READ, 0, 0, 0, 0, 0));
            assertThrows(IllegalStateException.class, () -> ranks[0].store(0, 0, 0, bytes(1), 0, 1));
            assertDoesNotPoll(ranks[0]::doWork, "REQUEST_HANDLER");
            assertDoesNotPoll(ranks[0]::awaitReplies, "REQUEST_HANDLER");
            assertThrows(IllegalArgumentException.class, () -> token.reply(256, 0, 0, 0, 0, 0));
            assertThrows(IllegalArgumentException.class, () -> token.replyLong(VALUE, 0, 0, bytes(5_000), 0, 4_097));
            token.reply(VALUE, 0, 0, 0, 0, 0);
            assertThrows(IllegalStateException.class, () -> token.reply(VALUE, 0, 0, 0, 0, 0));
            assertThrows(IllegalStateException.class, () -> token.replyLong(VALUE, 0, 0, bytes(1), 0, 1));
        });
        ranks[0].onReply(VALUE, (source, a, b, c, d, e) ->
        {
            final String text = assertThrows(IllegalStateException.class,
                () -> ranks[0].requestLong(0, READ, 0, 0, bytes(1), 0, 1)).getMessage();
            assertTrue(text.contains("REPLY_HANDLER"), text);
            assertDoesNotPoll(ranks[0]::doWork, "REPLY_HANDLER");
            sum++;
        });
        ranks[0].request(0, READ, 0, 0, 0, 0, 0);
        ranks[0].awaitReplies();
        assertThrows(IllegalStateException.class, () -> kept[0].reply(VALUE, 0, 0, 0, 0, 0));
        assertEquals(1, sum);
        assertEquals(List.of(), errors);
    }

    private static void assertDoesNotPoll(final Executable call, final String handler)
    {
        final String text = assertThrows(IllegalStateException.class, call).getMessage();
        assertTrue(text.startsWith("a handler does not poll: found=" + handler), text);
    }

    @Test
    void shouldCloseWithinAHandler()
    {
        launch(2);
        final ActiveMessages closed = ranks[1];
        closed.onRequest(READ, (token, a, b, c, d, e) ->
        {
            closed.close();
            ranks[1] = null;
        });
        ranks[0].request(1, READ, 0, 0, 0, 0, 0);
        ranks[0].request(1, READ, 0, 0, 0, 0, 0);
        drive("the end", () -> ranks[1] == null);
        assertThrows(AgentTerminationException.class, closed::doWork);
        endpoints[1].close();
        drive("answers or the news that none comes", () -> ranks[0].unanswered() == 0);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldNameTheOptionOfAChannelThatIsInUse()
    {
        launch(1);
        final ActiveMessagesContext second = new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1);
        assertEquals("channel is in use: rank=0, found=" + second.channel() +
            ", expected one that is not open; close it first, or set ActiveMessagesContext.channel to another one at all ranks",
            assertThrows(IllegalStateException.class, () -> ActiveMessages.launch(second)).getMessage());
        ActiveMessages.launch(second.channel(second.channel() + 1)).close();
    }

    @Test
    void shouldRefuseWrongArguments()
    {
        launch(1);
        final ActiveMessages messages = ranks[0];
        messages.onRequest(0, (token, a, b, c, d, e) -> sum++);
        assertThrows(IllegalStateException.class, () -> messages.onRequest(0, (token, a, b, c, d, e) -> sum++));
        assertThrows(IllegalArgumentException.class, () -> messages.onReply(256, null));
        assertThrows(IllegalArgumentException.class, () -> messages.segment(-1, bytes(1)));
        assertThrows(IllegalArgumentException.class, () -> messages.request(1, 0, 0, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> messages.request(-1, 0, 0, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> messages.request(0, -1, 0, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> messages.requestLong(0, 0, 0, 0, bytes(5_000), 0, 4_097));
        assertThrows(IndexOutOfBoundsException.class, () -> messages.requestLong(0, 0, 0, 0, bytes(5), 3, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> messages.store(0, 0, 0, bytes(5), 0, -1));
        assertThrows(IllegalArgumentException.class, () -> messages.store(0, 0, -1, bytes(5), 0, 1));
        for (final ActiveMessagesContext each : List.of(new ActiveMessagesContext().rankCount(1),
            new ActiveMessagesContext().endpoint(endpoints[0]),
            new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1).window(65),
            new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1).window(0),
            new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1).channel(256),
            new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1).timeoutNs(0),
            new ActiveMessagesContext().endpoint(endpoints[0]).rankCount(1).errorHandler(null)))
        {
            assertThrows(IllegalArgumentException.class, () -> ActiveMessages.launch(each), each::toString);
        }
        assertEquals(0, messages.unanswered());
    }

    @Test
    void shouldNameTheRankThatTakesNothing()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.window(4).timeoutNs(PATIENCE_NS));
        connect(0, 1);
        for (int i = 0; i < 4; i++)
        {
            assertEquals(0, ranks[0].request(1, READ, 0, 0, 0, 0, 0));
        }
        final String text =
            assertThrows(RequestTimeoutException.class, () -> ranks[0].request(1, READ, 0, 0, 0, 0, 0)).getMessage();
        assertTrue(text.contains("rank 1") && text.contains("4 of 4 requests are without answer"), text);
        assertThrows(RequestTimeoutException.class, () -> ranks[0].requestLong(1, READ, 0, 0, bytes(4_096), 0, 4_096));
        assertThrows(RequestTimeoutException.class, ranks[0]::awaitReplies);
        awaitAnswers(0);
        // what was given up has left nothing
        assertEquals(4, failures.size(), failures::toString);
        assertEquals(0, ranks[0].request(1, READ, 0, 0, 0, 0, 0));
        awaitAnswers(0);
    }

    @Test
    void shouldGiveUpABlockThatIsHalfOut()
    {
        launch(Flow.STATIC, 2, 16, (context) -> context.timeoutNs(PATIENCE_NS));
        ranks[1].onLongRequest(READ, (token, a, b, buffer, offset, length) -> sum += length);
        assertThrows(RequestTimeoutException.class, () -> ranks[0].requestLong(1, READ, 0, 0, bytes(4_096), 0, 4_096));
        final UnsafeBuffer block = bytes(3_000);
        final Thread program = new Thread(() ->
        {
            while (true)
            {
                try
                {
                    ranks[0].requestLong(1, READ, 0, 0, block, 0, 3_000);
                    return;
                }
                catch (final RequestTimeoutException ex)
                {
                    // the other rank had no turn
                    Thread.onSpinWait();
                }
            }
        });
        endpoints[0].releasePoller();
        program.start();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "block");
        while (program.isAlive() || sum == 0)
        {
            ranks[1].doWork();
            watchdog.idle();
        }
        assertEquals(0, sum % 3_000);
    }

    /** The endpoint tells once that the former one is gone, perhaps to the first answer for the next one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void shouldAnswerTheNextIncarnation(final int slots)
    {
        highSlots = slots;
        launch(2);
        for (int epoch = 1; epoch <= 3; epoch++)
        {
            connect(1, 0);
            ranks[1].close();
            endpoints[1].close();
            open(1, DEFAULTS);
        }
        assertEquals(List.of(), failures);
    }

    @Test
    void shouldTellWhatARankThatIsGoneHasNotAnswered()
    {
        launch(2);
        connect(0, 1);
        for (int i = 0; i < 3; i++)
        {
            ranks[0].request(1, READ + i, 0, 0, 0, 0, 0);
        }
        ranks[1].close();
        endpoints[1].close();
        awaitAnswers(0);
        assertEquals("[0>1:3 PEER_GONE, 0>1:4 PEER_GONE, 0>1:5 PEER_GONE]", failures.toString());
        assertEquals(Endpoint.PEER_GONE, ranks[0].request(1, READ, 0, 0, 0, 0, 0));
        assertEquals(Endpoint.PEER_GONE, ranks[0].store(1, 0, 0, bytes(10_000), 0, 10_000));
        open(1, DEFAULTS);
        ranks[1].onRequest(READ, (token, a, b, c, d, e) -> sum += a);
        drive("the new incarnation", () -> ranks[0].tryRequest(1, READ, 5, 0, 0, 0, 0) == 0);
        awaitAnswers(0);
        assertEquals(5, sum);
        assertEquals(3, failures.size());
    }

    @Test
    void shouldTellWhatWasNotAnsweredAtItsEnd()
    {
        launch(2);
        ranks[0].request(1, READ, 0, 0, 0, 0, 0);
        ranks[0].close();
        ranks[0].close();
        assertEquals("[0>1:3 CLOSED]", failures.toString());
        assertEquals(Endpoint.CLOSED, ranks[0].request(1, READ, 0, 0, 0, 0, 0));
        assertEquals(Endpoint.CLOSED, ranks[0].requestLong(1, READ, 0, 0, bytes(1), 0, 1));
        assertEquals(Endpoint.CLOSED, ranks[0].awaitReplies());
        assertThrows(AgentTerminationException.class, ranks[0]::doWork);
        ranks[0] = null;
        endpoints[0].close();
    }

    @Test
    void shouldShowItsCounters()
    {
        launch(1);
        final StringBuilder names = new StringBuilder();
        ranks[0].counters().forEach((name, unit, kind, value) -> names.append(name).append(' '));
        assertEquals(Counter.values().length, names.toString().split(" ").length);
        final String text = ranks[0].counters().toString();
        assertTrue(text.startsWith("ActiveMessagesCounters{sentRequests=0, ") && text.endsWith(", waits=0}"), text);
        assertTrue(ranks[0].toString().contains("unanswered=0") && ranks[0].roleName().contains("0"));
        assertEquals(MessageDescriptor.KINDS, IntStream.range(0, 20).filter((kind) ->
            MessageDescriptor.isLength(kind, kind < MessageDescriptor.LONG_REQUEST ? 32 : 24)).count());
    }
}
