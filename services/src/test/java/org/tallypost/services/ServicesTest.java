// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.services.ServicesCounters.Counter;

/** Each request gets one answer or ends with a reason, whatever becomes of its server, its client and the time. */
class ServicesTest extends ServicesFixture
{
    private final List<KeptRequest> kept = new ArrayList<>();

    private static boolean echo(
        final ServedRequest request, final DirectBuffer buffer, final int offset, final int length)
    {
        return request.answer(buffer, offset, length);
    }

    private void serveEcho(final int rank, final String name)
    {
        ranks[rank].serve(name, ServicesTest::echo);
    }

    private void awaitHeard(final int count)
    {
        drive(count + " ends", () -> heard.size() == count);
    }

    private static long later()
    {
        return System.nanoTime() + LATER_NS;
    }

    @Test
    void shouldAnswerFromAnyRank()
    {
        launch(3);
        serveEcho(1, "echo");
        ranks[2].serve("source", (request, buffer, offset, length) ->
            request.answer(text("rank " + request.source()), 0, 6));
        for (int rank = 0; rank < 3; rank++)
        {
            final Services services = ranks[rank];
            request(rank, services.service("echo"), "hello " + rank, later());
            request(rank, services.service("source"), "", later());
        }
        awaitHeard(6);
        heard.sort(null);
        assertEquals("[hello 0, hello 1, hello 2, rank 0, rank 1, rank 2]", heard.toString());
        assertEquals(1, ranks[0].service("echo").rank());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellARankThatComesLater()
    {
        launch(2);
        serveEcho(0, "a");
        serveEcho(0, "b");
        drive("names", () -> ranks[1].service("a").isThere() && ranks[1].service("b").isThere());
        shut(1);
        work();
        open(1, DEFAULTS);
        final Service late = ranks[1].service("b");
        assertFalse(late.isThere());
        request(1, late, "x", later());
        awaitHeard(1);
        assertEquals("[x]", heard.toString());
    }

    @Test
    void shouldEndAService()
    {
        launch(2);
        serveEcho(0, "a");
        final Service service = ranks[1].service("a");
        drive("name", service::isThere);
        ranks[0].end("a");
        // the client does not know that yet
        assertTrue(ranks[1].request(service, text("x"), 0, 1, later(), new Heard()) >= 0);
        awaitHeard(1);
        assertEquals("[NO_SERVICE]", heard.toString());
        drive("end", () -> !service.isThere());
        assertEquals(Endpoint.NOT_CONNECTED, ranks[1].request(service, text("x"), 0, 1, later(), new Heard()));
        serveEcho(0, "a");
        request(1, service, "again", later());
        awaitHeard(2);
        assertEquals("again", heard.get(1));
    }

    /** A program may open its services long after its endpoint, and open them again: what was told before is lost. */
    @Test
    void shouldTellServicesThatAreOpenedAgain()
    {
        launch(2);
        serveEcho(0, "a");
        drive("name", ranks[1].service("a")::isThere);
        serveEcho(1, "b");
        drive("name", ranks[0].service("b")::isThere);
        ranks[1].close();
        relaunch(1);
        drive("name", ranks[1].service("a")::isThere);
        request(1, ranks[1].service("a"), "x", later());
        awaitHeard(1);
        assertEquals("[x]", heard.toString());
        drive("end of what the former ones have served", () -> !ranks[0].service("b").isThere());
    }

    @Test
    void shouldTakeNoAnswerToFormerServicesOfItsEndpoint()
    {
        launch(2);
        ranks[0].serve("a", (request, buffer, offset, length) -> kept.add(request.keep()));
        request(1, ranks[1].service("a"), "x", later());
        drive("request", () -> kept.size() == 1);
        ranks[1].close();
        assertEquals("[CLOSED]", heard.toString());
        relaunch(1);
        // it is on its way before the server knows of the new ones
        assertTrue(ranks[0].answer(kept.get(0), text("former"), 0, 6));
        request(1, ranks[1].service("a"), "y", later());
        drive("request", () -> kept.size() == 2);
        assertTrue(ranks[0].answer(kept.get(1), text("new"), 0, 3));
        awaitHeard(2);
        assertEquals("[CLOSED, new]", heard.toString());
        assertEquals(1, ranks[1].counters().get(Counter.LATE_ANSWERS));
        assertTrue(ranks[1].counters().toString().matches("ServicesCounters\\{requests=.*, lateAnswers=1, .*, refused=0}"));
    }

    @Test
    void shouldEndRequestsToServicesThatAreClosed()
    {
        launch(2);
        ranks[0].serve("a", (request, buffer, offset, length) -> kept.add(request.keep()));
        request(1, ranks[1].service("a"), "x", later());
        drive("request", () -> kept.size() == 1);
        ranks[0].close();
        relaunch(0);
        awaitHeard(1);
        assertEquals("[SERVER_GONE]", heard.toString());
        assertFalse(ranks[1].service("a").isThere());
    }

    private void relaunch(final int rank)
    {
        ranks[rank] = Services.launch(new ServicesContext().endpoint(endpoints[rank]).rankCount(endpoints.length)
            .errorHandler(errors::add));
    }

    @Test
    void shouldEndRequestsByTheirDeadlines()
    {
        launch(2);
        ranks[0].serve("slow", (request, buffer, offset, length) -> kept.add(request.keep()));
        final Service service = ranks[1].service("slow");
        final long deadlineNs = System.nanoTime() + 3_000_000;
        request(1, service, "a", deadlineNs);
        request(1, service, "b", later());
        drive("a timeout", () -> heard.size() == 1);
        assertTrue(System.nanoTime() - deadlineNs >= 0);
        assertEquals("[TIMED_OUT]", heard.toString());
        drive("both requests", () -> kept.size() == 2);
        for (final KeptRequest each : kept)
        {
            assertTrue(ranks[0].answer(each, text("late"), 0, 4));
            assertThrows(IllegalStateException.class, () -> ranks[0].answer(each, text("late"), 0, 4));
        }
        drive("answers", () -> heard.size() == 2 && ranks[1].counters().get(Counter.LATE_ANSWERS) == 1);
        assertEquals("late", heard.get(1));
        assertEquals(0, ranks[1].pendingCount());
    }

    @Test
    void shouldGoToAnotherRankWhenTheServerIsGone()
    {
        launch(3);
        ranks[0].serve("a", (request, buffer, offset, length) -> kept.add(request.keep()));
        final Service service = ranks[2].service("a");
        request(2, service, "x", later());
        drive("request", () -> kept.size() == 1);
        // it does not know of the other one, as two ranks that begin at the same time
        serveAsIfAlone(1, "a");
        drive("duplicate", () -> ranks[2].counters().get(Counter.DUPLICATES) == 1);
        assertEquals(0, service.rank());
        shut(0);
        awaitHeard(1);
        assertEquals("[SERVER_GONE]", heard.toString());
        assertEquals(1, service.rank());
        request(2, service, "y", later());
        awaitHeard(2);
        assertEquals("y", heard.get(1));
        assertTrue(errors.stream().allMatch((t) -> t.getMessage().contains("two ranks have the name 'a'")), errors::toString);
    }

    private void serveAsIfAlone(final int rank, final String name)
    {
        shut(rank);
        drive("end", () -> work() == 0);
        open(rank, DEFAULTS);
        serveEcho(rank, name);
    }

    @Test
    void shouldDropAnswersToAClientThatIsGone()
    {
        launch(2);
        ranks[0].serve("a", (request, buffer, offset, length) -> kept.add(request.keep()));
        request(1, ranks[1].service("a"), "x", later());
        drive("request", () -> kept.size() == 1);
        shut(1);
        assertEquals("[CLOSED]", heard.toString());
        drive("end", () -> work() == 0 && endpoints[0].rankState(1) >= 0);
        open(1, DEFAULTS);
        drive("rest", () -> work() == 0);
        assertTrue(ranks[0].answer(kept.get(0), text("z"), 0, 1));
        drive("rest", () -> work() == 0);
        assertEquals(0, ranks[1].counters().get(Counter.LATE_ANSWERS), "it is of another incarnation");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2_024, 2_032, 2_033, 2_048, 2_049, 100_000, 1_000_000})
    void shouldCarryAnyLength(final int length)
    {
        launch(2);
        serveEcho(0, "echo");
        final byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        final boolean[] isEqual = new boolean[1];
        final AnswerListener listener = new AnswerListener()
        {
            @Override
            public void onAnswer(final long request, final DirectBuffer buffer, final int offset, final int count)
            {
                final byte[] found = new byte[count];
                buffer.getBytes(offset, found);
                isEqual[0] = Arrays.equals(bytes, found);
            }

            @Override
            public void onFailed(final long request, final RequestFailure failure)
            {
                throw new AssertionError(failure);
            }
        };
        final Service service = ranks[1].service("echo");
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        drive("request", () -> ranks[1].request(service, buffer, 0, length, later(), listener) >= 0);
        drive("answer", () -> isEqual[0]);
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STATIC", "DYNAMIC"})
    void shouldAnswerAllWithFewSlots(final String flow)
    {
        launch(3, Flow.valueOf(flow), 4, (context) -> context.maxRequests(50));
        for (int rank = 0; rank < 3; rank++)
        {
            serveEcho(rank, "echo" + rank);
        }
        final StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 300; i++)
        {
            request(i % 3, ranks[i % 3].service("echo" + (i + i / 3) % 3), "", later());
            expected.append(", ");
        }
        awaitHeard(300);
        assertEquals(300, heard.stream().filter(String::isEmpty).count());
        assertEquals(0, ranks[0].pendingCount());
        assertFalse(ranks[0].hasStored());
    }

    @Test
    void shouldNotHoldUpOthersBehindAClientThatDoesNotPoll()
    {
        launch(3, Flow.STATIC, 4, (context) -> context.maxStored(20));
        serveEcho(0, "echo");
        final Service stopped = ranks[1].service("echo");
        final Service other = ranks[2].service("echo");
        drive("names", () -> stopped.isThere() && other.isThere());
        final Services standing = ranks[1];
        for (int i = 0; i < 30; i++)
        {
            // its requests go, and it takes no answer
            while (standing.request(stopped, text("s"), 0, 1, later(), new Heard()) < 0)
            {
                ranks[0].doWork();
            }
        }
        ranks[1] = null;
        for (int i = 0; i < 50; i++)
        {
            request(2, other, "o" + i, later());
        }
        awaitHeard(50);
        ranks[1] = standing;
        drive("the rest", () -> !ranks[0].hasStored() && standing.counters().get(Counter.ANSWERS) >= 10);
    }

    @Test
    void shouldNameWhatAListenerDoesWrong()
    {
        launch(2);
        final ServedRequest[] old = new ServedRequest[1];
        ranks[0].serve("a", (request, buffer, offset, length) ->
        {
            old[0] = request;
            switch (buffer.getByte(offset))
            {
                case 'n':
                    break;
                case 't':
                    throw new IllegalStateException("thrown");
                default:
                    request.answer(buffer, offset, length);
                    request.answer(buffer, offset, length);
                    break;
            }
        });
        final Service service = ranks[1].service("a");
        request(1, service, "n", later());
        request(1, service, "t", later());
        request(1, service, "d", later());
        awaitHeard(3);
        assertEquals("[NO_ANSWER, FAILED, d]", heard.toString());
        assertEquals(2, errors.size(), errors::toString);
        assertTrue(errors.get(1).getMessage().contains("answered or kept once"), errors::toString);
        assertThrows(IllegalStateException.class, old[0]::keep);
    }

    @Test
    void shouldRefuseWrongArguments()
    {
        launch(1);
        serveEcho(0, "a");
        assertThrows(IllegalStateException.class, () -> serveEcho(0, "a"));
        assertThrows(IllegalArgumentException.class, () -> serveEcho(0, ""));
        assertThrows(IllegalArgumentException.class, () -> serveEcho(0, "a b"));
        assertThrows(IllegalArgumentException.class, () -> serveEcho(0, null));
        assertThrows(IllegalArgumentException.class, () -> ranks[0].service("x".repeat(101)));
        assertThrows(IllegalStateException.class, () -> ranks[0].end("b"));
        final Service service = ranks[0].service("a");
        assertThrows(IndexOutOfBoundsException.class, () -> ranks[0].request(service, text("x"), 0, 2, 0, new Heard()));
        assertThrows(IndexOutOfBoundsException.class, () -> ranks[0].request(service, text("x"), 0, -1, 0, new Heard()));
        for (int i = 1; i < MessageDescriptor.MAX_SERVICES; i++)
        {
            serveEcho(0, "a" + i);
        }
        assertThrows(IllegalStateException.class, () -> serveEcho(0, "a-last"));
        final String inUse = assertThrows(IllegalStateException.class,
            () -> Services.launch(new ServicesContext().endpoint(endpoints[0]).rankCount(1))).getMessage();
        assertTrue(inUse.contains("ServicesContext.channel"), inUse);
        for (final ServicesContext each : List.of(new ServicesContext().rankCount(1),
            new ServicesContext().endpoint(endpoints[0]), new ServicesContext().endpoint(endpoints[0]).rankCount(1).channel(0),
            new ServicesContext().endpoint(endpoints[0]).rankCount(1).maxRequests(0),
            new ServicesContext().endpoint(endpoints[0]).rankCount(1).maxStored(0),
            new ServicesContext().endpoint(endpoints[0]).rankCount(1).errorHandler(null)))
        {
            assertThrows(IllegalArgumentException.class, () -> Services.launch(each), each::toString);
        }
    }

    @Test
    void shouldStandAnyBytes()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ServicesTest: -Dtallypost.seed=" + seed);
        launch(3);
        serveEcho(0, "echo");
        final Random random = new Random(seed);
        final byte[] bytes = new byte[Endpoint.MAX_RUN_LENGTH];
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        for (int i = 0; i < 3_000; i++)
        {
            random.nextBytes(bytes);
            if (random.nextBoolean())
            {
                Arrays.fill(bytes, 0, 16, (byte)0);
                bytes[0] = (byte)random.nextInt(70);
                bytes[4] = 'e';
            }
            final int tag = Channel.tag(ServicesContext.DEFAULT_CHANNEL, random.nextInt(8));
            final int length = random.nextInt(random.nextBoolean() ? 40 : bytes.length);
            drive("room", () -> endpoints[2].offer(0, tag, message, 0, length) >= 0);
        }
        drive("quiet", () -> work() == 0);
        assertTrue(ranks[0].counters().get(Counter.REFUSED) > 0);
        request(1, ranks[1].service("echo"), "honest", later());
        awaitHeard(1);
        assertEquals("[honest]", heard.toString());
    }

    /** A number is used again. A request that was under way then is for the former service, and no one else's. */
    @Test
    void shouldNotServeWhatWasAskedOfAnother()
    {
        launch(2);
        ranks[0].serve("former", (request, buffer, offset, length) -> heard.add("former"));
        final Service former = ranks[1].service("former");
        // the first one makes the two known to each other
        request(1, former, "a", later());
        drive("the former service", () -> heard.equals(List.of("former", "NO_ANSWER")));
        ranks[0].end("former");
        ranks[0].serve("next", (request, buffer, offset, length) -> heard.add("next"));
        final UnsafeBuffer bytes = text("a");
        assertTrue(ranks[1].request(former, bytes, 0, 1, later(), new Heard()) >= 0);
        drive("the refusal", () -> heard.size() == 3);
        assertEquals("[former, NO_ANSWER, NO_SERVICE]", heard.toString());
    }

    /** A listener that hears of one end may end all others: by closing its services, for one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndRequestsOnceIfAListenerEndsOthers(final boolean isServerGone)
    {
        final PendingRequests pending = new PendingRequests(8, 0);
        for (int i = 0; i < 5; i++)
        {
            pending.add(i % 2, new Heard(), i == 2 ? Long.MAX_VALUE : 0);
        }
        final List<Long> ended = new ArrayList<>();
        final PendingRequests.End end = (listener, correlation) ->
        {
            ended.add(correlation);
            pending.endAll(-1, (other, number) -> ended.add(number));
        };
        if (isServerGone)
        {
            pending.endAll(0, end);
        }
        else
        {
            pending.expire(Long.MAX_VALUE / 2, end);
        }
        assertEquals(5, ended.stream().distinct().count(), ended.toString());
        assertEquals(5, ended.size(), ended.toString());
        assertEquals(0, pending.count());
    }

    @Test
    void shouldAskFromOtherThreads()
    {
        launch(2);
        final CompletableFuture<byte[]> early =
            ranks[1].ask("echo", "early".getBytes(StandardCharsets.US_ASCII), Duration.ofHours(1));
        final CompletableFuture<byte[]> never = ranks[1].ask("none", new byte[0], Duration.ofMillis(2));
        drive("a timeout", never::isDone);
        final CompletionException ex = assertThrows(CompletionException.class, never::join);
        assertEquals(RequestFailure.TIMED_OUT, ((RequestFailedException)ex.getCause()).failure());
        assertFalse(early.isDone());
        serveEcho(0, "echo");
        drive("an answer", early::isDone);
        assertEquals("early", new String(early.join(), StandardCharsets.US_ASCII));
        final CompletableFuture<byte[]> open = ranks[1].ask("none", new byte[0], Duration.ofHours(1));
        final Services closed = ranks[1];
        shut(1);
        assertTrue(open.isCompletedExceptionally());
        assertTrue(closed.ask("echo", new byte[0], Duration.ofHours(1)).isCompletedExceptionally());
        assertThrows(AgentTerminationException.class, closed::doWork);
        assertEquals(Endpoint.CLOSED, closed.request(closed.service("echo"), text("x"), 0, 1, later(), new Heard()));
        closed.close();
    }

    @Test
    void shouldAllocateNothingForARequest()
    {
        launch(1, Flow.DYNAMIC, 64, DEFAULTS);
        serveEcho(0, "echo");
        final long[] answers = new long[1];
        final AnswerListener listener = new AnswerListener()
        {
            @Override
            public void onAnswer(final long request, final DirectBuffer buffer, final int offset, final int length)
            {
                answers[0]++;
            }

            @Override
            public void onFailed(final long request, final RequestFailure failure)
            {
                throw new AssertionError(failure);
            }
        };
        final Service service = ranks[0].service("echo");
        final UnsafeBuffer bytes = text("12345678");
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        final long deadlineNs = later();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 6 && allocated >= 1_024; round++)
        {
            final long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 10_000; i++)
            {
                while (ranks[0].request(service, bytes, 0, 8, deadlineNs, listener) < 0)
                {
                    ranks[0].doWork();
                }
                ranks[0].doWork();
            }
            allocated = threads.getThreadAllocatedBytes(thread) - before;
        }
        assertTrue(allocated < 1_024, "allocated " + allocated + " bytes, answers " + answers[0]);
    }
}
