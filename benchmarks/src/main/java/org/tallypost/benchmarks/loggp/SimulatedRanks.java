// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Ranks with active messages in simulated time, after LogGP. Each rank is a thread with a clock of its own, and one of them runs
 * at a time: the one that is behind the others. It may go on as long as no other rank can send it something that comes before its
 * clock: a message takes o and L at least. The same run takes the same time, whatever the machine does.
 *
 * <p>As live ones, ranks poll when they send, have a window of requests for each other rank, and a card that takes 16 messages
 * which are not on the wire.
 */
final class SimulatedRanks
{
    private static final int CARD_ROOM = 16;
    private static final int OPERATION_PS = 2_500;
    private static final int PS_IN_NS = 1_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private final LoggpTimes times;
    private final int window;
    private final Rank[] ranks;
    private long sequence;
    private Throwable failure;

    SimulatedRanks(final int count, final LoggpTimes times, final int window)
    {
        this.times = times;
        this.window = window;
        ranks = new Rank[count];
        for (int i = 0; i < count; i++)
        {
            ranks[i] = new Rank(i);
        }
    }

    /** What each rank does next. */
    interface Stage
    {
        void run(LoggpRank rank);
    }

    /** Runs a stage of all ranks to its end. */
    void run(final Stage stage) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final Rank rank : ranks)
        {
            rank.isEnded = false;
        }
        for (final Rank rank : ranks)
        {
            final Thread thread = new Thread(() -> rank.live(stage), "simulated rank " + rank.number);
            threads.add(thread);
            thread.start();
        }
        ranks[0].turn.release();
        for (final Thread thread : threads)
        {
            thread.join();
        }
        if (failure != null)
        {
            throw new IllegalStateException("a simulated rank has failed: " + failure, failure);
        }
    }

    /** The clock of the rank that is ahead of all others, in nanoseconds. */
    double endNs()
    {
        long end = 0;
        for (final Rank rank : ranks)
        {
            end = Math.max(end, rank.clockPs);
        }
        return (double)end / PS_IN_NS;
    }

    /** As {@link RunTime#messages}. */
    double messages()
    {
        long most = 0;
        for (final Rank rank : ranks)
        {
            most = Math.max(most, rank.handled);
        }
        return most / 2.0;
    }

    /** Sets all counts to 0. */
    void resetMessages()
    {
        for (final Rank rank : ranks)
        {
            rank.handled = 0;
        }
    }

    private enum Kind
    {
        REQUEST, BLOCK, ANSWER, EMPTY
    }

    private record Message(
        long arrivalPs, long sequence, Kind kind, int source, int number, int a, int b, DirectBuffer block)
    {
    }

    /** One rank. Its fields change while its thread has the turn, but for what others put into its queue when they have it. */
    private final class Rank implements LoggpRank
    {
        private final int number;
        private final Semaphore turn = new Semaphore(0);
        private final PriorityQueue<Message> queue = new PriorityQueue<>(
            Comparator.comparingLong(Message::arrivalPs).thenComparingLong(Message::sequence));
        private final RequestCode[] requests = new RequestCode[16];
        private final AnswerCode[] answers = new AnswerCode[16];
        private final BlockCode[] blocks = new BlockCode[16];
        private final int[] unanswered;
        private int allUnanswered;
        private final ArrayDeque<Long> card = new ArrayDeque<>();
        private long clockPs;
        private long cardFreePs;
        private boolean isWaiting;
        private boolean isEnded;
        private long handled;

        Rank(final int number)
        {
            this.number = number;
            unanswered = new int[ranks.length];
        }

        void live(final Stage stage)
        {
            turn.acquireUninterruptibly();
            try
            {
                if (failure == null)
                {
                    stage.run(this);
                }
            }
            catch (final RuntimeException | Error e)
            {
                failure = failure == null ? e : failure;
            }
            isEnded = true;
            handOver();
        }

        /** When this rank has something to do. */
        private long nextPs()
        {
            if (isEnded)
            {
                return FOREVER;
            }
            return !isWaiting ? clockPs : queue.isEmpty() ? FOREVER : Math.max(clockPs, queue.peek().arrivalPs);
        }

        /** Gives the turn to the rank that is behind all others, and waits for the next one. */
        private void handOver()
        {
            Rank next = null;
            for (final Rank each : ranks)
            {
                if (!each.isEnded && (next == null || each.nextPs() < next.nextPs()))
                {
                    next = each;
                }
            }
            if (next != null && next.nextPs() == FOREVER && failure == null)
            {
                failure = new IllegalStateException("all simulated ranks wait: rank " + next.number + " for a message");
            }
            if (next == this)
            {
                return;
            }
            if (next != null)
            {
                next.turn.release();
            }
            if (!isEnded)
            {
                turn.acquireUninterruptibly();
            }
        }

        /** Goes on when nothing can come any more that belongs before the clock. */
        private void synchronize()
        {
            final long aheadPs = (times.overheadNs() + times.latencyNs()) * PS_IN_NS;
            long least = FOREVER;
            for (final Rank each : ranks)
            {
                if (each != this)
                {
                    least = Math.min(least, each.nextPs());
                }
            }
            if (least != FOREVER && clockPs > least + aheadPs)
            {
                handOver();
            }
            checkFailure();
        }

        private void checkFailure()
        {
            if (failure != null)
            {
                throw new IllegalStateException("another rank has failed", failure);
            }
        }

        /** Takes what has come. */
        private boolean pollOnce()
        {
            synchronize();
            boolean isFound = false;
            while (!queue.isEmpty() && queue.peek().arrivalPs <= clockPs)
            {
                take(queue.poll());
                isFound = true;
                synchronize();
            }
            return isFound;
        }

        @Override
        public void poll()
        {
            if (!pollOnce())
            {
                isWaiting = true;
                handOver();
                isWaiting = false;
                checkFailure();
                if (!queue.isEmpty())
                {
                    clockPs = Math.max(clockPs, queue.peek().arrivalPs);
                }
            }
        }

        private void take(final Message message)
        {
            handled++;
            clockPs += times.overheadNs() * PS_IN_NS;
            switch (message.kind)
            {
                case REQUEST ->
                {
                    final int value = requests[message.number].run(message.source, message.a, message.b);
                    send(message.source, Kind.ANSWER, message.number, message.a, value, null);
                }
                case BLOCK ->
                {
                    blocks[message.number].run(message.source, message.a, message.block, 0, message.block.capacity());
                    send(message.source, Kind.EMPTY, 0, 0, 0, null);
                }
                default ->
                {
                    unanswered[message.source]--;
                    allUnanswered--;
                    if (message.kind == Kind.ANSWER)
                    {
                        answers[message.number].run(message.a, message.b);
                    }
                }
            }
        }

        private void send(
            final int dest, final Kind kind, final int code, final int a, final int b, final DirectBuffer block)
        {
            handled++;
            while (card.size() == CARD_ROOM)
            {
                clockPs = Math.max(clockPs, card.poll());
            }
            clockPs += times.overheadNs() * PS_IN_NS;
            final long begin = Math.max(clockPs, cardFreePs);
            final long onWire = begin + (block == null ? 0 : times.blockNs(block.capacity()) * PS_IN_NS);
            cardFreePs = onWire + times.gapNs() * PS_IN_NS;
            card.add(onWire);
            ranks[dest].queue.add(new Message(
                onWire + times.latencyNs() * PS_IN_NS, sequence++, kind, number, code, a, b, block));
        }

        private void awaitRoom(final int dest)
        {
            pollOnce();
            while (unanswered[dest] == window)
            {
                poll();
            }
            unanswered[dest]++;
            allUnanswered++;
        }

        @Override
        public void request(final int dest, final int code, final int a, final int b)
        {
            awaitRoom(dest);
            send(dest, Kind.REQUEST, code, a, b, null);
        }

        @Override
        public void block(
            final int dest, final int code, final int a, final DirectBuffer buffer, final int offset, final int length)
        {
            awaitRoom(dest);
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
            copy.putBytes(0, buffer, offset, length);
            send(dest, Kind.BLOCK, code, a, 0, copy);
        }

        @Override
        public void awaitAnswers()
        {
            while (allUnanswered > 0)
            {
                poll();
            }
        }

        @Override
        public void compute(final int operations)
        {
            clockPs += (long)operations * OPERATION_PS;
        }

        @Override
        public int rank()
        {
            return number;
        }

        @Override
        public int size()
        {
            return ranks.length;
        }

        @Override
        public void onRequest(final int code, final RequestCode run, final AnswerCode answer)
        {
            requests[code] = run;
            answers[code] = answer;
        }

        @Override
        public void onBlock(final int code, final BlockCode run)
        {
            blocks[code] = run;
        }
    }
}
