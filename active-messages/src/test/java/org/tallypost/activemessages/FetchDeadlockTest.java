// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;
import org.tallypost.node.Node;

/**
 * All ranks send requests to all with the fewest slots there can be: it never stops. {@code -Dtallypost.requests=100000000} makes
 * it longer. Without a store for answers it does stop, in the search of all states and with endpoints.
 */
class FetchDeadlockTest extends ActiveMessagesFixture
{
    private static final long REQUESTS = Long.getLong("tallypost.requests", 30_000);
    private static final int RANKS = 3;
    private static final int WINDOW = 8;
    private static final int READ = 3;
    private static final int VALUE = 4;

    private long answered;

    @ParameterizedTest
    @EnumSource(names = {"STATIC", "DYNAMIC"})
    void shouldNeverStop(final Flow flow)
    {
        requestAndAnswer(flow, REQUESTS);
        final long stored = Arrays.stream(ranks).mapToLong((each) -> each.counters().get(Counter.STORED_REPLIES)).sum();
        assertTrue(stored > 0, "no answer had to wait: the slots were not the least");
        System.out.println("FetchDeadlockTest: flow=" + flow + ", answers stored=" + stored);
    }

    /** Credits for a window, and as many as a receiver may keep back: then no answer waits, however full the mailboxes are. */
    @ParameterizedTest
    @EnumSource(names = {"STATIC", "DYNAMIC"})
    void shouldStoreNoAnswerThatGoesHigh(final Flow flow)
    {
        highSlots = 2 * WINDOW + 1;
        requestAndAnswer(flow, REQUESTS / 10);
        for (int rank = 0; rank < RANKS; rank++)
        {
            // until a rank is let in by another one its answer waits for that
            assertTrue(ranks[rank].counters().get(Counter.STORED_REPLIES) <= RANKS * WINDOW, "answers stored");
            assertCount(ranks[rank].counters().get(Counter.SENT_REPLIES), rank, Counter.HIGH_REPLIES);
        }
        final long[] stored = Arrays.stream(ranks).mapToLong((each) -> each.counters().get(Counter.STORED_REPLIES)).toArray();
        requestAndAnswerOn(REQUESTS / 10);
        assertArrayEquals(stored,
            Arrays.stream(ranks).mapToLong((each) -> each.counters().get(Counter.STORED_REPLIES)).toArray());
    }

    private void requestAndAnswer(final Flow flow, final long requests)
    {
        launch(flow, RANKS, 2, (context) -> context.window(WINDOW).pollLimit(3));
        for (final ActiveMessages each : ranks)
        {
            each.onRequest(READ, (token, a, b, c, d, e) -> token.reply(VALUE, a, b, 0, 0, 0));
            each.onReply(VALUE, (source, a, b, c, d, e) -> answered++);
        }
        requestAndAnswerOn(requests);
    }

    private void requestAndAnswerOn(final long requests)
    {
        answered = 0;
        long sent = 0;
        final long[] next = new long[RANKS];
        while (sent < requests)
        {
            boolean isRefused = true;
            for (int rank = 0; rank < RANKS; rank++)
            {
                if (ranks[rank].tryRequest((int)(next[rank] % RANKS), READ, 1, 2, 0, 0, 0) == 0)
                {
                    next[rank]++;
                    sent++;
                    isRefused = false;
                }
            }
            if (isRefused)
            {
                final long before = answered;
                drive("an answer", () -> answered > before);
            }
        }
        final long all = sent;
        drive("all answers", () -> answered == all);
        assertEquals(List.of(), failures);
    }

    /** A handler that waits until its answer has gone, and does not poll meanwhile: with a ring for answers it never waits. */
    @ParameterizedTest
    @EnumSource
    void shouldStopOnlyIfAnswersWaitForRequests(final Priority ofAnswers)
    {
        node = Node.launch(context(directory, Flow.STATIC, 2, 4).highSlots(4));
        ranks = new ActiveMessages[0];
        endpoints = new Endpoint[] {node.open(0), node.open(1)};
        final UnsafeBuffer word = new UnsafeBuffer(new byte[8]);
        final MessageListener nothing = (source, tag, buffer, offset, length) -> answered++;
        for (int rank = 0; rank < 2; rank++)
        {
            // from the first poll on a sender has all its credits
            endpoints[rank].offer(1 - rank, READ, word, 0, 8);
            endpoints[rank].offer(1 - rank, READ, Priority.HIGH, word, 0, 8);
            endpoints[1 - rank].poll(nothing, 1);
        }
        for (int rank = 0; rank < 2; rank++)
        {
            while (endpoints[rank].offer(1 - rank, READ, word, 0, 8) >= 0)
            {
                answered++;
            }
        }
        assertTrue(answered >= 4, "sent " + answered);
        final long[] results = new long[2];
        // both handlers want to answer, and neither mailbox has room until the other handler returns
        endpoints[0].poll((source, tag, buffer, offset, length) ->
            endpoints[1].poll((from, otherTag, otherBuffer, otherOffset, otherLength) ->
            {
                results[0] = endpoints[0].offer(1, VALUE, ofAnswers, word, 0, 8);
                results[1] = endpoints[1].offer(0, VALUE, ofAnswers, word, 0, 8);
            }, 1), 1);
        for (final long result : results)
        {
            assertTrue(ofAnswers == Priority.LOW ? result == Endpoint.NO_CREDIT : result >= 0, () -> "result=" + result);
        }
        endpoints[0].close();
        endpoints[1].close();
    }

    /**
     * All states of two ranks, each with requests to send, a mailbox of few slots, and a window. A rank sends a request, or takes
     * the first message of its mailbox. With a store an answer waits there. Without one a request is taken only if its answer
     * fits: into the mailbox, or into a high ring of so many slots, which is read first.
     */
    private static final class Model
    {
        private static final int REQUEST = 1;
        private static final int ANSWER = 2;

        private final int slots;
        private final int window;
        private final int requests;
        private final boolean hasStore;
        /** 0 if there is none. */
        private final int highSlots;
        private final Set<List<Integer>> seen = new HashSet<>();
        private boolean isStuck;

        /** A state: for each rank requests left, without answer, answers stored, and its mailbox as a number to the base 3. */
        Model(final int slots, final int window, final int requests, final boolean hasStore, final int highSlots)
        {
            this.highSlots = highSlots;
            this.slots = slots;
            this.window = window;
            this.requests = requests;
            this.hasStore = hasStore;
        }

        private static int length(final int mailbox)
        {
            return mailbox == 0 ? 0 : 1 + length(mailbox / 3);
        }

        private static int append(final int mailbox, final int kind)
        {
            return mailbox == 0 ? kind : mailbox % 3 + 3 * append(mailbox / 3, kind);
        }

        boolean search()
        {
            final ArrayDeque<List<Integer>> open = new ArrayDeque<>();
            open.add(List.of(requests, 0, 0, 0, requests, 0, 0, 0));
            while (!open.isEmpty())
            {
                final List<Integer> state = open.poll();
                if (seen.add(state))
                {
                    final int before = open.size();
                    step(state, 0, open);
                    step(state, 4, open);
                    isStuck |= open.size() == before && !isEnd(state);
                }
            }
            return isStuck;
        }

        private static boolean isEnd(final List<Integer> state)
        {
            return state.stream().allMatch((value) -> value == 0);
        }

        private void step(final List<Integer> state, final int own, final ArrayDeque<List<Integer>> open)
        {
            final int other = 4 - own;
            final int left = state.get(own);
            final int unanswered = state.get(own + 1);
            final int stored = state.get(own + 2);
            final int mailbox = state.get(own + 3);
            final boolean hasRoom = length(state.get(other + 3)) < slots;
            if (left > 0 && unanswered < window && hasRoom)
            {
                open.add(change(state, own, left - 1, unanswered + 1, stored, mailbox, REQUEST));
            }
            if (stored > 0 && hasRoom && highSlots == 0)
            {
                open.add(change(state, own, left, unanswered, stored - 1, mailbox, ANSWER));
            }
            if (mailbox % 3 == ANSWER)
            {
                open.add(change(state, own, left, unanswered - 1, stored, mailbox / 3, 0));
            }
            else if (highSlots > 0)
            {
                stepHigh(state, own, open);
            }
            else if (mailbox % 3 == REQUEST && hasStore)
            {
                assertTrue(stored < window, "no room for an answer");
                open.add(change(state, own, left, unanswered, stored + 1, mailbox / 3, 0));
            }
            else if (mailbox % 3 == REQUEST && hasRoom)
            {
                open.add(change(state, own, left, unanswered, stored, mailbox / 3, ANSWER));
            }
        }

        /** Without a store: the third number of a state counts the answers in the high ring of the rank. */
        private void stepHigh(final List<Integer> state, final int own, final ArrayDeque<List<Integer>> open)
        {
            final int other = 4 - own;
            final int inHigh = state.get(own + 2);
            if (inHigh > 0)
            {
                open.add(change(state, own, state.get(own), state.get(own + 1) - 1, inHigh - 1, state.get(own + 3), 0));
            }
            else if (state.get(own + 3) % 3 == REQUEST && state.get(other + 2) < highSlots)
            {
                final Integer[] next = state.toArray(new Integer[0]);
                next[own + 3] = state.get(own + 3) / 3;
                next[other + 2]++;
                open.add(List.of(next));
            }
        }

        private static List<Integer> change(
            final List<Integer> state, final int own, final int left, final int unanswered, final int stored, final int mailbox,
            final int sent)
        {
            final Integer[] next = state.toArray(new Integer[0]);
            next[own] = left;
            next[own + 1] = unanswered;
            next[own + 2] = stored;
            next[own + 3] = mailbox;
            if (sent != 0)
            {
                final int other = 4 - own + 3;
                next[other] = append(next[other], sent);
            }
            return List.of(next);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,3", "1,2,4", "2,2,4", "2,3,5", "3,3,5", "2,4,6"})
    void shouldReachTheEndFromEveryState(final int slots, final int window, final int requests)
    {
        final Model model = new Model(slots, window, requests, true, 0);
        assertFalse(model.search());
        final Model without = new Model(slots, Math.max(window, slots), requests, false, 0);
        assertTrue(without.search(), "the search finds no standstill without a store");
        final Model high = new Model(slots, Math.max(window, slots), requests, false, 1);
        assertFalse(high.search(), "a high ring of one slot is not enough");
        System.out.println("FetchDeadlockTest: slots=" + slots + ", window=" + window + ", requests=" + requests + ", states=" +
            model.seen.size());
    }
}
