// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.activemessages.ActiveMessages;
import org.tallypost.activemessages.ActiveMessagesContext;
import org.tallypost.activemessages.ActiveMessagesCounters;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.activemessages.LoggpKnobs;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/** Ranks with active messages on threads of this process. */
final class LiveRanks implements AutoCloseable
{
    private static final int SLOTS = 4_096;
    private static final int ANSWERS = 128;
    /** No parks: with knobs there are none either. */
    private static final long LONGEST_YIELD_NS = 1_000_000_000L;
    /** And no yields, if each rank has a core: another process would take it for as long as it likes. */
    private static final int MOST_SPINS = Integer.MAX_VALUE;
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final TemporaryDirectory directory;
    private final Node node;
    private final boolean isSpinning;
    private final Rank[] ranks;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    LiveRanks(final File parent, final int count, final int window) throws IOException
    {
        directory = TemporaryDirectory.create(parent, "tallypost-bench-");
        isSpinning = count <= Runtime.getRuntime().availableProcessors();
        final IdleSettings idle = new IdleSettings().maxYieldNs(LONGEST_YIELD_NS);
        if (isSpinning)
        {
            idle.maxSpins(MOST_SPINS);
        }
        node = Node.launch(new NodeContext().directory(new File(directory.file(), "node")).groupName("loggp").rankCount(count)
            .slotsPerSender(SLOTS).idle(idle).deleteOnClose(true));
        ranks = new Rank[count];
        for (int i = 0; i < count; i++)
        {
            ranks[i] = new Rank(i, window);
        }
    }

    /** What a rank does. */
    interface Stage
    {
        void run(LoggpRank rank);
    }

    void set(final LoggpTimes times)
    {
        for (final Rank rank : ranks)
        {
            for (final Knob knob : Knob.values())
            {
                rank.knobs.set(knob, times.get(knob));
            }
        }
    }

    LoggpRank rank(final int number)
    {
        return ranks[number];
    }

    /** Lets all ranks do something, each on a thread of its own. */
    void run(final Stage stage) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final Rank rank : ranks)
        {
            final Thread thread = new Thread(() -> rank.live(stage), "live rank " + rank.rank());
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        if (failure.get() != null)
        {
            throw new IllegalStateException("a live rank has failed: " + failure.get(), failure.get());
        }
    }

    /** The most that a rank has sent and received since a look at all counts, divided by two. */
    double messages(final long... before)
    {
        double most = 0;
        final long[] now = counts();
        for (int i = 0; i < now.length; i++)
        {
            most = Math.max(most, (now[i] - before[i]) / 2.0);
        }
        return most;
    }

    long[] counts()
    {
        final long[] counts = new long[ranks.length];
        for (int i = 0; i < counts.length; i++)
        {
            final ActiveMessagesCounters counters = ranks[i].messages.counters();
            counts[i] = counters.get(Counter.SENT_REQUESTS) + counters.get(Counter.SENT_REPLIES) +
                counters.get(Counter.RECEIVED_REQUESTS) + counters.get(Counter.RECEIVED_REPLIES);
        }
        return counts;
    }

    @Override
    public void close()
    {
        for (final Rank rank : ranks)
        {
            CloseHelper.closeAll(rank.messages, rank.knobs, rank.endpoint);
        }
        node.close();
        directory.close();
    }

    private final class Rank implements LoggpRank
    {
        private final Endpoint endpoint;
        private final LoggpKnobs knobs;
        private final ActiveMessages messages;

        Rank(final int number, final int window)
        {
            endpoint = node.open(number);
            knobs = LoggpKnobs.open(node, number);
            messages = ActiveMessages.launch(new ActiveMessagesContext().endpoint(endpoint).rankCount(ranks.length)
                .window(window).timeoutNs(PATIENCE_NS).knobs(knobs).errorHandler((t) -> failure.compareAndSet(null, t))
                .failureListener((dest, handler, reason) ->
                    failure.compareAndSet(null, new IllegalStateException("a request failed: " + reason))));
        }

        void live(final Stage stage)
        {
            try
            {
                stage.run(this);
            }
            catch (final RuntimeException | Error e)
            {
                failure.compareAndSet(null, e);
            }
            finally
            {
                endpoint.releasePoller();
            }
        }

        @Override
        public int rank()
        {
            return endpoint.rank();
        }

        @Override
        public int size()
        {
            return ranks.length;
        }

        @Override
        public void onRequest(final int number, final RequestCode code, final AnswerCode answer)
        {
            messages.onRequest(number, null);
            messages.onReply(ANSWERS + number, null);
            messages.onRequest(number, (token, a, b, c, d, e) ->
                token.reply(ANSWERS + number, a, code.run(token.source(), a, b), 0, 0, 0));
            messages.onReply(ANSWERS + number, (source, a, value, c, d, e) -> answer.run(a, value));
        }

        @Override
        public void onBlock(final int number, final BlockCode code)
        {
            messages.onLongRequest(number, null);
            messages.onLongRequest(number, (token, a, b, buffer, offset, length) ->
                code.run(token.source(), a, buffer, offset, length));
        }

        private void check(final long result)
        {
            if (result < 0 || failure.get() != null)
            {
                throw new IllegalStateException("a request failed: " + Endpoint.errorString(result), failure.get());
            }
        }

        @Override
        public void request(final int dest, final int number, final int a, final int b)
        {
            check(messages.request(dest, number, a, b, 0, 0, 0));
        }

        @Override
        public void block(
            final int dest, final int number, final int a, final DirectBuffer buffer, final int offset, final int length)
        {
            check(messages.requestLong(dest, number, a, 0, buffer, offset, length));
        }

        @Override
        public void poll()
        {
            if (messages.doWork() == 0)
            {
                check(0);
                if (isSpinning)
                {
                    Thread.onSpinWait();
                }
                else
                {
                    Thread.yield();
                }
            }
        }

        @Override
        public void awaitAnswers()
        {
            check(messages.awaitReplies());
        }

        @Override
        public void compute(final int operations)
        {
            // the program's own operations take their time
        }
    }
}
